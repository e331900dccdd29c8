package glyphwire

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// supportedProtocol is the version of the protocol that this client speaks.
const supportedProtocol = 1

// tokenAuth is what a greeting says that asks for a token in the first message.
const tokenAuth = "token"

// firstPingDelay is well below the five seconds in which servers expect the first message (rule A9).
const firstPingDelay = 2 * time.Second

// framesPerWindow is how many frames are unanswered for each that the server works on, so that the next are there in time.
const framesPerWindow = 2

// cameraFrames is how many frames of a camera are unanswered at most: two keep network and server busy (rule D9).
const cameraFrames = 2

// sentFrame is a frame of which at least a part was handed to the socket.
type sentFrame struct {
	sequence, capturedUS uint64
}

// request is a message other than a frame, whose answer a caller waits for.
type request struct {
	kind     messageType
	sequence uint64
	// body is what the server is sent again on another connection, once it has accepted it; nil for none.
	body *configureBody
	// isOwn says that the client itself asks, and no caller gets the answer.
	isOwn bool
	// answer receives one value: the line, or why there is none.
	answer chan answer
}

type answer struct {
	line []byte
	err  error
}

func (r *request) isAnsweredBy(line *head) bool {
	if line.Sequence == nil || *line.Sequence != r.sequence {
		return false
	}
	types := map[messageType]string{
		configureMessage: "configured", pingMessage: "pong", endMessage: "end", statsMessage: "stats",
	}
	return line.Type == "error" || line.Type == types[r.kind]
}

// stream is the state of a stream of frames, over one connection or several in a row. It does no I/O and takes no lock.
type stream struct {
	address string
	policy  *ReconnectPolicy
	// body is what the server last accepted, to be sent again on another connection; nil for none.
	body *configureBody
	// token is the last that was accepted, which body may lack.
	token []byte
	hello Hello
	// isOpen says that messages may be sent: the server has greeted, and accepted the options.
	isOpen bool
	// window is how many frames the server works on at once, if it leaves none out; 0 for no limit.
	window      int
	isFinishing bool
	// isLeaving says that the server stops, and accepts no more messages on this connection.
	isLeaving bool
	// end is why everything is over; nil while it is not.
	end      *Error
	wasOpen  bool
	attempts int

	lastSequence, lastRequest uint64
	// silentSince is when heard was called last, or when the first message was sent that has no answer, if that is later.
	silentSince time.Time
	// sentAt is when a message was begun last, or when the server greeted if none was since: then hasSent is false.
	sentAt  time.Time
	hasSent bool
	frames  []sentFrame
	// answeredFrames is how many frames the server at hand has answered.
	answeredFrames int
	requests       []*request
}

// accepted keeps options for other connections, and their token also for options without one.
func (s *stream) accepted(body *configureBody) {
	s.body = body
	if body.token != nil {
		s.token = body.token
	}
}

// opening returns the options to send first on a connection, each once the one before is accepted.
//
// The token goes alone where the options have none (rule A1), or are longer than it allows before (rule N1).
func (s *stream) opening() [][]byte {
	if s.body == nil {
		return nil
	}
	limit := s.hello.Limits.MaxUnauthenticatedBytes
	isTooLong := limit > 0 && messageLength(s.body.options) > limit
	if s.hello.Auth == tokenAuth && s.token != nil && (s.body.token == nil || isTooLong) {
		return [][]byte{s.token, s.body.options}
	}
	return [][]byte{s.body.options}
}

// maySend says whether the connection is open for a message of this kind.
//
// Where the server reads every frame, few are under way, and the end follows the last answer: so little is lost with a
// server that stops. Unread results hold up nothing here, since whoever sends may be the one who reads afterwards.
func (s *stream) maySend(kind messageType, isFull bool) bool {
	switch {
	case !s.isOpen || s.window <= 0:
		return s.isOpen
	case kind == frameMessage:
		return isFull || len(s.frames)/framesPerWindow < s.window
	case kind == endMessage:
		return len(s.frames) == 0
	}
	return true
}

// isSendable says whether a frame of a camera may be sent: few are unanswered, or their answers cannot come in.
func (s *stream) isSendable(isFull bool) bool {
	return s.isOpen && (isFull || len(s.frames) < cameraFrames)
}

