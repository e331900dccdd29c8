package glyphwire

import (
	"bytes"
	"encoding/json"
)

// Options are those of Protocol.md's configure. What is left at its zero value is at the server's default.
//
// They are complete: an option that an earlier configuration set, and this one leaves out, returns to its default.
type Options struct {
	// Token is presented to a server whose hello has Auth "token".
	Token string `json:"token,omitempty"`
	// Client is a name for the server's logs.
	Client string `json:"client,omitempty"`
	// Level is "fast" or "accurate".
	Level string `json:"level,omitempty"`
	// Recognize set to False only locates text.
	Recognize *bool `json:"recognize,omitempty"`
	// Characters set to False leaves the characters out of words.
	Characters *bool `json:"characters,omitempty"`
	// Coordinates is the space of every box: "sent", "upright" or "vision".
	Coordinates string `json:"coordinates,omitempty"`
	// MinimumTextHeight omits lines lower than this fraction of the upright picture's height.
	MinimumTextHeight float64 `json:"minimumTextHeight,omitempty"`
	// RegionOfInterest is x, y, width and height of the part to read, as fractions of the upright picture.
	RegionOfInterest []float64 `json:"regionOfInterest,omitempty"`
	// Regions are read instead of the rest of the picture, each with options of its own.
	Regions []Region `json:"regions,omitempty"`
	// Upright says what decides which way is up: "given" or "auto".
	Upright string `json:"upright,omitempty"`
	// Languages are codes of BCP 47 to expect.
	Languages []string `json:"languages,omitempty"`
	// CustomWords are preferred where a reading is nearly as likely to be one of them.
	CustomWords []string `json:"customWords,omitempty"`
	// Report is "all", or "changes" for results with Changes alone.
	Report string `json:"report,omitempty"`
	// CharacterSet is the characters and ranges to read alone, such as "0-9." or "A-Z0-9-".
	CharacterSet string `json:"characterSet,omitempty"`
	// LanguageCorrection set to False leaves misread words as they are, instead of correcting them by a dictionary.
	LanguageCorrection *bool `json:"languageCorrection,omitempty"`
	// Unreadable is what becomes of lines in scripts that the server cannot read: "report" or "omit".
	Unreadable string `json:"unreadable,omitempty"`
	// Candidates is how many readings of each line to report.
	Candidates int `json:"candidates,omitempty"`
	// Delivery is "live", where a newer frame supersedes one that waits, or "every".
	Delivery string `json:"delivery,omitempty"`
	// DeadlineMS leaves frames unread that are older than this when their reading would begin.
	DeadlineMS int `json:"deadline_ms,omitempty"`
	// ClockOffsetUS is the server's clock minus the clock of CapturedUS; results then have an age.
	ClockOffsetUS *int64 `json:"clock_offset_us,omitempty"`
	// Temporal tracks text across frames.
	Temporal *bool `json:"temporal,omitempty"`
	// RefreshMS scans a whole frame again after this time, however little has changed.
	RefreshMS int `json:"refresh_ms,omitempty"`
	// Damaged is what becomes of a damaged JPEG: "refuse" or "read".
	Damaged string `json:"damaged,omitempty"`
	// Find has texts, and regular expressions between slashes, to search for.
	Find []string `json:"find,omitempty"`
	// Others are options by their names in Protocol.md, such as those of a later server; they win over the fields.
	Others map[string]any `json:"-"`
}

// Region is a named part of the upright picture; what is left at its zero value is as the stream has it.
type Region struct {
	// Name is told with the lines of the region.
	Name string `json:"name"`
	// RegionOfInterest is x, y, width and height as fractions; or Polygon has the corners x0, y0, x1, y1, ...
	RegionOfInterest []float64 `json:"regionOfInterest,omitempty"`
	Polygon          []float64 `json:"polygon,omitempty"`
	// Find has texts, and regular expressions between slashes, to search for.
	Find []string `json:"find,omitempty"`
	// CharacterSet is the characters and ranges to read alone.
	CharacterSet string `json:"characterSet,omitempty"`
	// MinimumTextHeight omits lines lower than this fraction of the upright picture's height.
	MinimumTextHeight float64 `json:"minimumTextHeight,omitempty"`
}

// Bool returns a pointer to value, for the options that are true or false.
func Bool(value bool) *bool { return &value }

// configureBody is what a configure carries.
type configureBody struct {
	options []byte
	// token is a body with the token of the options alone; nil if they have none.
	token []byte
}

func newConfigureBody(options Options) (*configureBody, error) {
	body, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	var alone struct {
		Token json.RawMessage `json:"token"`
	}
	if err := json.Unmarshal(body, &alone); err != nil || alone.Token == nil {
		return &configureBody{options: body}, err
	}
	token, err := json.Marshal(alone)
	return &configureBody{body, token}, err
}

func (b *configureBody) payload() []byte {
	if b == nil {
		return nil
	}
	return b.options
}

// MarshalJSON returns the body of a configure.
func (o Options) MarshalJSON() ([]byte, error) {
	type fields Options
	body, err := json.Marshal(fields(o))
	if err != nil || len(o.Others) == 0 {
		return body, err
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	merged := map[string]any{}
	if err := decoder.Decode(&merged); err != nil {
		return nil, err
	}
	for name, value := range o.Others {
		merged[name] = value
	}
	return json.Marshal(merged)
}
