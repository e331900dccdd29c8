// Package glyphwire is a client for Glyphwire servers, which read text in live video: pictures go in, their text comes out.
//
// It needs the standard library only. Protocol.md in the server's repository describes what options and results mean.
package glyphwire

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Port is the one that a server listens on by default.
const Port = 7411

// Settings are how a connection is made and kept. The zero value is a good one.
type Settings struct {
	// Options are sent first, on every connection; nil leaves the server's own in force.
	Options *Options
	// Reconnect makes a lost connection again; nil does not.
	Reconnect *ReconnectPolicy
	// ConnectTimeout limits connecting, the greeting and the options together; 10 seconds by default.
	ConnectTimeout time.Duration
	// AnswerTimeout is how long the server may send nothing while messages are unanswered; then the connection counts as
	// lost. 30 seconds by default.
	AnswerTimeout time.Duration
	// PingInterval is after how long without a message the client sends a ping, so that the server keeps the connection; 4
	// minutes by default. If it is negative, none is sent.
	PingInterval time.Duration
	// MaxLineBytes is the longest line that is accepted; 16 MiB by default.
	MaxLineBytes int
	// LineBuffer is how many lines may wait to be read before reading from the socket pauses; 64 by default.
	LineBuffer int
	// TLS is set for a server that speaks TLS; the zero configuration trusts the system's authorities.
	TLS *tls.Config
}

const (
	defaultConnectTimeout = 10 * time.Second
	defaultAnswerTimeout  = 30 * time.Second
	// A server waits for ten minutes (rule A9).
	defaultPingInterval = 4 * time.Minute
	defaultMaxLineBytes = 16 << 20
	defaultLineBuffer   = 64
)

func (s Settings) withDefaults() Settings {
	if s.ConnectTimeout <= 0 {
		s.ConnectTimeout = defaultConnectTimeout
	}
	if s.AnswerTimeout <= 0 {
		s.AnswerTimeout = defaultAnswerTimeout
	}
	if s.PingInterval == 0 {
		s.PingInterval = defaultPingInterval
	}
	if s.MaxLineBytes <= 0 {
		s.MaxLineBytes = defaultMaxLineBytes
	}
	if s.LineBuffer <= 0 {
		s.LineBuffer = defaultLineBuffer
	}
	return s
}

// Connection is a connection to a server. Its methods may be called from several goroutines.
//
// Each that waits has a variant with a context, which returns the context's error once that is done. But a message that was begun
// is sent to its end, however long a slow network takes, unless Close is called or the server counts as lost (AnswerTimeout). An
// answer that comes after its context was done is among those of ReadLine only.
//
// Send in one goroutine and read in another: a server that falls behind stops reading, and Send waits. Every frame that
// was sent has exactly one result, in the order of the frames, unless Close is called.
type Connection struct {
	settings Settings
	// ends is done when the connection is closed.
	ends context.Context
	stop context.CancelFunc

	// turn is full while a message is written, so that messages follow each other whole; it is taken before mutex.
	turn chan struct{}
	// mutex guards what follows, and changed is broadcast when any of it changes.
	mutex   sync.Mutex
	changed *sync.Cond
	stream  stream
	socket  *socket
	lines   []*Line
	// held is how many of the lines nobody else has: they hold up reading.
	held int
	// finishers is how many calls of Finish wait, or have sent the end.
	finishers int
}

// Dial connects to the server at address, waits for its greeting, and has it accept the options.
//
// The address is HOST or HOST:PORT, with an IPv6 address in brackets or alone. The context limits dialing only. The first connection
// is attempted once, whatever the settings say of reconnecting.
func Dial(ctx context.Context, address string, settings Settings) (*Connection, error) {
	c := &Connection{settings: settings.withDefaults(), turn: make(chan struct{}, 1)}
	c.changed = sync.NewCond(&c.mutex)
	c.stream = stream{address: withPort(address), policy: settings.Reconnect}
	if settings.Options != nil {
		body, err := newConfigureBody(*settings.Options)
		if err != nil {
			return nil, err
		}
		c.stream.accepted(body)
	}
	c.ends, c.stop = context.WithCancel(context.Background())
	socket, err := c.open(ctx)
	if err != nil {
		c.stop()
		return nil, err
	}
	go c.run(socket)
	return c, nil
}