// frame returns the header to send at once, and has the frame wait for its result.
func (s *stream) frame(frame *Frame) (header []byte, sequence uint64, err error) {
	sequence = s.lastSequence + 1
	if frame.Sequence != nil {
		sequence = *frame.Sequence
	}
	if err := s.checkSize(frame.Payload); err != nil {
		return nil, 0, err
	}
	s.lastSequence = sequence
	s.frames = append(s.frames, sentFrame{sequence, frame.CapturedUS})
	s.sent()
	return frame.header(sequence), sequence, nil
}

// request returns the header of a message to send at once, and has it wait for its answer.
func (s *stream) request(kind messageType, body []byte, capturedUS uint64) (*request, []byte, error) {
	if err := s.checkSize(body); err != nil {
		return nil, nil, err
	}
	s.lastRequest++
	s.isFinishing = s.isFinishing || kind == endMessage
	waiting := &request{kind: kind, sequence: s.lastRequest, answer: make(chan answer, 1)}
	s.requests = append(s.requests, waiting)
	s.sent()
	return waiting, messageHeader(kind, s.lastRequest, capturedUS, len(body)), nil
}

// sent says that a message is sent. Its answer is not late yet; those of earlier messages may be.
func (s *stream) sent() {
	s.sentAt, s.hasSent = time.Now(), true
	if s.unanswered() <= 1 {
		s.heard()
	}
}

func (s *stream) unanswered() int { return len(s.frames) + len(s.requests) }

// isWaiting says whether the server has to answer, or to close since it stops.
func (s *stream) isWaiting() bool { return s.unanswered() > 0 || s.isLeaving }

// heard says that bytes came or, since nobody read them, could not have come, or that the socket took a part of a message.
func (s *stream) heard() { s.silentSince = time.Now() }

// silenceLeft returns the time until the server counts as dead, should nothing come; at most the limit.
func (s *stream) silenceLeft(limit time.Duration) time.Duration {
	if !s.isWaiting() {
		return limit
	}
	return time.Until(s.silentSince.Add(limit))
}

// pingLeft returns the time until a ping is due (rules A9 and A10); the longest there is while none will be.
func (s *stream) pingLeft(interval time.Duration) time.Duration {
	isUnwelcome := !s.hasSent && s.hello.Auth == tokenAuth
	if interval < 0 || isUnwelcome || !s.isOpen || s.isWaiting() {
		return math.MaxInt64
	}
	if !s.hasSent && interval > firstPingDelay {
		interval = firstPingDelay
	}
	return time.Until(s.sentAt.Add(interval))
}

// messageLength returns what the length field says of a message with this payload.
func messageLength(payload []byte) uint64 { return uint64(len(payload)) + headerBytes - lengthBytes }

func (s *stream) checkSize(payload []byte) error {
	size, limit := messageLength(payload), s.hello.Limits.MaxMessageBytes
	if limit == 0 || limit > math.MaxUint32 {
		limit = math.MaxUint32
	}
	if size <= limit {
		return nil
	}
	const message = "a message of %d bytes, %s accepts at most %d; send a smaller picture, or JPEG"
	return newError(MessageTooLarge, nil, message, size, s.address, limit)
}

// greeted takes the first line of a connection.
func (s *stream) greeted(text []byte) (*Line, *Error) {
	parsed, err := parseHead(text)
	if err == nil && parsed.isFatal() {
		return nil, refused(parsed.Code, parsed.Message)
	}
	var hello Hello
	if err != nil || parsed.Type != "hello" || json.Unmarshal(text, &hello) != nil {
		return nil, newError(NotGlyphwire, err, "the first line from %s is no greeting; check the port", s.address)
	}
	if hello.Protocol != supportedProtocol {
		const message = "%s speaks version %d of the protocol, this client %d; update the older of the two"
		return nil, newError(UnsupportedProtocol, nil, message, s.address, hello.Protocol, supportedProtocol)
	}
	hello.JSON = text
	s.hello = hello
	s.isLeaving, s.window, s.hasSent, s.sentAt = false, 0, false, time.Now()
	s.answeredFrames = 0
	return &Line{Type: "hello", JSON: text, hasCaller: true}, nil
}

