package glyphwire_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"glyphwire"
	"glyphwire/internal/stub"
)

func dial(t *testing.T, address string, settings glyphwire.Settings) *glyphwire.Connection {
	connection, err := glyphwire.Dial(context.Background(), address, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return connection
}

func codeOf(err error) glyphwire.ErrorCode {
	var own *glyphwire.Error
	if errors.As(err, &own) {
		return own.Code
	}
	return ""
}

func TestRequestsAreAnswered(t *testing.T) {
	connection := dial(t, stub.Start(t, stub.Serve), glyphwire.Settings{Options: &glyphwire.Options{Level: "fast"}})
	configured, err := connection.Configure(glyphwire.Options{Delivery: "every"})
	if err != nil || configured.Window != 4 || configured.Options["level"] != "fast" {
		t.Error(configured, err)
	}
	if pong, err := connection.Ping(7); err != nil || *pong != (glyphwire.Pong{CapturedUS: 7, ReceivedUS: 8, SentUS: 9}) {
		t.Error(pong, err)
	}
	if stats, err := connection.Stats(); err != nil || stats.Connection.Frames["ok"] != 3 {
		t.Error(stats, err)
	}
	if end, err := connection.Finish(); err != nil || end.Frames != 3 {
		t.Error(end, err)
	}
	if _, err := connection.Ping(0); codeOf(err) != glyphwire.Closed {
		t.Error(err)
	}
}

func TestAStreamMayFinishBeforeItIsRead(t *testing.T) {
	connection := dial(t, stub.Start(t, stub.Serve), glyphwire.Settings{LineBuffer: 1})
	const frames = 200
	for i := 0; i < frames; i++ {
		if _, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := connection.Finish(); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= frames; i++ {
		result, err := connection.ReadResult()
		if err != nil || result.Sequence != uint64(i) || len(result.Words()) != 2 {
			t.Fatal(result, err)
		}
	}
	if _, err := connection.ReadResult(); err != io.EOF {
		t.Error(err)
	}
}

func TestAnswersThatNobodyReadsHoldUpNothing(t *testing.T) {
	connection := dial(t, stub.Start(t, stub.Serve), glyphwire.Settings{LineBuffer: 4})
	for i := 0; i < 100; i++ {
		if _, err := connection.Ping(0); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAContextEndsWhateverWaits(t *testing.T) {
	messages := make(chan stub.Message, 8)
	address := stub.Start(t, func(peer *stub.Peer) {
		defer close(messages)
		peer.Greet()
		configure, _ := peer.Next()
		peer.Say(`{"type":"configured","sequence":%d,"window":1,"options":{}}`, configure.Sequence)
		for message, isThere := peer.Next(); isThere; message, isThere = peer.Next() {
			messages <- message
		}
	})
	connection := dial(t, address, glyphwire.Settings{Options: &glyphwire.Options{Delivery: "every"}})
	frame := glyphwire.Frame{Payload: []byte("jpeg")}
	for i := 0; i < 2; i++ {
		if _, err := connection.SendContext(context.Background(), frame); err != nil {
			t.Fatal(err)
		}
		<-messages
	}
	calls := map[string]func(ctx context.Context) error{
		"send":   func(ctx context.Context) error { _, err := connection.SendContext(ctx, frame); return err },
		"result": func(ctx context.Context) error { _, err := connection.ReadResultContext(ctx); return err },
		"configure": func(ctx context.Context) error {
			_, err := connection.ConfigureContext(ctx, glyphwire.Options{})
			return err
		},
		"ping":     func(ctx context.Context) error { _, err := connection.PingContext(ctx, 0); return err },
		"stats":    func(ctx context.Context) error { _, err := connection.StatsContext(ctx); return err },
		"finish":   func(ctx context.Context) error { _, err := connection.FinishContext(ctx); return err },
		"sendable": connection.WaitUntilSendable,
	}
	for name, call := range calls {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond*20)
		if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(name, err)
		}
		cancel()
		if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(name, "with a context that is done", err)
		}
	}
	connection.Close()
	for message := range messages {
		if message.Type == stub.Frame || message.Type == stub.End {
			t.Error("what was not sent is", message.Type)
		}
	}
}

// answersAtAPing greets, and answers the frames before a ping together with it.
func answersAtAPing(peer *stub.Peer) {
	peer.Greet()
	var waiting []stub.Message
	for message, isThere := peer.Next(); isThere; message, isThere = peer.Next() {
		waiting = append(waiting, message)
		if message.Type == stub.Frame {
			continue
		}
		for _, one := range waiting {
			peer.Answer(one)
		}
		waiting = nil
	}
}

func TestWhoWaitsUntilAFrameIsSendableGoesOnWithAnAnswerAndWithTheEnd(t *testing.T) {
	connection := dial(t, stub.Start(t, answersAtAPing), glyphwire.Settings{})
	for i := 0; i < 2; i++ {
		if err := connection.WaitUntilSendable(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond*20)
	defer cancel()
	if err := connection.WaitUntilSendable(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("two are unanswered", err)
	}
	waited := make(chan error, 1)
	go func() { waited <- connection.WaitUntilSendable(context.Background()) }()
	if _, err := connection.Ping(0); err != nil {
		t.Error(err)
	}
	if err := <-waited; err != nil {
		t.Error(err)
	}
	connection.Close()
	if err := connection.WaitUntilSendable(context.Background()); codeOf(err) != glyphwire.Closed {
		t.Error(err)
	}
}

func TestResultsThatNobodyReadsHoldUpNoFrameOfACamera(t *testing.T) {
	connection := dial(t, stub.Start(t, stub.Serve), glyphwire.Settings{LineBuffer: 1})
	const frames = 6
	for i := 0; i < frames; i++ {
		if err := connection.WaitUntilSendable(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := connection.Finish(); err != nil {
		t.Fatal(err)
	}
	for i := uint64(1); i <= frames; i++ {
		if result, err := connection.ReadResult(); err != nil || result.Sequence != i {
			t.Error(result, err)
		}
	}
}

func TestAFinishWhoseEndIsNotSentLeavesReadingToPause(t *testing.T) {
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		configure, _ := peer.Next()
		peer.Say(`{"type":"configured","sequence":%d,"window":1,"options":{}}`, configure.Sequence)
		for message, isThere := peer.Next(); isThere; message, isThere = peer.Next() {
			if message.Sequence == 1 {
				peer.Answer(message)
			}
		}
	})
	options := &glyphwire.Options{Delivery: "every"}
	connection := dial(t, address, glyphwire.Settings{Options: options, LineBuffer: 1})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond*20)
	defer cancel()
	for i := 0; i < 2; i++ {
		if _, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil {
			t.Fatal(err)
		}
	}
	// Behind the frame that has no answer.
	if _, err := connection.FinishContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	// More than the window allows, but while reading pauses the window is not waited for.
	for i := 0; i < 4; i++ {
		if _, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAMessageThatWasBegunEndsWithItsServerAndNotWithItsContext(t *testing.T) {
	isOver := make(chan struct{})
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		<-isOver // it reads nothing
	})
	defer close(isOver)
	connection := dial(t, address, glyphwire.Settings{AnswerTimeout: time.Millisecond * 300})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond*100)
	defer cancel()
	frame := glyphwire.Frame{Payload: make([]byte, 3<<20)}
	sent := 0
	var err error
	for ; err == nil; sent++ {
		_, err = connection.SendContext(ctx, frame)
	}
	sent--
	if !errors.Is(err, context.DeadlineExceeded) && codeOf(err) != glyphwire.ConnectionLost {
		t.Error(err)
	}
	for i := 0; i < sent; i++ {
		if result, err := connection.ReadResult(); err != nil || result.Code != "connection_lost" {
			t.Error(result, err)
		}
	}
	if result, err := connection.ReadResult(); codeOf(err) != glyphwire.ConnectionLost {
		t.Error(result, err)
	}
}

