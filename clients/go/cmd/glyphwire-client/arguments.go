package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"glyphwire"
)

// wishes are what the command line asks for.
type wishes struct {
	address     string
	options     glyphwire.Options
	orientation glyphwire.Orientation
	tls         *tls.Config
	waits       bool
	printsJSON  bool
	pictures    []string
}

var errHelp = errors.New("help")

const (
	// maxOrientation is the last of EXIF.
	maxOrientation = 8
	portBits       = 16
)

// given are the values of flags that are looked at together.
type given struct {
	host, port, caFile, tokenFile string
	level                         *string
	withTLS, noWait               bool
	orientation                   uint
}

func parse(arguments []string) (*wishes, error) {
	var wanted wishes
	var given given
	flags := flagsOf(&wanted, &given)
	pictures, err := parseAnyOrder(flags, arguments)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, errHelp
	case err != nil:
		return nil, err
	case len(pictures) == 0:
		return nil, errors.New("no pictures; name at least one JPEG file")
	case given.orientation > maxOrientation:
		return nil, fmt.Errorf("--orientation is 0...%d, not %d", maxOrientation, given.orientation)
	}
	if number, err := strconv.ParseUint(given.port, 10, portBits); err != nil || number == 0 {
		return nil, fmt.Errorf("--port is a number from 1 to 65535, not %s", given.port)
	}
	wanted.address = net.JoinHostPort(withoutBrackets(given.host), given.port)
	wanted.pictures, wanted.waits = pictures, !given.noWait
	wanted.orientation = glyphwire.Orientation(given.orientation)
	return &wanted, wanted.complete(given)
}

func flagsOf(wanted *wishes, given *given) *flag.FlagSet {
	others := map[string]any{}
	wanted.options.Others = others
	flags := flag.NewFlagSet("glyphwire-client", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&given.host, "host", "localhost", "")
	flags.StringVar(&given.port, "port", fmt.Sprint(glyphwire.Port), "")
	flags.BoolVar(&given.withTLS, "tls", false, "")
	flags.Func("tls-ca", "", func(name string) error { return setFile(&given.caFile, name) })
	given.tokenFile = os.Getenv("GLYPHWIRE_TOKEN_FILE")
	flags.Func("token-file", "", func(name string) error { return setFile(&given.tokenFile, name) })
	flags.Func("level", "", func(text string) error {
		given.level = &text
		return checkText(text)
	})
	flags.Func("find", "", func(text string) error {
		wanted.options.Find = append(wanted.options.Find, text)
		return checkText(text)
	})
	flags.Func("option", "", func(text string) error { return setOption(others, text) })
	flags.UintVar(&given.orientation, "orientation", 0, "")
	flags.BoolVar(&given.noWait, "no-wait", false, "")
	flags.BoolVar(&wanted.printsJSON, "json", false, "")
	return flags
}

// complete sets what depends on more than one flag, and on files.
func (w *wishes) complete(given given) (err error) {
	if !w.printsJSON {
		// Words are enough for printing; without the characters a line is a quarter as long.
		w.options.Characters = glyphwire.Bool(false)
	}
	if value, _ := w.options.Others["recognize"].(json.RawMessage); string(value) == "false" && !w.printsJSON {
		return errors.New("with recognize=false there are no words to print; add --json")
	}
	if _, isNamed := w.options.Others["level"]; given.level != nil && !isNamed {
		w.options.Others["level"] = *given.level
	}
	if w.options.Token, err = readToken(given.tokenFile); err != nil {
		return err
	}
	if given.withTLS || given.caFile != "" {
		w.tls, err = trust(given.caFile)
	}
	return err
}

// withoutBrackets returns an address of IPv6 without those that it has in a URL.
func withoutBrackets(host string) string {
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		return host[1 : len(host)-1]
	}
	return host
}

// setFile takes the name of a file; an empty one, as of a variable that is not set, must not stand for none.
func setFile(file *string, name string) error {
	if name == "" {
		return errors.New("it names no file")
	}
	*file = name
	return nil
}

// checkText refuses what JSON cannot hold.
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8")
	}
	return nil
}

// parseAnyOrder returns what is no flag; flags may stand behind it, too, but not behind a "--" that is no flag's value.
func parseAnyOrder(flags *flag.FlagSet, arguments []string) (others []string, err error) {
	var given []string
	for len(arguments) > 0 {
		word := arguments[0]
		arguments = arguments[1:]
		switch {
		case word == "--":
			return append(others, arguments...), flags.Parse(given)
		case len(word) < 2 || word[0] != '-':
			others = append(others, word)
		case takesNext(flags, word) && len(arguments) > 0:
			given = append(given, word, arguments[0])
			arguments = arguments[1:]
		default:
			given = append(given, word)
		}
	}
	return others, flags.Parse(given)
}

// takesNext says whether the value of a flag is the next word.
func takesNext(flags *flag.FlagSet, word string) bool {
	known := flags.Lookup(strings.TrimLeft(word, "-"))
	if known == nil {
		return false
	}
	isSwitch, ok := known.Value.(interface{ IsBoolFlag() bool })
	return !ok || !isSwitch.IsBoolFlag()
}

// setOption takes NAME=VALUE, where the value is JSON or else a string.
func setOption(options map[string]any, text string) error {
	name, value, isPair := strings.Cut(text, "=")
	if !isPair || name == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	if err := checkText(text); err != nil {
		return err
	}
	options[name] = value
	if json.Valid([]byte(value)) {
		options[name] = json.RawMessage(value)
	}
	return nil
}

// readToken returns the token in a file: of several, in JSON as a server takes them, the first.
func readToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if strings.HasPrefix(token, "{") {
		token = firstToken(text)
	}
	if token == "" {
		return "", fmt.Errorf("there is no token in %s", path)
	}
	return token, nil
}

func firstToken(text []byte) string {
	var file struct {
		Tokens []struct {
			Token string `json:"token"`
		} `json:"tokens"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Tokens) == 0 {
		return ""
	}
	return file.Tokens[0].Token
}

// trust returns a configuration with the authorities of a file, or the system's if there is none.
func trust(caFile string) (*tls.Config, error) {
	if caFile == "" {
		return &tls.Config{}, nil
	}
	text, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("there is no certificate in %s", caFile)
	}
	return &tls.Config{RootCAs: authorities}, nil
}
