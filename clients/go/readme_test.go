package glyphwire_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"glyphwire/internal/stub"
)

const root = "../.."

const sign = "demo/sign.jpg"

// server returns the address of a real server, or skips the test.
func server(t *testing.T) string {
	program := os.Getenv("GLYPHWIRE_PROGRAM")
	if program == "" {
		program = root + "/.build/release/glyphwire"
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("no server: build one with `make build`, or name one in GLYPHWIRE_PROGRAM")
	}
	command := exec.Command(program, "serve", "--port", "0", "--workers", "1", "--log-level", "warning")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		command.Wait()
	})
	ready, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`listening on (\S+)`).FindStringSubmatch(ready)[1]
}

// runExample returns what an example of the README prints, beside a picture and with a server at address, and how it ends.
func runExample(t *testing.T, number int, address, picture string) (string, error) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	source := strings.Replace(blocks[number][1], "localhost:7411", address, 1)
	if source == blocks[number][1] {
		t.Fatal("the example names no address")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	photo, err := os.ReadFile(filepath.Join(root, picture))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, content := range map[string][]byte{
		"main.go":   []byte(source),
		"photo.jpg": photo,
		"go.mod":    []byte("module example\n\ngo 1.19\n\nrequire glyphwire v0.0.0\n\nreplace glyphwire => " + here + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("go", "run", ".")
	command.Dir = folder
	output, err := command.CombinedOutput()
	return string(output), err
}

func TestTheExamplesRun(t *testing.T) {
	address := stub.Start(t, stub.Serve)
	if printed, err := runExample(t, 0, address, sign); err != nil || printed != "EXIT 42\n" {
		t.Error(err, printed)
	}
	for number := 1; number <= 2; number++ {
		if printed, err := runExample(t, number, address, sign); err != nil || printed != "" {
			t.Error(err, printed)
		}
	}
}

func TestTheFirstExampleReadsAPicture(t *testing.T) {
	if printed, err := runExample(t, 0, server(t), sign); err != nil || !strings.Contains(printed, "Old Ferry Pier") {
		t.Error(err, printed)
	}
}

func TestTheFirstExampleSaysWhyAPictureWasNotRead(t *testing.T) {
	printed, err := runExample(t, 0, server(t), "bench/quick/graphics/images/00.png")
	if err == nil || !strings.Contains(printed, "is a PNG file; send a JPEG") {
		t.Error(err, printed)
	}
}