// withPort returns HOST:PORT.
func withPort(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	}
	if port == "" {
		port = strconv.Itoa(Port)
	}
	return net.JoinHostPort(host, port)
}

// Hello returns the greeting of the server when it was last connected to.
func (c *Connection) Hello() Hello {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.stream.hello
}

// Send sends a frame when the server accepts it, and returns the sequence that its result will have.
func (c *Connection) Send(frame Frame) (uint64, error) {
	return c.SendContext(context.Background(), frame)
}

// SendContext is Send with a context, which ends the wait for the server, for another connection and for other messages. If it
// returns the context's error, the frame is not sent. A frame that was begun is sent to its end.
func (c *Connection) SendContext(ctx context.Context, frame Frame) (uint64, error) {
	if err := c.takeTurn(ctx); err != nil {
		return 0, err
	}
	defer c.endTurn()
	c.mutex.Lock()
	socket, err := c.waitToSend(ctx, frameMessage)
	if err != nil {
		c.mutex.Unlock()
		return 0, err
	}
	header, sequence, err := c.stream.frame(&frame)
	c.mutex.Unlock()
	if err != nil {
		return 0, err
	}
	c.write(socket, header, frame.Payload)
	return sequence, nil
}

// WaitUntilSendable waits until fewer than two frames are unanswered; then take the newest picture of a camera, and send it.
//
// So the delay stays short, also over a slow network. Read the results meanwhile: while LineBuffer of them are unread no answer
// comes in, and it does not wait.
func (c *Connection) WaitUntilSendable(ctx context.Context) error {
	defer c.wakeWhenDone(ctx)()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for !c.stream.isSendable(c.isFull()) && c.stream.end == nil && ctx.Err() == nil {
		c.changed.Wait()
	}
	if c.stream.end != nil {
		return c.stream.end
	}
	return ctx.Err()
}

// ReadResult returns the result of the next frame, and io.EOF behind the last.
func (c *Connection) ReadResult() (*Result, error) {
	return c.ReadResultContext(context.Background())
}

// ReadResultContext is ReadResult with a context.
func (c *Connection) ReadResultContext(ctx context.Context) (*Result, error) {
	for {
		line, err := c.ReadLineContext(ctx)
		if err != nil {
			return nil, err
		}
		if line.Result != nil {
			return line.Result, nil
		}
	}
}

// ReadLine returns the next line of any type, and io.EOF behind the last. A line goes to either ReadLine or ReadResult.
func (c *Connection) ReadLine() (*Line, error) {
	return c.ReadLineContext(context.Background())
}

