package main

import (
	"context"
	"encoding/json"
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
			fmt.Fprintf(j.errors, "glyphwire-client: waiting for the server: %v\n", err)
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

// send sends what can be opened, and ends the stream behind the last picture that could be sent.
func (j *job) send(connection *glyphwire.Connection) error {
	var failure error
	unopened := 0
	for i, name := range j.wishes.pictures {
		jpeg, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(j.errors, "glyphwire-client: %v\n", err)
			unopened++
			continue
		}
		sequence := uint64(i)
		frame := glyphwire.Frame{Payload: jpeg, Orientation: j.wishes.orientation, Sequence: &sequence}
		if _, failure = connection.Send(frame); failure != nil {
			break
		}
	}
	_, err := connection.Finish()
	if failure == nil {
		failure = err
	}
	if failure == nil && unopened > 0 {
		failure = fmt.Errorf("%d of %d pictures could not be opened", unopened, len(j.wishes.pictures))
	}
	return failure
}

// print prints what stands in a picture; it fails where the output cannot be written.
func (j *job) print(result *glyphwire.Result) error {
	name := j.wishes.pictures[result.Sequence]
	j.found += len(result.Matches)
	for _, change := range result.Changes {
		if change.Pattern != nil {
			j.found++
		}
	}
	if !result.IsOK() {
		j.unread++
		reason := result.Status
		if result.Status == "error" {
			reason = fmt.Sprintf("%s (%s)", result.Message, result.Code)
		}
		fmt.Fprintf(j.errors, "%s: %s\n", name, reason)
	}
	rows, err := j.rows(name, result)
	if err != nil || len(rows) == 0 {
		return err
	}
	return show(j.output, strings.Join(rows, "\n")+"\n")
}

// rows returns the line of a result, or a row for each text.
func (j *job) rows(name string, result *glyphwire.Result) (rows []string, err error) {
	if j.wishes.printsJSON {
		line, err := lineOf(result)
		return []string{string(line)}, err
	}
	texts := wordsOf(result)
	if len(j.wishes.options.Find) > 0 {
		texts = findingsOf(result)
	}
	for _, text := range texts {
		rows = append(rows, name+"\t"+text)
	}
	return rows, nil
}

// wordsOf returns the lines of text, or those that have come where only changes are told, with tabs between words.
func wordsOf(result *glyphwire.Result) (texts []string) {
	for _, line := range result.Lines {
		words := make([]string, len(line.Words))
		for i, word := range line.Words {
			words[i] = word.Text
		}
		texts = append(texts, strings.Join(words, "\t"))
	}
	for _, text := range come(result) {
		texts = append(texts, strings.ReplaceAll(text, " ", "\t"))
	}
	return texts
}

// findingsOf returns what was found, or what of it has come where only changes are told.
func findingsOf(result *glyphwire.Result) (texts []string) {
	for _, match := range result.Matches {
		texts = append(texts, match.Text)
	}
	return append(texts, come(result)...)
}

// come returns the texts that have appeared or changed.
func come(result *glyphwire.Result) (texts []string) {
	for _, change := range result.Changes {
		if change.Type != "lost" {
			texts = append(texts, change.Text)
		}
	}
	return texts
}

// lineOf returns the line of a result; that of a lost frame, which no server has sent, has the members of an error.
func lineOf(result *glyphwire.Result) ([]byte, error) {
	if result.JSON != nil {
		return result.JSON, nil
	}
	return json.Marshal(struct {
		Type       string `json:"type"`
		Sequence   uint64 `json:"sequence"`
		CapturedUS uint64 `json:"captured_us"`
		Status     string `json:"status"`
		Code       string `json:"code"`
		Message    string `json:"message"`
	}{"result", result.Sequence, result.CapturedUS, result.Status, result.Code, result.Message})
}
