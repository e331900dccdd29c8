// Command glyphwire-client sends pictures to a Glyphwire server, and prints the words in each.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: glyphwire-client [options] PICTURE.jpg ...

Sends JPEG files to a Glyphwire server, and prints the words in each: one line
for each line of text, with the picture's name in front and tabs between.

  --host NAME          the server's name or address (default: localhost)
  --port NUMBER        its port (default: 7411)
  --tls                speak TLS, and trust the system's authorities
  --tls-ca FILE        speak TLS, and trust the authorities of this PEM file
  --token-file FILE    a file with the token that the server requires;
                       GLYPHWIRE_TOKEN_FILE names one otherwise
  --level LEVEL        fast or accurate (default: the server's)
  --find TEXT          print only matches of this text or /expression/;
                       may be repeated
  --option NAME=VALUE  any other option of configure; may be repeated
  --orientation NUMBER how the camera was held, 1...8 as in EXIF (default: 0,
                       the JPEG's own)
  --no-wait            fail at once if no server answers, instead of waiting
  --json               print the server's lines
  --help               show this

The exit status is 0; 1 if a picture could not be read, the server was lost or
refused, the output could not be written, or --find found nothing; 2 for wrong
usage.
`

const (
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	// A reader that has gone is an error of writing, like a full disk.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status.
func run(arguments []string, output, errors io.Writer) int {
	wanted, err := parse(arguments)
	if err == errHelp {
		return exitStatus(show(output, usage), errors)
	}
	if err != nil {
		fmt.Fprintf(errors, "glyphwire-client: %v; --help lists the options\n", err)
		return exitUsage
	}
	job := job{wishes: wanted, output: output, errors: errors}
	status := exitStatus(job.stream(), errors)
	if job.unread > 0 || (len(wanted.options.Find) > 0 && job.found == 0) {
		return exitFailure
	}
	return status
}

// show prints a text.
func show(output io.Writer, text string) error {
	if _, err := io.WriteString(output, text); err != nil {
		return fmt.Errorf("the output cannot be written: %w", err)
	}
	return nil
}

// exitStatus tells an error, if there is one.
func exitStatus(err error, errors io.Writer) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(errors, "glyphwire-client: %v\n", err)
	return exitFailure
}
