package glyphwire

import "encoding/json"

// Line is a line from the server.
type Line struct {
	// Type is "hello", "configured", "result", "pong", "stats", "error", "end", "goaway", or one of a later server.
	Type string
	// JSON is the line as received, without its line feed; empty for one that the client makes: the result of a lost frame, or
	// the end that a server which stops does not send.
	JSON []byte
	// Result is set for lines of the type "result".
	Result *Result
	// hasCaller says that the line was given to whoever asked for it, or is in Hello.
	hasCaller bool
}

// Result is what became of a frame; its members are those of Protocol.md.
type Result struct {
	Sequence   uint64 `json:"sequence"`
	CapturedUS uint64 `json:"captured_us"`
	// Status is "ok" if the frame was read, and "error" if it could not be; with any other it was not read.
	Status string `json:"status"`
	// Code and Message say why, with the status "error". The code "connection_lost" is the client's own.
	Code    string `json:"code"`
	Message string `json:"message"`
	// Reason and By, the sequence of the newer frame, belong to the status "dropped".
	Reason string  `json:"reason"`
	By     *uint64 `json:"by"`
	// AgeMS is how many milliseconds before its result the picture was taken, where the server can tell.
	AgeMS     *float64 `json:"age_ms"`
	TimingsUS Timings  `json:"timings_us"`

	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Orientation int    `json:"orientation"`
	Level       string `json:"level"`
	Coordinates string `json:"coordinates"`
	// Text is that of all lines, with line feeds between them.
	Text  string     `json:"text"`
	Lines []TextLine `json:"lines"`
	// Reused says that the frame shows what the one before it showed.
	Reused bool `json:"reused"`
	// Truncated says that the last lines are omitted, since there are more words than the server reports.
	Truncated bool `json:"truncated"`
	// Matches are what Find found; nil if the options have no Find.
	Matches []Match `json:"matches"`
	// MatchesComplete is false if matches towards the end are missing.
	MatchesComplete bool `json:"matches_complete"`
	// Changes are the texts that appeared, changed or are gone since the previous result; nil unless Options.Report asks for them.
	Changes []Change `json:"changes"`
	// Lost has the ids of words that the previous frame had and this one has not.
	Lost []uint64 `json:"lost"`
	// Warnings are irregularities that did not prevent reading.
	Warnings []Warning `json:"warnings"`

	// JSON is the line as received, without its line feed; empty for the client's own result of a lost frame.
	JSON []byte `json:"-"`
}

// IsOK says whether the frame was read.
func (r *Result) IsOK() bool { return r.Status == "ok" }

// Words returns the words of all lines.
func (r *Result) Words() []Word {
	var words []Word
	for _, line := range r.Lines {
		words = append(words, line.Words...)
	}
	return words
}

// Change is a line, or with Find a match, that appeared, changed or is gone.
type Change struct {
	// Type is "appeared", "changed" or "lost".
	Type string `json:"type"`
	// ID is the same for all changes of a text.
	ID   uint64 `json:"id"`
	Text string `json:"text"`
	// Previous is what a text was before it changed.
	Previous string `json:"previous"`
	// Confidence is that of a line; nil for a match.
	Confidence *float64 `json:"confidence"`
	Box        Box      `json:"box"`
	// Pattern is an index into Find; nil for a line.
	Pattern *int `json:"pattern"`
	// Region is the name of the region that it is in, if there are some.
	Region string `json:"region"`
}

// Box is four corners x0, y0, ... y3, clockwise as a reader sees them, from the top of the text's beginning.
type Box [8]float64

// TextLine is a line of text.
type TextLine struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	Box        Box     `json:"box"`
	Words      []Word  `json:"words"`
	// Scores are those of the detection and the recognition network.
	Scores struct {
		Detection   float64  `json:"detection"`
		Recognition *float64 `json:"recognition"`
	} `json:"scores"`
	// Script is that of most letters, by ISO 15924.
	Script string `json:"script"`
	// Reason is why the line was not read, such as "script_unavailable"; its texts are empty then.
	Reason string `json:"reason"`
	// Candidates are readings of the line, the best first, if more than one was asked for.
	Candidates []Candidate `json:"candidates"`
	// State is "new", "kept" or "read", with temporal.
	State string `json:"state"`
	// Region is the name of the region that the line is in, if there are some.
	Region string `json:"region"`
}

// Word is what stands between spaces.
type Word struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	Box        Box     `json:"box"`
	// ID stays the same while the word stays in view, with temporal; otherwise it is nil.
	ID         *uint64     `json:"id"`
	Characters []Character `json:"characters"`
}

// Character is what a reader takes for one character; it may be several code points.
type Character struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	Box        Box     `json:"box"`
}

// Candidate is one of several readings of a line.
type Candidate struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
}

// Match is a place where something was found that Find asks for.
type Match struct {
	// Pattern is an index into Find.
	Pattern int    `json:"pattern"`
	Text    string `json:"text"`
	// Line is an index into the result's lines, and Words are indices into that line's words.
	Line  int   `json:"line"`
	Words []int `json:"words"`
	Box   Box   `json:"box"`
	// Region is the name of the region that the line is in, if there are some; Pattern then counts in its Find.
	Region string `json:"region"`
}

// Warning is an irregularity of a frame; which numbers it has depends on its code.
type Warning struct {
	Code string `json:"code"`
	// Row is the first row of pixels that is unreliable.
	Row *uint64 `json:"row"`
	// Scale is the factor of the sides at which the picture was scanned.
	Scale *float64 `json:"scale"`
}

