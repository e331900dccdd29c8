// Command conformance plays a session through this client; clients/conformance says what is asked of it.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"glyphwire"
)

const (
	headerBytes = 32
	lengthBytes = 4
)

const (
	frame     = 1
	configure = 2
	ping      = 3
	end       = 4
	stats     = 5
)

// message is one of a session.
type message struct {
	kind    byte
	frame   glyphwire.Frame
	options glyphwire.Options
}

func readSession(path string) ([]message, error) {
	data, err := os.ReadFile(path)
	var messages []message
	for err == nil && len(data) >= headerBytes {
		length := lengthBytes + int(binary.BigEndian.Uint32(data))
		one := message{kind: data[4]}
		if one.kind == configure {
			one.options, err = options(data[headerBytes:length])
		}
		sequence := binary.BigEndian.Uint64(data[8:])
		one.frame = glyphwire.Frame{
			Payload:     data[headerBytes:length],
			Format:      glyphwire.Format(data[5]),
			Orientation: glyphwire.Orientation(data[6]),
			Sequence:    &sequence,
			CapturedUS:  binary.BigEndian.Uint64(data[16:]),
			Width:       binary.BigEndian.Uint16(data[24:]),
			Height:      binary.BigEndian.Uint16(data[26:]),
			BytesPerRow: binary.BigEndian.Uint32(data[28:]),
		}
		messages = append(messages, one)
		data = data[length:]
	}
	return messages, err
}

// options takes what it can into fields, and the rest as it is.
func options(body []byte) (glyphwire.Options, error) {
	var options glyphwire.Options
	if len(body) == 0 {
		return options, nil
	}
	if err := json.Unmarshal(body, &options.Others); err != nil {
		return options, err
	}
	return options, json.Unmarshal(body, &options)
}

// send plays the messages, and finishes.
func send(connection *glyphwire.Connection, session []message) error {
	var failure error
	for _, one := range session {
		switch one.kind {
		case frame:
			_, failure = connection.Send(one.frame)
		case configure:
			_, failure = connection.Configure(one.options)
		case ping:
			_, failure = connection.Ping(one.frame.CapturedUS)
		case stats:
			_, failure = connection.Stats()
		}
		if failure != nil || one.kind == end {
			break
		}
	}
	_, err := connection.Finish()
	if failure != nil {
		return failure
	}
	return err
}

func show(result *glyphwire.Result, withWords bool) {
	if withWords {
		fields := []string{fmt.Sprint(result.Sequence), result.Status, result.Code}
		for _, word := range result.Words() {
			fields = append(fields, word.Text)
		}
		fmt.Println(strings.Join(fields, "\t"))
		return
	}
	line := result.JSON
	if line == nil {
		const lost = `{"type":"result","sequence":%d,"captured_us":%d,"status":%q,"code":%q,"message":%q}`
		line = []byte(fmt.Sprintf(lost, result.Sequence, result.CapturedUS, result.Status, result.Code, result.Message))
	}
	os.Stdout.Write(append(line, '\n'))
}

// job is what the arguments ask for.
type job struct {
	address, session       string
	settings               glyphwire.Settings
	withWords, finishFirst bool
	pause                  time.Duration
}

func parse(arguments []string) job {
	wanted := job{address: net.JoinHostPort(arguments[0], arguments[1]), session: arguments[2]}
	seconds := map[string]*time.Duration{
		"--connect-timeout": &wanted.settings.ConnectTimeout,
		"--answer-timeout":  &wanted.settings.AnswerTimeout,
		"--ping-interval":   &wanted.settings.PingInterval,
		"--pause":           &wanted.pause,
	}
	for i := 3; i < len(arguments); i++ {
		switch arguments[i] {
		case "--reconnect":
			wanted.settings.Reconnect = glyphwire.DefaultReconnectPolicy()
		case "--words":
			wanted.withWords = true
		case "--finish-first":
			wanted.finishFirst = true
		default:
			target, isKnown := seconds[arguments[i]]
			if i++; isKnown {
				*target, _ = time.ParseDuration(arguments[i] + "s")
			}
		}
	}
	return wanted
}

func (j job) play() error {
	session, err := readSession(j.session)
	if err != nil {
		return err
	}
	if len(session) > 0 && session[0].kind == configure {
		j.settings.Options = &session[0].options
		session = session[1:]
	}
	connection, err := glyphwire.Dial(context.Background(), j.address, j.settings)
	if err != nil {
		return err
	}
	defer connection.Close()
	sent := make(chan error, 1)
	go func() {
		time.Sleep(j.pause)
		sent <- send(connection, session)
	}()
	if j.finishFirst {
		sent <- <-sent
	}
	for {
		result, err := connection.ReadResult()
		if err == io.EOF {
			return <-sent
		}
		if err != nil {
			<-sent
			return err
		}
		show(result, j.withWords)
	}
}

func main() {
	err := parse(os.Args[1:]).play()
	if err == nil {
		return
	}
	var own *glyphwire.Error
	if errors.As(err, &own) {
		err = fmt.Errorf("client-error: %s", strings.TrimSpace(string(own.Code)+" "+own.WireCode)+": "+own.Message)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
