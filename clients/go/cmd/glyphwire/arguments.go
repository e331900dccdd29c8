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

func parse(arguments []string) (*wishes, error) {
	var (
		wanted             wishes
		host, port, caFile string
		withTLS, noWait    bool
		orientation        uint
		tokenFile          = os.Getenv("GLYPHWIRE_TOKEN_FILE")
	)
	wanted.options.Others = map[string]any{}
	flags := flag.NewFlagSet("glyphwire", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&host, "host", "localhost", "")
	flags.StringVar(&port, "port", fmt.Sprint(glyphwire.Port), "")
	flags.BoolVar(&withTLS, "tls", false, "")
	flags.StringVar(&caFile, "tls-ca", "", "")
	flags.StringVar(&tokenFile, "token-file", tokenFile, "")
	flags.StringVar(&wanted.options.Level, "level", "", "")
	flags.Func("find", "", func(text string) error {
		wanted.options.Find = append(wanted.options.Find, text)
		return nil
	})
	flags.Func("option", "", func(text string) error { return setOption(wanted.options.Others, text) })
	flags.UintVar(&orientation, "orientation", 0, "")
	flags.BoolVar(&noWait, "no-wait", false, "")
	flags.BoolVar(&wanted.printsJSON, "json", false, "")
	pictures, err := parseAnyOrder(flags, arguments)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, errHelp
	case err != nil:
		return nil, err
	case len(pictures) == 0:
		return nil, errors.New("no pictures; name at least one JPEG file")
	case orientation > maxOrientation:
		return nil, fmt.Errorf("--orientation is 0...%d, not %d", maxOrientation, orientation)
	}
	if number, err := strconv.ParseUint(port, 10, portBits); err != nil || number == 0 {
		return nil, fmt.Errorf("--port is a number from 1 to 65535, not %s", port)
	}
	wanted.address = net.JoinHostPort(host, port)
	wanted.pictures, wanted.waits, wanted.orientation = pictures, !noWait, glyphwire.Orientation(orientation)
	if !wanted.printsJSON {
		// Words are enough for printing; without the characters a line is a quarter as long.
		wanted.options.Characters = glyphwire.Bool(false)
	}
	if wanted.options.Token, err = readToken(tokenFile); err != nil {
		return nil, err
	}
	if withTLS || caFile != "" {
		wanted.tls, err = trust(caFile)
	}
	return &wanted, err
}

// parseAnyOrder returns what is no flag; flags may stand behind it, too.
func parseAnyOrder(flags *flag.FlagSet, arguments []string) (others []string, err error) {
	for {
		if err := flags.Parse(arguments); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return others, nil
		}
		others = append(others, flags.Arg(0))
		arguments = flags.Args()[1:]
	}
}

// setOption takes NAME=VALUE, where the value is JSON or else a string.
func setOption(options map[string]any, text string) error {
	name, value, isPair := strings.Cut(text, "=")
	if !isPair || name == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	options[name] = value
	if json.Valid([]byte(value)) {
		options[name] = json.RawMessage(value)
	}
	return nil
}

func readToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
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
