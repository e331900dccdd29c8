// Package stub is a server for tests, which answers frames without reading them.
package stub

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// Types of messages.
const (
	Frame     = 1
	Configure = 2
	Ping      = 3
	End       = 4
	Stats     = 5
)

const headerBytes = 32

// Message is one that a client has sent.
type Message struct {
	Type     byte
	Header   []byte
	Sequence uint64
	Payload  []byte
}

// Peer is a client of the stub.
type Peer struct {
	net.Conn
	reader *bufio.Reader
}

// Script is what is done with a connection.
type Script func(peer *Peer)

// Start listens until the test ends, and plays a script to each connection in turn: the last one to all that follow.
func Start(t testing.TB, scripts ...Script) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	StartOn(t, listener, scripts...)
	return listener.Addr().String()
}

// StartOn is Start with a listener of the caller's, such as one that speaks TLS.
func StartOn(t testing.TB, listener net.Listener, scripts ...Script) {
	t.Cleanup(func() { listener.Close() })
	go func() {
		for number := 0; ; number++ {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			if number >= len(scripts) {
				number = len(scripts) - 1
			}
			go func(script Script) {
				defer connection.Close()
				script(&Peer{connection, bufio.NewReader(connection)})
			}(scripts[number])
		}
	}()
}

// Greet sends a hello with the features of a server.
func (p *Peer) Greet(features ...string) {
	list := ""
	if len(features) > 0 {
		list = `"` + strings.Join(features, `","`) + `"`
	}
	p.Say(`{"type":"hello","server":"glyphwire","version":"stub","protocol":1,"auth":"none",`+
		`"limits":{"max_message_bytes":4000000},"levels":["fast"],"features":[%s]}`, list)
}

// Say sends a line.
func (p *Peer) Say(format string, values ...any) {
	fmt.Fprintf(p, format+"\n", values...)
}

// Next returns the next message, and false when there is none.
func (p *Peer) Next() (Message, bool) {
	header := make([]byte, headerBytes)
	if _, err := io.ReadFull(p.reader, header); err != nil {
		return Message{}, false
	}
	payload := make([]byte, int(binary.BigEndian.Uint32(header))+4-headerBytes)
	_, err := io.ReadFull(p.reader, payload)
	return Message{header[4], header, binary.BigEndian.Uint64(header[8:]), payload}, err == nil
}

// Answer answers a message as a good server would; a frame has the text EXIT 42.
func (p *Peer) Answer(message Message) {
	const box = `"confidence":1,"box":[1,2,3,4,5,6,7,8]`
	switch message.Type {
	case Frame:
		p.Say(`{"type":"result","sequence":%d,"captured_us":%d,"status":"ok","text":"EXIT 42","lines":[{"text":"EXIT 42",`+
			box+`,"words":[{"text":"EXIT",`+box+`},{"text":"42",`+box+`}]}]}`,
			message.Sequence, binary.BigEndian.Uint64(message.Header[16:]))
	case Configure:
		p.Say(`{"type":"configured","sequence":%d,"window":4,"options":{"level":"fast"}}`, message.Sequence)
	case Ping:
		p.Say(`{"type":"pong","sequence":%d,"captured_us":7,"received_us":8,"sent_us":9}`, message.Sequence)
	case Stats:
		p.Say(`{"type":"stats","sequence":%d,"connection":{"frames":{"ok":3}},"server":{}}`, message.Sequence)
	case End:
		p.Say(`{"type":"end","sequence":%d,"frames":3}`, message.Sequence)
	}
}

// Serve greets, and answers everything until the end of the stream.
func Serve(peer *Peer) {
	peer.Greet("delivery")
	peer.AnswerAll()
}

// AnswerAll answers everything until the end of the stream.
func (p *Peer) AnswerAll() {
	for {
		message, isThere := p.Next()
		if !isThere {
			return
		}
		p.Answer(message)
		if message.Type == End {
			return
		}
	}
}
