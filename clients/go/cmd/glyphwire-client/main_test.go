package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glyphwire/internal/stub"
)

// runCommand returns the exit status, standard output and standard error.
func runCommand(arguments ...string) (int, string, string) {
	var output, errors strings.Builder
	status := run(arguments, &output, &errors)
	return status, output.String(), errors.String()
}

// picture returns the name of a file, whatever it holds.
func picture(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "photo.jpg")
	if err := os.WriteFile(path, []byte("\xff\xd8"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

func TestPicturesAreAllReadAndPrintedWithTheirNames(t *testing.T) {
	bodies := make(chan string, 9)
	address := stub.Start(t, func(peer *stub.Peer) {
		peer.Greet("delivery")
		for message, isThere := peer.Next(); isThere; message, isThere = peer.Next() {
			if message.Type == stub.Configure {
				bodies <- string(message.Payload)
			}
			peer.Answer(message)
		}
	})
	photo, token := picture(t), filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("open sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, output, _ := runCommand(photo, "--port", portOf(address), photo, "--level", "accurate", "--token-file", token,
		"--option", "languages=[\"en\"]", "--option", "coordinates=vision")
	if expected := strings.Repeat(photo+"\tEXIT\t42\n", 2); status != 0 || output != expected {
		t.Errorf("%d, %q", status, output)
	}
	<-bodies
	const expected = `{"characters":false,"coordinates":"vision","delivery":"every","languages":["en"],"level":"accurate",` +
		`"token":"open sesame"}`
	if found := <-bodies; found != expected {
		t.Error(found)
	}
}

func TestThatNothingIsFoundIsAFailure(t *testing.T) {
	answer := `{"type":"result","sequence":%d,"captured_us":0,"status":"ok","text":"","lines":[],"matches":[%s]}`
	matches := []string{"", `{"pattern":0,"text":"EXIT","line":0,"words":[0],"box":[0,0,0,0,0,0,0,0]}`}
	for i, expected := range []string{"1 ", "0 photo.jpg\tEXIT\n"} {
		address := stub.Start(t, func(peer *stub.Peer) {
			peer.Greet()
			for message, isThere := peer.Next(); isThere; message, isThere = peer.Next() {
				if message.Type == stub.Frame {
					peer.Say(answer, message.Sequence, matches[i])
				} else {
					peer.Answer(message)
				}
			}
		})
		photo := picture(t)
		status, output, errors := runCommand("--port", portOf(address), "--find", "exit", photo)
		found := string(rune('0'+status)) + " " + strings.ReplaceAll(output, photo, "photo.jpg")
		if found != expected {
			t.Errorf("%q instead of %q; %s", found, expected, errors)
		}
	}
}

func TestAServerThatIsNotThereYetIsWaitedFor(t *testing.T) {
	address := stub.Start(t, func(peer *stub.Peer) {}, stub.Serve)
	status, output, errors := runCommand("--port", portOf(address), picture(t))
	if status != 0 || !strings.Contains(output, "EXIT") || strings.Count(errors, "waiting for the server") != 1 {
		t.Errorf("%d, %q, %q", status, output, errors)
	}
	address = stub.Start(t, func(peer *stub.Peer) {}, stub.Serve)
	if status, _, errors := runCommand("--port", portOf(address), "--no-wait", picture(t)); status != 1 {
		t.Errorf("%d, %q", status, errors)
	}
}

func TestWrongUsageSaysWhatIsRight(t *testing.T) {
	for arguments, expected := range map[string]string{
		"":                     "no pictures",
		"x --port 0x1":         "1 to 65535",
		"x --orientation 9":    "0...8",
		"x --option nonsense":  "NAME=VALUE",
		"x --turbo":            "turbo",
		"x --tls-ca /no/such":  "/no/such",
		"x --token-file /none": "/none",
	} {
		status, _, errors := runCommand(strings.Fields(arguments)...)
		if status != 2 || !strings.Contains(errors, expected) {
			t.Errorf("%q: %d, %q", arguments, status, errors)
		}
	}
	if status, output, _ := runCommand("--help"); status != 0 || output != usage {
		t.Errorf("%d, %q", status, output)
	}
}