// ReadLineContext is ReadLine with a context.
func (c *Connection) ReadLineContext(ctx context.Context) (*Line, error) {
	defer c.wakeWhenDone(ctx)()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for len(c.lines) == 0 {
		if end := c.stream.end; end != nil {
			if end.Code == Closed {
				return nil, io.EOF
			}
			return nil, end
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.changed.Wait()
	}
	line := c.lines[0]
	c.lines = c.lines[1:]
	if !line.hasCaller {
		c.held--
	}
	c.changed.Broadcast()
	return line, nil
}

// push has lines wait for ReadLine, and is called with the mutex locked. Where nobody reads, what a caller has is left out.
func (c *Connection) push(lines ...*Line) {
	for _, line := range lines {
		if line.hasCaller && c.finishers == 0 && len(c.lines) >= c.settings.LineBuffer {
			continue
		}
		if !line.hasCaller {
			c.held++
		}
		c.lines = append(c.lines, line)
	}
	c.changed.Broadcast()
}

// isFull says whether so many lines are unread that reading pauses, and is called with the mutex locked.
//
// It does not for Finish: what is under way is bounded then, and whoever finishes may be the one who reads afterwards.
func (c *Connection) isFull() bool { return c.finishers == 0 && c.held >= c.settings.LineBuffer }

// Configure sets the options for the frames that follow, and returns those in force. If the server refuses them, those of
// before stay in force.
func (c *Connection) Configure(options Options) (*Configured, error) {
	return c.ConfigureContext(context.Background(), options)
}

// ConfigureContext is Configure with a context. The server may accept options whose answer nobody waits for any more.
func (c *Connection) ConfigureContext(ctx context.Context, options Options) (*Configured, error) {
	body, err := newConfigureBody(options)
	if err != nil {
		return nil, err
	}
	var configured Configured
	return &configured, c.request(ctx, configureMessage, body, 0, &configured)
}

// Ping asks for a sign of life; capturedUS is the caller's clock, repeated in the answer.
func (c *Connection) Ping(capturedUS uint64) (*Pong, error) {
	return c.PingContext(context.Background(), capturedUS)
}

// PingContext is Ping with a context.
func (c *Connection) PingContext(ctx context.Context, capturedUS uint64) (*Pong, error) {
	var pong Pong
	return &pong, c.request(ctx, pingMessage, nil, capturedUS, &pong)
}

// Stats asks how long the stages took so far, on this connection and on the whole server.
func (c *Connection) Stats() (*Stats, error) {
	return c.StatsContext(context.Background())
}

// StatsContext is Stats with a context.
func (c *Connection) StatsContext(ctx context.Context) (*Stats, error) {
	var stats Stats
	return &stats, c.request(ctx, statsMessage, nil, 0, &stats)
}

// Finish ends the stream, and waits until every frame has its result. Those not read yet still can be.
func (c *Connection) Finish() (*End, error) {
	return c.FinishContext(context.Background())
}

// FinishContext is Finish with a context. If the end was not sent when that is done, the stream goes on.
func (c *Connection) FinishContext(ctx context.Context) (*End, error) {
	c.mutex.Lock()
	c.finishers++
	c.changed.Broadcast()
	c.mutex.Unlock()
	var end End
	err := c.request(ctx, endMessage, nil, 0, &end)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.stream.isFinishing {
		c.finishers--
		c.changed.Broadcast()
	}
	return &end, err
}

// Close closes the connection at once. What was received can still be read.
func (c *Connection) Close() error {
	c.mutex.Lock()
	if c.stream.end == nil {
		c.stream.end = closed()
	}
	c.stream.drop(c.stream.end)
	if c.socket != nil {
		c.socket.Close()
	}
	c.changed.Broadcast()
	c.mutex.Unlock()
	c.stop()
	return nil
}

func (c *Connection) request(
	ctx context.Context, kind messageType, body *configureBody, capturedUS uint64, into any,
) error {
	waiting, err := c.ask(ctx, kind, body, capturedUS)
	if err != nil {
		return err
	}
	select {
	case answered := <-waiting.answer:
		if answered.err != nil {
			return answered.err
		}
		if err := json.Unmarshal(answered.line, into); err != nil {
			return badLine(answered.line, err.Error())
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Connection) ask(
	ctx context.Context, kind messageType, body *configureBody, capturedUS uint64,
) (*request, error) {
	if err := c.takeTurn(ctx); err != nil {
		return nil, err
	}
	defer c.endTurn()
	c.mutex.Lock()
	socket, err := c.waitToSend(ctx, kind)
	if err != nil {
		c.mutex.Unlock()
		return nil, err
	}
	waiting, header, err := c.stream.request(kind, body.payload(), capturedUS)
	if err != nil {
		c.mutex.Unlock()
		return nil, err
	}
	waiting.body = body
	c.mutex.Unlock()
	c.write(socket, header, body.payload())
	return waiting, nil
}

// takeTurn waits until no other message is written, and keeps others from being written until endTurn.
func (c *Connection) takeTurn(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Connection) endTurn() { <-c.turn }

// waitToSend is called with the mutex locked.
func (c *Connection) waitToSend(ctx context.Context, kind messageType) (*socket, error) {
	defer c.wakeWhenDone(ctx)()
	for !c.stream.maySend(kind, c.isFull()) && c.stream.end == nil && ctx.Err() == nil {
		c.changed.Wait()
	}
	if c.stream.end != nil {
		return nil, c.stream.end
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.stream.isFinishing {
		return nil, closed()
	}
	return c.socket, nil
}

// wakeWhenDone wakes those who wait for a change when the context is done, until the function that it returns is called.
func (c *Connection) wakeWhenDone(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	stopped := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
			c.mutex.Lock()
			defer c.mutex.Unlock()
			c.changed.Broadcast()
		case <-stopped:
		}
	}()
	return func() { close(stopped) }
}

// write sends a message. Its failure is no error here: reading finds the end of the socket, behind what the server said.
func (c *Connection) write(socket *socket, header, payload []byte) {
	if socket.writeMessage(header, payload, c.moved) == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.socket == socket {
		// What comes next waits for another connection instead of being lost with this one.
		c.stream.isOpen = false
	}
}

// moved says that the socket has taken a part of a long message: no answer is late while it does (rule A12).
func (c *Connection) moved() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stream.heard()
}

// putPingOff has the time begin again after which a ping is due.
func (c *Connection) putPingOff() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stream.sent()
}

