package glyphwire

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// ErrorCode is the kind of an Error; the names are the same in every client.
type ErrorCode string

const (
	// CannotConnect: there is no response at that address.
	CannotConnect ErrorCode = "cannot_connect"
	// TimedOut: connected, but no greeting came in time.
	TimedOut ErrorCode = "timed_out"
	// NotGlyphwire: the peer is not a Glyphwire server.
	NotGlyphwire ErrorCode = "not_glyphwire"
	// UnsupportedProtocol: the server speaks another version of the protocol.
	UnsupportedProtocol ErrorCode = "unsupported_protocol"
	// ConnectionLost: the connection broke, or the server closed it before the stream was ended.
	ConnectionLost ErrorCode = "connection_lost"
	// Refused: the server refused a message; WireCode says why.
	Refused ErrorCode = "refused"
	// BadLine: the server sent a line that violates Protocol.md.
	BadLine ErrorCode = "bad_line"
	// LineTooLong: the server sent a line longer than MaxLineBytes.
	LineTooLong ErrorCode = "line_too_long"
	// MessageTooLarge: the message exceeds the server's limit; it was not sent, and the connection stays open.
	MessageTooLarge ErrorCode = "message_too_large"
	// Closed: the connection was used after it was finished or closed.
	Closed ErrorCode = "closed"
)

// Error is why a connection could not be made, a message was not accepted, or a stream has broken off.
type Error struct {
	Code ErrorCode
	// WireCode is the code of the server's error, as in Protocol.md; empty where the server did not object.
	WireCode string
	// Message says what was wrong, where, and what to do.
	Message string
	cause   error
	// isFinal says that the server was reached, and will not be trusted or understood another time either.
	isFinal bool
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the system's error, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// IsPermanent says whether another attempt would end the same way (rule X1).
func (e *Error) IsPermanent() bool {
	switch e.Code {
	case NotGlyphwire, UnsupportedProtocol, BadLine, LineTooLong, MessageTooLarge, Closed:
		return true
	case Refused:
		switch e.WireCode {
		case "auth_required", "auth_failed", "message_too_large", "message_too_short", "wrong_protocol":
			return true
		}
	}
	return e.isFinal
}

// minimumPause is the time before another attempt, whatever the policy says (rule X2).
func (e *Error) minimumPause() time.Duration {
	if e.WireCode == "too_many_guesses" {
		return time.Minute
	}
	return 0
}

func newError(code ErrorCode, cause error, format string, values ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, values...), cause: cause}
}

// handshakeError is a TLS handshake that failed.
type handshakeError struct{ error }

// Unwrap returns why it failed.
func (e *handshakeError) Unwrap() error { return e.error }

// isFinal says whether the two could not agree, rather than that the connection broke meanwhile.
func (e *handshakeError) isFinal() bool {
	if isAlert(e.error) {
		return true
	}
	var network net.Error
	hasEnded := errors.Is(e.error, io.EOF) || errors.Is(e.error, io.ErrUnexpectedEOF)
	return !hasEnded && !errors.As(e.error, &network) && !errors.Is(e.error, context.Canceled)
}

// isAlert says whether one of the two ended TLS since it did not accept the other.
func isAlert(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error")
}

// cannotConnect says what to do about a connection that cannot be opened.
func cannotConnect(address string, err error) *Error {
	advice := "check that a server listens there (glyphwire serve) and that host and port are right"
	var (
		handshake *handshakeError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	isFinal := errors.As(err, &handshake) && handshake.isFinal()
	switch {
	case !isFinal:
	case errors.As(err, &authority):
		advice = "trust the server's certificate or its authority: RootCAs of Settings.TLS, or --tls-ca FILE"
	case errors.As(err, &name):
		advice = "connect to a name that is in the server's certificate"
	case errors.As(err, &invalid):
		advice = "the server needs another certificate"
	default:
		advice = "check that the server speaks TLS, and whether it requires a client certificate"
	}
	own := newError(CannotConnect, err, "cannot connect to %s: %v; %s", address, err, advice)
	own.isFinal = isFinal
	return own
}

func refused(wireCode, message string) *Error {
	err := newError(Refused, nil, "the server refused: %s (%s)", message, wireCode)
	err.WireCode = wireCode
	return err
}

func closed() *Error {
	return newError(Closed, nil, "the connection was finished or closed; connect again to send more")
}

func badLine(text []byte, why string) *Error {
	const shown = 80
	if len(text) > shown {
		text = text[:shown]
	}
	return newError(BadLine, nil, "the server sent a line that violates the protocol (%s): %q", why, text)
}
