package glyphwire

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"testing"
	"time"
)

func TestHeadersAreThoseOfTheProtocol(t *testing.T) {
	frame := Frame{Payload: make([]byte, 48213), Orientation: Right, CapturedUS: 1763704800126144}
	const example = "0000bc710101060000000000000000020006441486" + "19a4c0" + "0000000000000000"
	if found := hex.EncodeToString(frame.header(2)); found != example {
		t.Errorf("%s instead of %s", found, example)
	}
	gray := Frame{Payload: make([]byte, 38), Format: Gray, Width: 8, Height: 4, BytesPerRow: 10}
	const padded = "0000004201050000000000000000000300000000000000000008000400" + "00000a"
	if found := hex.EncodeToString(gray.header(3)); found != padded {
		t.Errorf("%s instead of %s", found, padded)
	}
}

func TestOptionsAreWrittenByTheirNames(t *testing.T) {
	offset := int64(0)
	cases := map[string]Options{
		`{"regions":[{"name":"a","regionOfInterest":[0,0,1,0.5],"characterSet":"0-9"},{"name":"b","polygon":[0,0,1,0,0.5,1],"find":["EXIT"]}]}`: {
			Regions: []Region{
				{Name: "a", RegionOfInterest: []float64{0, 0, 1, 0.5}, CharacterSet: "0-9"},
				{Name: "b", Polygon: []float64{0, 0, 1, 0, 0.5, 1}, Find: []string{"EXIT"}},
			},
		},
		`{}`: {},
		`{"level":"accurate","characters":false,"languageCorrection":false,"clock_offset_us":0}`: {
			Level: "accurate", Characters: Bool(false), LanguageCorrection: Bool(false), ClockOffsetUS: &offset,
		},
		`{"candidates":2,"colour":"red","level":"turbo"}`: {
			Level: "fast", Candidates: 2, Others: map[string]any{"colour": "red", "level": "turbo"},
		},
	}
	for expected, options := range cases {
		found, err := json.Marshal(options)
		if err != nil || string(found) != expected {
			t.Errorf("%s, %v instead of %s", found, err, expected)
		}
	}
}

func TestPausesDoubleUpToTheLongest(t *testing.T) {
	policy := DefaultReconnectPolicy()
	for i, expected := range []int64{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000} {
		if found := policy.delay(i+1, 0).Milliseconds(); found != expected {
			t.Errorf("pause %d is %d ms instead of %d", i+1, found, expected)
		}
	}
	if policy.delay(1, 1) != 80*time.Millisecond || policy.delay(1<<30, 1) != 8*time.Second {
		t.Error("chance shortens a pause by a fifth at most")
	}
	if first, second := policy.Delay(9), policy.Delay(9); first == second {
		t.Error("the pauses of two clients are alike")
	}
}

func TestOnlyAnAnswerStartsThePausesOver(t *testing.T) {
	policy := DefaultReconnectPolicy()
	policy.Jitter = 0
	s := stream{policy: policy, wasOpen: true}
	noRoom := refused("too_many_connections", "")
	var pauses []int64
	for attempt := 0; attempt < 4; attempt++ {
		if _, err := s.greeted([]byte(`{"type":"hello","protocol":1}`)); err != nil {
			t.Fatal(err)
		}
		if attempt == 3 {
			s.received([]byte(`{"type":"pong","sequence":1}`))
		}
		_, pause := s.failed(noRoom)
		pauses = append(pauses, pause.Milliseconds())
	}
	for i, expected := range []int64{100, 200, 400, 100} {
		if pauses[i] != expected {
			t.Fatalf("the pauses are %v", pauses)
		}
	}
	if _, pause := s.failed(refused("too_many_guesses", "")); pause != time.Minute {
		t.Errorf("after wrong guesses the pause is %v", pause)
	}
}

func TestTheTimeToAnswerCountsFromWhenAMessageWasSent(t *testing.T) {
	var s stream
	const limit = time.Minute
	s.silentSince = time.Now().Add(-2 * limit)
	if s.frame(&Frame{}); s.silenceLeft(limit) <= 0 {
		t.Error("a frame is late at once")
	}
	s.silentSince = time.Now().Add(-2 * limit)
	if s.frame(&Frame{}); s.silenceLeft(limit) > 0 {
		t.Error("the frame before it is not late")
	}
}

func TestAServerThatSaysGoawayAndDoesNotGoIsGivenUp(t *testing.T) {
	s := stream{silentSince: time.Now().Add(-2 * time.Minute)}
	if s.silenceLeft(time.Minute) <= 0 {
		t.Error("nothing is due")
	}
	s.received([]byte(`{"type":"goaway","grace_ms":1000}`))
	if s.silenceLeft(time.Minute) > 0 {
		t.Error("the server should have closed")
	}
}

func TestNoAnswerIsLateWhileTheSocketTakesPartsOfAMessage(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	go io.Copy(io.Discard, far)
	for payloadBytes, isLate := range map[int]bool{writeBytes: true, writeBytes + 1: false} {
		var c Connection
		c.stream.frame(&Frame{})
		c.stream.frame(&Frame{})
		c.stream.silentSince = time.Now().Add(-2 * defaultAnswerTimeout)
		c.write(&socket{Conn: near}, make([]byte, headerBytes), make([]byte, payloadBytes))
		if (c.stream.silenceLeft(defaultAnswerTimeout) <= 0) != isLate {
			t.Errorf("a frame is late behind %d bytes: %v", payloadBytes, !isLate)
		}
	}
}