// pingIdle sends a ping that only the client knows of where one is due, unless somebody sends a message just then.
//
// It does not block: what was sent before is answered, and has left the socket.
func (c *Connection) pingIdle() {
	if !c.isPingDue() {
		return
	}
	select {
	case c.turn <- struct{}{}:
	default:
		c.putPingOff()
		return
	}
	defer c.endTurn()
	if !c.isPingDue() {
		return
	}
	c.mutex.Lock()
	waiting, header, err := c.stream.request(pingMessage, nil, 0)
	socket := c.socket
	c.mutex.Unlock()
	if err != nil {
		// A server whose limit is so low gets none.
		c.putPingOff()
		return
	}
	waiting.isOwn = true
	c.write(socket, header, nil)
}

func (c *Connection) isPingDue() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.stream.pingLeft(c.settings.PingInterval) <= 0
}

// run reads until the stream is over, on as many connections as that takes.
func (c *Connection) run(next *socket) {
	defer c.stop()
	for next != nil {
		err := c.read(next)
		next.Close()
		next = c.reconnect(err)
	}
}

// read returns why there are no more lines.
func (c *Connection) read(socket *socket) *Error {
	for {
		c.mutex.Lock()
		for c.isFull() && c.stream.end == nil {
			c.changed.Wait()
			c.stream.heard()
		}
		c.mutex.Unlock()
		text, err := socket.readLine()
		if err == nil {
			err = c.received(text)
		}
		if err != nil {
			return c.lost(err)
		}
		if c.hasEnded() {
			return closed()
		}
	}
}

// waits returns until when a read may take, and whether the server has been silent for too long (rule A12).
func (c *Connection) waits(hasBytes bool) (until time.Time, err error) {
	c.pingIdle()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if hasBytes {
		c.stream.heard()
	}
	if silence := c.stream.silenceLeft(c.settings.AnswerTimeout); silence > 0 {
		left := c.stream.pingLeft(c.settings.PingInterval)
		if silence < left {
			left = silence
		}
		return time.Now().Add(left), nil
	}
	const message = "%s has sent nothing for %v while messages were unanswered; the server or the network may be down, or " +
		"AnswerTimeout too short for a server that many share"
	return time.Time{}, newError(ConnectionLost, nil, message, c.stream.address, c.settings.AnswerTimeout)
}

func (c *Connection) hasEnded() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.stream.end != nil
}

func (c *Connection) received(text []byte) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	line, err := c.stream.received(text)
	if line != nil && (line.Type != "result" || line.Result != nil) {
		c.push(line)
	}
	c.changed.Broadcast()
	return err
}

// reconnect returns another connection, or nil when the stream has ended.
func (c *Connection) reconnect(err *Error) *socket {
	for {
		c.mutex.Lock()
		c.socket = nil
		if text := c.stream.missingEnd(err); text != nil {
			// It is taken as if the server had sent it, and ends the stream.
			if line, failure := c.stream.received(text); failure == nil {
				line.JSON = nil
				c.push(line)
			}
		}
		lost, pause := c.stream.failed(err)
		c.push(lost...)
		hasEnded := c.stream.end != nil
		c.mutex.Unlock()
		if hasEnded {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-c.ends.Done():
			timer.Stop()
			return nil
		}
		socket, failure := c.open(c.ends)
		if failure == nil {
			return socket
		}
		err = c.lost(failure)
	}
}