func TestAConnectionWithNothingToSendPings(t *testing.T) {
	pings := make(chan stub.Message)
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		for message, isThere := peer.Next(); isThere; message, isThere = peer.Next() {
			if message.Type == stub.Ping {
				pings <- message
			}
			peer.Answer(message)
		}
	})
	connection := dial(t, address, glyphwire.Settings{PingInterval: time.Millisecond * 20})
	for i := 0; i < 3; i++ {
		if message := <-pings; len(message.Payload) > 0 {
			t.Error(message)
		}
	}
	go func() {
		for range pings {
		}
	}()
	if _, err := connection.Finish(); err != nil {
		t.Error(err)
	}
	for _, expected := range []string{"hello", "end"} {
		if line, err := connection.ReadLine(); err != nil || line.Type != expected {
			t.Error(line, err)
		}
	}
}

func TestAnEndThatCrossesAGoawayIsOneSinceEveryFrameHasItsResult(t *testing.T) {
	for _, policy := range []*glyphwire.ReconnectPolicy{nil, glyphwire.DefaultReconnectPolicy()} {
		address := stub.Start(t, func(peer *stub.Peer) {
			peer.Greet()
			frame, _ := peer.Next()
			peer.Next()
			peer.Say(`{"type":"goaway","grace_ms":1000}`)
			peer.Answer(frame)
		})
		connection := dial(t, address, glyphwire.Settings{Reconnect: policy})
		if _, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil {
			t.Fatal(err)
		}
		if end, err := connection.Finish(); err != nil || end.Frames != 1 {
			t.Error(end, err)
		}
		if result, err := connection.ReadResult(); err != nil || result.Status != "ok" {
			t.Error(result, err)
		}
		if line, err := connection.ReadLine(); err != nil || line.Type != "end" || len(line.JSON) > 0 {
			t.Error(line, err)
		}
		if _, err := connection.ReadResult(); err != io.EOF {
			t.Error(err)
		}
	}
}