// UnmarshalJSON leaves out members that are not what this client knows: each code of a later server has its own.
func (w *Warning) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	var row *uint64
	if json.Unmarshal(members["row"], &row) == nil {
		w.Row = row
	}
	var scale *float64
	if json.Unmarshal(members["scale"], &scale) == nil {
		w.Scale = scale
	}
	if json.Unmarshal(members["code"], &w.Code) != nil {
		w.Code = ""
	}
	return nil
}

// Timings are microseconds that the server took for a frame.
type Timings struct {
	Queue     uint64 `json:"queue"`
	Decode    uint64 `json:"decode"`
	Detect    uint64 `json:"detect"`
	Recognize uint64 `json:"recognize"`
	Total     uint64 `json:"total"`
}

// Hello is the server's greeting.
type Hello struct {
	Server   string   `json:"server"`
	Version  string   `json:"version"`
	Protocol int      `json:"protocol"`
	Auth     string   `json:"auth"`
	Limits   Limits   `json:"limits"`
	Levels   []string `json:"levels"`
	// Languages that each level reads by a reader beside its networks, by their codes.
	Languages []string `json:"languages"`
	Features  []string `json:"features"`

	// JSON is the line as received, without its line feed.
	JSON []byte `json:"-"`
}

// Has says whether the server has a feature, such as "delivery".
func (h *Hello) Has(feature string) bool {
	for _, one := range h.Features {
		if one == feature {
			return true
		}
	}
	return false
}

// Limits are those of the server; 0 is none.
type Limits struct {
	MaxMessageBytes   uint64 `json:"max_message_bytes"`
	MaxPixels         uint64 `json:"max_pixels"`
	MaxSide           uint64 `json:"max_side"`
	MaxConfigureBytes uint64 `json:"max_configure_bytes"`
	// MaxUnauthenticatedBytes is that of messages before the token, where one is required.
	MaxUnauthenticatedBytes uint64 `json:"max_unauthenticated_bytes"`
}

// Configured is the answer to a configure.
type Configured struct {
	// Window is how many frames may be unanswered before the server stops reading, with the delivery "every".
	Window int `json:"window"`
	// Options has every option that is now in force.
	Options map[string]any `json:"options"`
}

// Pong is the answer to a ping.
type Pong struct {
	CapturedUS uint64 `json:"captured_us"`
	// ReceivedUS and SentUS are the server's clock, in microseconds since 1970.
	ReceivedUS uint64 `json:"received_us"`
	SentUS     uint64 `json:"sent_us"`
}

// Stats is the answer to a request for latency figures.
type Stats struct {
	// Connection counts the frames of this connection, Server those of all since the server started.
	Connection StatsScope `json:"connection"`
	Server     StatsScope `json:"server"`
}

// StatsScope has counts of frames by status, the time of each stage by its name, and the work of frames that were compared with
// earlier ones: how many were read, by their largest scan for text, and the lines they read.
type StatsScope struct {
	Frames    map[string]uint64     `json:"frames"`
	TimingsUS map[string]StageStats `json:"timings_us"`
	Tracking  map[string]uint64     `json:"tracking"`
}

// StageStats are microseconds that half, 90 % and 99 % of the frames did not exceed, and what none did.
type StageStats struct {
	Count uint64 `json:"count"`
	P50   uint64 `json:"p50"`
	P90   uint64 `json:"p90"`
	P99   uint64 `json:"p99"`
	Max   uint64 `json:"max"`
}

// End is the answer to the end of the stream.
type End struct {
	// Frames is how many were answered on this connection.
	Frames uint64 `json:"frames"`
}

// head has the members of a line that decide where it belongs.
type head struct {
	Type     string  `json:"type"`
	Sequence *uint64 `json:"sequence"`
	Code     string  `json:"code"`
	Message  string  `json:"message"`
	Fatal    bool    `json:"fatal"`
}

func (h *head) isFatal() bool { return h.Type == "error" && h.Fatal }

// isAnswer says whether the line answers a message, and so shows that the server has admitted the client.
//
// A greeting does not: too_many_connections may follow it.
func (h *head) isAnswer() bool {
	switch h.Type {
	case "result", "configured", "pong", "stats", "end", "error":
		return true
	}
	return false
}

func parseHead(text []byte) (head, error) {
	var parsed head
	if err := json.Unmarshal(text, &parsed); err != nil {
		return parsed, badLine(text, err.Error())
	}
	if parsed.Type == "" {
		return parsed, badLine(text, "an object without a type")
	}
	return parsed, nil
}

func parseResult(text []byte) (*Result, error) {
	result := Result{MatchesComplete: true, JSON: text}
	if err := json.Unmarshal(text, &result); err != nil {
		return nil, badLine(text, err.Error())
	}
	if result.Status == "" {
		return nil, badLine(text, "a result without a status")
	}
	return &result, nil
}

// lostResult is the result of a frame that will have none from a server.
func lostResult(frame sentFrame) *Line {
	result := &Result{
		Sequence:        frame.sequence,
		CapturedUS:      frame.capturedUS,
		Status:          "error",
		Code:            string(ConnectionLost),
		Message:         "the connection was lost before the frame was answered; send it again",
		MatchesComplete: true,
	}
	return &Line{Type: "result", Result: result}
}
