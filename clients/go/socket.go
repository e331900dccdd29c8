package glyphwire

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"time"
)

var errLineTooLong = errors.New("a line above the limit")

// readBytes is how much is read from the socket at a time.
const readBytes = 64 << 10

// writeBytes is how much of a payload is written at a time: slow networks take it well within AnswerTimeout.
const writeBytes = 64 << 10

// socket is a TCP or TLS connection, and the lines that come from it.
type socket struct {
	net.Conn
	reader       *bufio.Reader
	maxLineBytes int
	// waits returns until when a read may take, or why the connection is given up; nil lets reads take as long as they do.
	waits func(hasBytes bool) (time.Time, error)
}

// dialSocket connects, with TCP_NODELAY and keep-alive as Go sets them, and makes the TLS handshake if there is one.
func dialSocket(ctx context.Context, address string, settings *Settings) (*socket, error) {
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if settings.TLS != nil {
		config := settings.TLS.Clone()
		if config.ServerName == "" {
			config.ServerName, _, _ = net.SplitHostPort(address)
		}
		secured := tls.Client(connection, config)
		if err := secured.HandshakeContext(ctx); err != nil {
			connection.Close()
			return nil, &handshakeError{err}
		}
		connection = secured
	}
	s := &socket{Conn: connection, maxLineBytes: settings.MaxLineBytes}
	s.reader = bufio.NewReaderSize(patientReader{s}, readBytes)
	return s, nil
}

// patientReader reads from a socket, as long as that may take.
type patientReader struct{ socket *socket }

func (r patientReader) Read(buffer []byte) (int, error) {
	s := r.socket
	for s.waits != nil {
		until, err := s.waits(false)
		if err != nil {
			return 0, err
		}
		s.SetReadDeadline(until)
		count, err := s.Conn.Read(buffer)
		if count == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		}
		s.waits(true)
		return count, err
	}
	return s.Conn.Read(buffer)
}

// within does work with the socket, which fails with a timeout when the context is done.
func (s *socket) within(ctx context.Context, work func() error) error {
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
			s.SetDeadline(time.Unix(1, 0))
		case <-done:
		}
	}()
	err := work()
	close(done)
	<-watched
	s.SetDeadline(time.Time{})
	return err
}

// readLine returns the next line without its line feed. What stands behind the last line feed is no line.
func (s *socket) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := s.reader.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			line = bytes.TrimSuffix(line, []byte("\n"))
		}
		if len(line) > s.maxLineBytes {
			return nil, errLineTooLong
		}
		if err == nil {
			return line, nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
	}
}

// writeMessage writes header and payload, and calls moved whenever a part of them, but not yet all, was handed over.
func (s *socket) writeMessage(header, payload []byte, moved func()) error {
	for len(header)+len(payload) > 0 {
		part := payload
		if len(part) > writeBytes {
			part = part[:writeBytes]
		}
		payload = payload[len(part):]
		// Both with one system call where the system can.
		parts := net.Buffers{header, part}
		if _, err := parts.WriteTo(s.Conn); err != nil {
			return err
		}
		header = nil
		if len(payload) > 0 {
			moved()
		}
	}
	return nil
}