// open connects, waits for the greeting, and has the server accept the options.
func (c *Connection) open(ctx context.Context) (*socket, error) {
	ctx, cancel := context.WithTimeout(ctx, c.settings.ConnectTimeout)
	defer cancel()
	socket, err := dialSocket(ctx, c.stream.address, &c.settings)
	if err != nil {
		return nil, cannotConnect(c.stream.address, err)
	}
	if err := socket.within(ctx, func() error { return c.greet(socket) }); err != nil {
		socket.Close()
		if isAlert(err) {
			// A server that requires a certificate says so only now, with TLS 1.3.
			err = cannotConnect(c.stream.address, &handshakeError{err})
		}
		return nil, c.lost(err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.stream.end != nil {
		socket.Close()
		return nil, c.stream.end
	}
	c.socket = socket
	socket.waits = c.waits
	c.stream.opened()
	c.changed.Broadcast()
	return socket, nil
}

// greet reads the greeting, and has the server accept what is sent first.
func (c *Connection) greet(socket *socket) error {
	text, err := socket.readLine()
	if err != nil {
		return c.notGreeted(err)
	}
	c.mutex.Lock()
	hello, failure := c.stream.greeted(text)
	if failure != nil {
		c.mutex.Unlock()
		return failure
	}
	c.push(hello)
	opening := c.stream.opening()
	c.mutex.Unlock()
	for _, options := range opening {
		if err := c.haveAccepted(socket, options); err != nil {
			return err
		}
	}
	return nil
}

// notGreeted returns err, but asks about the port where the first connection was closed: one that has greeted is the right one.
func (c *Connection) notGreeted(err error) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.stream.wasOpen || !errors.Is(err, io.EOF) {
		return err
	}
	const message = "the connection to %s was closed before a greeting; is this the port for frames (7411), not the one " +
		"for HTTP? If it is, the server's log says why"
	return newError(ConnectionLost, nil, message, c.stream.address)
}

// haveAccepted sends options, and reads until they are answered.
func (c *Connection) haveAccepted(socket *socket, options []byte) error {
	c.mutex.Lock()
	if c.stream.isLeaving {
		// Between the token and the options, which another server is to have (rule G4).
		c.mutex.Unlock()
		return io.EOF
	}
	waiting, header, err := c.stream.request(configureMessage, options, 0)
	c.mutex.Unlock()
	if err != nil {
		return err
	}
	if err := socket.writeMessage(header, options, c.moved); err != nil {
		return err
	}
	for {
		select {
		case answered := <-waiting.answer:
			if answered.err != nil {
				// They stay wrong, however often they are sent.
				c.mutex.Lock()
				c.stream.end = asError(answered.err)
				c.mutex.Unlock()
			}
			return answered.err
		default:
		}
		text, err := socket.readLine()
		if err == nil {
			err = c.received(text)
		}
		if err != nil {
			return err
		}
	}
}

// lost returns err as an Error of this package.
func (c *Connection) lost(err error) *Error {
	var timeout net.Error
	switch {
	case asError(err) != nil:
		return asError(err)
	case errors.Is(err, errLineTooLong):
		const message = "%s sent a line of more than %d bytes; ask for less (Characters: Bool(false)), or raise MaxLineBytes"
		return newError(LineTooLong, nil, message, c.stream.address, c.settings.MaxLineBytes)
	case errors.As(err, &timeout) && timeout.Timeout():
		const message = "%s did not greet within %v; check that a Glyphwire server listens there"
		return newError(TimedOut, err, message, c.stream.address, c.settings.ConnectTimeout)
	case errors.Is(err, io.EOF):
		const message = "the connection to %s was closed by the server; %s"
		return newError(ConnectionLost, nil, message, c.stream.address, c.lossAdvice())
	}
	const message = "the connection to %s broke: %v; %s"
	return newError(ConnectionLost, err, message, c.stream.address, err, c.lossAdvice())
}

func (c *Connection) lossAdvice() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.stream.isLeaving {
		return "the server stops, and accepted nothing more; connect again later"
	}
	return "the server may have stopped, its log says why"
}

func asError(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	return nil
}