func TestBehindAGoawayNothingIsSentUntilThereIsAnotherConnection(t *testing.T) {
	gone := make(chan bool, 1)
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		message, _ := peer.Next()
		peer.Say(`{"type":"goaway","grace_ms":1000}`)
		peer.Answer(message)
		peer.SetReadDeadline(time.Now().Add(time.Millisecond * 100))
		_, isThere := peer.Next()
		gone <- !isThere
	}, stub.Serve)
	connection := dial(t, address, glyphwire.Settings{Reconnect: glyphwire.DefaultReconnectPolicy()})
	if _, err := connection.Ping(0); err != nil {
		t.Fatal(err)
	}
	if sequence, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")}); err != nil || sequence != 1 {
		t.Error(sequence, err)
	}
	if _, err := connection.Finish(); err != nil || !<-gone {
		t.Error("a message was sent behind the goaway", err)
	}
	if result, err := connection.ReadResult(); err != nil || !result.IsOK() {
		t.Error(result, err)
	}
}

func TestOptionsThatAreRefusedNameTheReason(t *testing.T) {
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		message, _ := peer.Next()
		peer.Say(`{"type":"error","sequence":%d,"code":"bad_option","message":"no","fatal":false}`, message.Sequence)
		peer.Next()
	})
	settings := glyphwire.Settings{Options: &glyphwire.Options{Level: "turbo"}}
	_, err := glyphwire.Dial(context.Background(), address, settings)
	var own *glyphwire.Error
	if !errors.As(err, &own) || own.Code != glyphwire.Refused || own.WireCode != "bad_option" {
		t.Error(err)
	}
}

func TestAPortThatDoesNotGreetMayBeTheOneForHTTP(t *testing.T) {
	_, err := glyphwire.Dial(context.Background(), stub.Start(t, func(*stub.Peer) {}), glyphwire.Settings{})
	if codeOf(err) != glyphwire.ConnectionLost || !strings.Contains(err.Error(), "is this the port for frames (7411)") {
		t.Error(err)
	}
}

func TestAPortThatHasGreetedIsNotAskedAbout(t *testing.T) {
	policy := glyphwire.DefaultReconnectPolicy()
	policy.MaxAttempts, policy.InitialDelay = 1, time.Millisecond
	address := stub.Start(t, func(peer *stub.Peer) { peer.Greet() }, func(*stub.Peer) {})
	_, err := dial(t, address, glyphwire.Settings{Reconnect: policy}).ReadResult()
	if codeOf(err) != glyphwire.ConnectionLost || !strings.Contains(err.Error(), "closed by the server; the server may have stopped") {
		t.Error(err)
	}
}

