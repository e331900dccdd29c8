package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"glyphwire"
)

// job is one run of the command.
type job struct {
	wishes         *wishes
	output, errors io.Writer
	// unread counts pictures that were not read, and found counts matches.
	unread, found int
}

// stream sends the pictures, and prints the results as they come.
func (j *job) stream() error {
	connection, err := j.connect()
	if err != nil {
		return err
	}
	defer connection.Close()
	sent := make(chan error, 1)
	go func() { sent <- j.send(connection) }()
	for {
		result, err := connection.ReadResult()
		if err == io.EOF {
			return <-sent
		}
		if err != nil {
			return err
		}
		if err := j.print(result); err != nil {
			return err
		}
	}
}

// connect waits for the server, unless that is not wanted.
func (j *job) connect() (*glyphwire.Connection, error) {
	policy := glyphwire.DefaultReconnectPolicy()
	settings := glyphwire.Settings{Options: &j.wishes.options, Reconnect: policy, TLS: j.wishes.tls}
	for attempt := 1; ; attempt++ {
		connection, err := glyphwire.Dial(context.Background(), j.wishes.address, settings)
		if err == nil {
			return connection, j.readEvery(connection)
		}
		if !j.wishes.waits || !mayCome(err) {
			return nil, err
		}
		if attempt == 1 {
			fmt.Fprintf(j.errors, "glyphwire: waiting for the server: %v\n", err)
		}
		time.Sleep(policy.Delay(attempt))
	}
}

// mayCome says whether a server may be there later.
func mayCome(err error) bool {
	var own *glyphwire.Error
	if !errors.As(err, &own) || own.IsPermanent() {
		return false
	}
	return own.Code == glyphwire.CannotConnect || own.Code == glyphwire.TimedOut || own.Code == glyphwire.ConnectionLost
}

// readEvery has a server that would leave out frames for newer ones read all files.
func (j *job) readEvery(connection *glyphwire.Connection) error {
	hello := connection.Hello()
	_, isChosen := j.wishes.options.Others["delivery"]
	if isChosen || !hello.Has("delivery") {
		return nil
	}
	j.wishes.options.Delivery = "every"
	_, err := connection.Configure(j.wishes.options)
	return err
}

// send ends the stream behind the last picture that could be sent.
func (j *job) send(connection *glyphwire.Connection) error {
	var failure error
	for i, name := range j.wishes.pictures {
		var jpeg []byte
		if jpeg, failure = os.ReadFile(name); failure != nil {
			break
		}
		sequence := uint64(i)
		frame := glyphwire.Frame{Payload: jpeg, Orientation: j.wishes.orientation, Sequence: &sequence}
		if _, failure = connection.Send(frame); failure != nil {
			break
		}
	}
	_, err := connection.Finish()
	if failure != nil {
		return failure
	}
	return err
}

// print prints what stands in a picture; it fails where the output cannot be written.
func (j *job) print(result *glyphwire.Result) error {
	name := j.wishes.pictures[result.Sequence]
	j.found += len(result.Matches)
	if !result.IsOK() {
		j.unread++
		reason := result.Status
		if result.Status == "error" {
			reason = fmt.Sprintf("%s (%s)", result.Message, result.Code)
		}
		fmt.Fprintf(j.errors, "%s: %s\n", name, reason)
	}
	rows := j.rows(name, result)
	if len(rows) == 0 {
		return nil
	}
	return show(j.output, strings.Join(rows, "\n")+"\n")
}

func (j *job) rows(name string, result *glyphwire.Result) (rows []string) {
	switch {
	case j.wishes.printsJSON:
		if result.JSON != nil {
			rows = append(rows, string(result.JSON))
		}
	case len(j.wishes.options.Find) > 0:
		for _, match := range result.Matches {
			rows = append(rows, name+"\t"+match.Text)
		}
	default:
		for _, line := range result.Lines {
			words := []string{name}
			for _, word := range line.Words {
				words = append(words, word.Text)
			}
			rows = append(rows, strings.Join(words, "\t"))
		}
	}
	return rows
}
