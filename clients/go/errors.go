package glyphwire

import (
	"fmt"
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
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the system's error, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// isPermanent says whether another attempt would end the same way (rule X1).
func (e *Error) isPermanent() bool {
	switch e.Code {
	case NotGlyphwire, UnsupportedProtocol, BadLine, LineTooLong, MessageTooLarge, Closed:
		return true
	case Refused:
		switch e.WireCode {
		case "auth_required", "auth_failed", "message_too_large", "message_too_short", "wrong_protocol":
			return true
		}
	}
	return false
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