func TestClosingEndsWhoeverWaits(t *testing.T) {
	received := make(chan struct{})
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		peer.Next()
		close(received)
		peer.Next()
	})
	connection := dial(t, address, glyphwire.Settings{})
	ended := make(chan error, 2)
	go func() {
		_, err := connection.Ping(0)
		ended <- err
	}()
	<-received
	go func() {
		for {
			if _, err := connection.ReadResult(); err != nil {
				ended <- err
				return
			}
		}
	}()
	connection.Close()
	for i := 0; i < 2; i++ {
		if err := <-ended; err != io.EOF && codeOf(err) != glyphwire.Closed {
			t.Error(err)
		}
	}
}

func TestClosingEndsAPauseAndWhatWaitsForItsEnd(t *testing.T) {
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet()
		peer.Next()
	})
	policy := glyphwire.DefaultReconnectPolicy()
	policy.InitialDelay, policy.MaxDelay = time.Hour, time.Hour
	connection := dial(t, address, glyphwire.Settings{Reconnect: policy})
	if _, err := connection.Ping(0); codeOf(err) != glyphwire.ConnectionLost {
		t.Error(err)
	}
	sent := make(chan error, 1)
	go func() {
		_, err := connection.Send(glyphwire.Frame{Payload: []byte("jpeg")})
		sent <- err
	}()
	connection.Close()
	if err := <-sent; codeOf(err) != glyphwire.Closed {
		t.Error(err)
	}
}

func TestAContextThatIsDoneEndsTheGreeting(t *testing.T) {
	address := stub.Start(t, func(peer *stub.Peer) { peer.Next() })
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond*50)
	defer cancel()
	if _, err := glyphwire.Dial(ctx, address, glyphwire.Settings{}); codeOf(err) != glyphwire.TimedOut {
		t.Error(err)
	}
}

// certificate returns one for 127.0.0.1, signed by itself, and who trusts it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	made, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(made)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}, trusted
}

func TestTLSIsSpokenWithWhoIsTrustedOnly(t *testing.T) {
	own, trusted := certificate(t)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{own}})
	if err != nil {
		t.Fatal(err)
	}
	stub.StartOn(t, listener, stub.Serve)
	address := listener.Addr().String()
	connection := dial(t, address, glyphwire.Settings{TLS: &tls.Config{RootCAs: trusted}})
	for i := 0; i < 3; i++ {
		if _, err := connection.Send(glyphwire.Frame{Payload: make([]byte, 1<<20)}); err != nil {
			t.Fatal(err)
		}
	}
	if end, err := connection.Finish(); err != nil || end.Frames != 3 {
		t.Error(end, err)
	}
	refuses(t, address, &tls.Config{}, "--tls-ca")
	refuses(t, address, &tls.Config{RootCAs: trusted, ServerName: "other.example"}, "a name that is in")
	refuses(t, stub.Start(t, stub.Serve), &tls.Config{}, "speaks TLS")
}

// refuses checks that no other attempt is worth making, and that the remedy is told.
func refuses(t *testing.T, address string, config *tls.Config, remedy string) {
	_, err := glyphwire.Dial(context.Background(), address, glyphwire.Settings{TLS: config})
	var own *glyphwire.Error
	if !errors.As(err, &own) || own.Code != glyphwire.CannotConnect || !own.IsPermanent() || !strings.Contains(own.Message, remedy) {
		t.Error(err)
	}
}

func TestAServerThatRequiresACertificateSaysSo(t *testing.T) {
	own, trusted := certificate(t)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{own}, ClientAuth: tls.RequireAnyClientCert,
	})
	if err != nil {
		t.Fatal(err)
	}
	stub.StartOn(t, listener, stub.Serve)
	refuses(t, listener.Addr().String(), &tls.Config{RootCAs: trusted}, "client certificate")
}

func TestAHandshakeThatBreaksOffMayBeTriedAgain(t *testing.T) {
	address := stub.Start(t, func(peer *stub.Peer) {})
	_, err := glyphwire.Dial(context.Background(), address, glyphwire.Settings{TLS: &tls.Config{}})
	var own *glyphwire.Error
	if !errors.As(err, &own) || own.Code != glyphwire.CannotConnect || own.IsPermanent() {
		t.Error(err)
	}
}