func TestWithoutAnIntervalOrBeforeTheTokenThereAreNoPings(t *testing.T) {
	left := func(auth string, settings Settings) time.Duration {
		var s stream
		if _, err := s.greeted([]byte(`{"type":"hello","protocol":1,"auth":"` + auth + `"}`)); err != nil {
			t.Fatal(err)
		}
		s.isOpen = true
		return s.pingLeft(settings.withDefaults().PingInterval)
	}
	if first := left("none", Settings{}); first > firstPingDelay {
		t.Error(first)
	}
	if never := left("none", Settings{PingInterval: -1}); never != math.MaxInt64 {
		t.Error(never)
	}
	if unwelcome := left("token", Settings{}); unwelcome != math.MaxInt64 {
		t.Error(unwelcome)
	}
}

func TestATokenGoesAloneWhereOptionsLackItOrAreTooLong(t *testing.T) {
	options := Options{Client: "camera 7", Token: "secret"}
	body, _ := newConfigureBody(options)
	var state stream
	expect := func(auth string, limit uint64, expected ...string) {
		t.Helper()
		state.hello.Auth, state.hello.Limits.MaxUnauthenticatedBytes = auth, limit
		if found := fmt.Sprintf("%s", state.opening()); found != fmt.Sprint(expected) {
			t.Errorf("sends %s first, not %s", found, expected)
		}
	}
	expect(tokenAuth, 0)
	state.accepted(body)
	const token, whole = `{"token":"secret"}`, `{"token":"secret","client":"camera 7"}`
	length := messageLength(body.options)
	expect(tokenAuth, length, whole)
	expect(tokenAuth, length-1, token, whole)
	expect("none", length-1, whole)
	later, _ := newConfigureBody(Options{Level: "fast"})
	state.accepted(later)
	expect(tokenAuth, length, token, `{"level":"fast"}`)
	expect("none", length, `{"level":"fast"}`)
	other, _ := newConfigureBody(Options{Others: map[string]any{"token": "another"}})
	state.accepted(other)
	state.accepted(later)
	expect(tokenAuth, length, `{"token":"another"}`, `{"level":"fast"}`)
}

func TestFewFilesAreUnderWayAndTheEndIsBehindThem(t *testing.T) {
	s := stream{isOpen: true, window: 1}
	for i := 0; i < framesPerWindow; i++ {
		if !s.maySend(frameMessage, false) {
			t.Error("a frame waits")
		}
		s.frame(&Frame{})
	}
	if s.maySend(frameMessage, false) || s.maySend(endMessage, true) || !s.maySend(frameMessage, true) || !s.maySend(pingMessage, false) {
		t.Error("what may be sent behind the window")
	}
}

func TestAFrameOfACameraIsSendableWhileFewerThanTwoAreUnanswered(t *testing.T) {
	s := stream{isOpen: true}
	for i := 0; i < cameraFrames; i++ {
		if !s.isSendable(false) {
			t.Error("frame", i, "has to wait")
		}
		s.frames = append(s.frames, sentFrame{})
	}
	if s.isSendable(false) || !s.isSendable(true) {
		t.Error("only unread results let a frame pass")
	}
	s.isOpen = false
	if s.isSendable(true) {
		t.Error("no connection is open")
	}
}

func TestEachPartThatTheSocketTakesIsTold(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	go io.Copy(io.Discard, far)
	parts := 0
	s := socket{Conn: near}
	if err := s.writeMessage(make([]byte, headerBytes), make([]byte, 3*writeBytes+1), func() { parts++ }); err != nil || parts != 3 {
		t.Error(parts, err)
	}
}

func TestMembersOfWarningsThatAreNotKnownAreLeftOut(t *testing.T) {
	result, err := parseResult([]byte(`{"type":"result","sequence":1,"status":"ok",` +
		`"warnings":[{"code":"future","row":-1,"scale":"x"},{"row":null,"scale":0.5},{"code":7,"row":3}]}`))
	if err != nil || len(result.Warnings) != 3 {
		t.Fatal(result, err)
	}
	first, second, third := result.Warnings[0], result.Warnings[1], result.Warnings[2]
	if first.Code != "future" || first.Row != nil || first.Scale != nil || second.Row != nil || *second.Scale != 0.5 ||
		third.Code != "" || *third.Row != 3 {
		t.Error(result.Warnings)
	}
}

func TestAnAddressNeedsNoPort(t *testing.T) {
	for given, expected := range map[string]string{
		"box": "box:7411", "box:": "box:7411", "box:1": "box:1", "::1": "[::1]:7411", "[::1]": "[::1]:7411",
		"[::1]:": "[::1]:7411", "[::1]:2": "[::1]:2",
	} {
		if found := withPort(given); found != expected {
			t.Errorf("%s is %s", given, found)
		}
	}
}

func TestWhatAnotherAttemptWouldMeetAgainIsFinal(t *testing.T) {
	for code, expected := range map[string]bool{
		"auth_failed": true, "wrong_protocol": true, "too_many_connections": false, "code_of_tomorrow": false,
	} {
		if refused(code, "").IsPermanent() != expected {
			t.Errorf("%s: %v", code, !expected)
		}
	}
}
