package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/internal/text"
)

// Load reads and checks a file. The error is an [*Error] where the file can be read and something is wrong with it.
func Load(path string) (*Config, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	c, err := Parse(raw)
	var wrong *Error
	if errors.As(err, &wrong) {
		wrong.File = path
	}
	return c, err
}

// Parse checks a configuration and fills in the defaults. It reads nothing else: no secret, no environment. The error is
// an [*Error].
func Parse(raw []byte) (*Config, error) {
	found := &findings{lines: map[string]int{}, misspelt: map[string]bool{}}
	c := Default()
	root, err := document(raw)
	if err != nil {
		found.note("", 0, "%s", strings.ReplaceAll(text.OneLine(err.Error()), "yaml: ", ""))
		return nil, found.err()
	}
	if root != nil {
		d := decoder{findings: found}
		d.value(root, reflect.ValueOf(c).Elem(), "")
	}
	c.complete(found)
	c.validate(found)
	if err := found.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// document is the one document of a file; nil when it is empty.
func document(raw []byte) (*yaml.Node, error) {
	in := yaml.NewDecoder(bytes.NewReader(raw))
	var first, second yaml.Node
	if err := in.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("this is no YAML: %w", err)
	}
	if err := in.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("a second document begins after ---: keep everything in one")
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}