// opened says that the server has accepted the options, if there are any.
func (s *stream) opened() { s.isOpen, s.wasOpen = !s.isLeaving, true }

// received takes a line after the first. An error ends the connection; there may be a line for the caller all the same.
func (s *stream) received(text []byte) (*Line, error) {
	parsed, err := parseHead(text)
	if err != nil {
		return nil, err
	}
	line := &Line{Type: parsed.Type, JSON: text}
	if parsed.isFatal() {
		return line, refused(parsed.Code, parsed.Message)
	}
	if parsed.isAnswer() {
		s.attempts = 0
	}
	if parsed.Type == "result" {
		line.Result, err = s.result(text)
		return line, err
	}
	if parsed.Type == "goaway" {
		s.isOpen, s.isLeaving = false, true
	}
	if len(s.requests) > 0 && s.requests[0].isAnsweredBy(&parsed) {
		if s.requests[0].isOwn {
			line = nil
		} else {
			line.hasCaller = true
		}
		return line, s.answered(&parsed, text)
	}
	return line, nil
}

func (s *stream) result(text []byte) (*Result, error) {
	result, err := parseResult(text)
	if err != nil {
		return nil, err
	}
	if len(s.frames) == 0 {
		return nil, badLine(text, "no frame waits for a result")
	}
	if s.frames[0].sequence != result.Sequence {
		return nil, newError(BadLine, nil, "%s sent the result of frame %d, but frame %d is next",
			s.address, result.Sequence, s.frames[0].sequence)
	}
	s.frames = s.frames[1:]
	s.answeredFrames++
	return result, nil
}

// answered hands a line to whoever asked for it.
func (s *stream) answered(parsed *head, text []byte) error {
	waiting := s.requests[0]
	s.requests = s.requests[1:]
	switch {
	case parsed.Type == "error":
		waiting.answer <- answer{err: refused(parsed.Code, parsed.Message)}
		return nil
	case parsed.Type == "end" && len(s.frames) > 0:
		err := badLine(text, "the end, but frames have no result")
		waiting.answer <- answer{err: err}
		return err
	case parsed.Type == "end":
		s.isOpen = false
		s.end = closed()
	case parsed.Type == "configured":
		var configured Configured
		if err := json.Unmarshal(text, &configured); err != nil {
			bad := badLine(text, err.Error())
			waiting.answer <- answer{err: bad}
			return bad
		}
		s.window = configured.Window
		if waiting.body != nil {
			s.accepted(waiting.body)
		}
	}
	waiting.answer <- answer{line: text}
	return nil
}

// missingEnd returns the end line that a server which stops does not send, if the stream that ends so is complete (rule G4).
//
// The client's end has crossed the goaway then, and every other message has its answer.
func (s *stream) missingEnd(err *Error) []byte {
	isLast := len(s.frames) == 0 && len(s.requests) == 1 && s.requests[0].kind == endMessage
	if err.Code != ConnectionLost || !s.isLeaving || !isLast {
		return nil
	}
	return fmt.Appendf(nil, `{"type":"end","sequence":%d,"frames":%d}`, s.requests[0].sequence, s.answeredFrames)
}

// failed takes the loss of a connection, or a failed attempt.
//
// It returns the results of frames that will have no other, and the pause before the next attempt. There is none if
// the stream has ended.
func (s *stream) failed(err *Error) (lost []*Line, pause time.Duration) {
	for _, frame := range s.frames {
		lost = append(lost, lostResult(frame))
	}
	s.drop(err)
	if s.end != nil {
		return lost, 0
	}
	mayReconnect := s.policy != nil && s.wasOpen && !s.isFinishing && !err.IsPermanent()
	if !mayReconnect || s.attempts >= s.policy.MaxAttempts {
		s.end = err
		return lost, 0
	}
	s.attempts++
	pause = s.policy.Delay(s.attempts)
	if least := err.minimumPause(); pause < least {
		pause = least
	}
	return lost, pause
}

// drop forgets what is unanswered.
func (s *stream) drop(err *Error) {
	for _, waiting := range s.requests {
		waiting.answer <- answer{err: err}
	}
	s.frames, s.requests, s.isOpen, s.isLeaving = nil, nil, false, false
}
