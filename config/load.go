package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

// Load reads and checks a file. rules are the IDs of all rules, for the patterns that match none of them. The error is an [*Error]
// if the file can be read and something is wrong with it. With patterns that match no rule the bot still works: the configuration is
// returned beside the error if nothing else is wrong.
func Load(path string, rules []string) (*Config, error) {
	raw, err := readFile(path)
	if err != nil {
		return nil, err
	}
	c, err := parse(raw, rules)
	var wrong *Error
	if errors.As(err, &wrong) {
		wrong.File = path
	}
	return c, err
}

// Parse checks a configuration and fills in the defaults. It reads nothing else: no secret, no environment. The error is
// an [*Error].
func Parse(raw []byte) (*Config, error) { return parse(raw, nil) }

func parse(raw []byte, rules []string) (*Config, error) {
	found := &findings{lines: map[string]int{}, misspelt: map[string]bool{}}
	c := Default()
	root, err := document(raw)
	if err != nil {
		found.notYAML(raw, err)
		return nil, found.err()
	}
	if root != nil {
		d := decoder{findings: found}
		d.value(root, reflect.ValueOf(c).Elem(), "")
	}
	c.complete(found)
	c.validate(found)
	usable := len(found.problems) == 0
	if rules != nil {
		c.checkRules(found, rules)
	}
	if !usable {
		c = nil
	}
	return c, found.err()
}

// maxBytes is what fits into a ConfigMap.
const maxBytes = 1 << 20

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, unreadable(path, err)
	}
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("configuration %s is larger than 1 MiB: give the bot's own configuration", path)
	}
	return raw, nil
}

// unreadable says why a file cannot be read, where it was looked for, and what may have been meant.
func unreadable(path string, err error) error {
	where := path
	if absolute, err := filepath.Abs(path); err == nil {
		where = absolute
	}
	var at *fs.PathError
	switch info, failed := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("configuration %s not found: looked for %s%s", path, where, instead(where))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("configuration %s cannot be read: permission denied; let the user that runs the bot read %s", path, where)
	case failed == nil && info.IsDir():
		return fmt.Errorf("configuration %s is a directory: give the file in it", path)
	case errors.As(err, &at):
		err = at.Err
	}
	return fmt.Errorf("configuration %s cannot be read (%w): check the path", path, err)
}

// instead names what is there in place of a file that is missing: a directory that is missing too, or a file of a similar name.
func instead(file string) string {
	directory := filepath.Dir(file)
	entries, err := os.ReadDir(directory)
	if err != nil {
		return "; the directory " + directory + " does not exist either"
	}
	var names []string
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			names = append(names, entry.Name())
		}
	}
	stem := func(name string) string { return strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) }
	score := func(name string) float64 { return near.Word(stem(file), stem(name)) }
	if similar := near.Rank(names, near.Threshold, score, nil); len(similar) > 0 {
		return "; did you mean " + similar[0] + "?"
	}
	return "; config/example.yaml in the source is a template"
}

// yamlLine is how the library says where an error is.
var yamlLine = regexp.MustCompile(`line (\d+): `)

// notYAML notes why a file cannot be read as one YAML document.
func (f *findings) notYAML(raw []byte, err error) {
	said := strings.ReplaceAll(text.OneLine(err.Error()), "yaml: ", "")
	line := 0
	if at := yamlLine.FindStringSubmatch(said); at != nil {
		line, _ = strconv.Atoi(at[1])
		said = yamlLine.ReplaceAllString(said, "")
	}
	lines := strings.Split(string(raw), "\n")
	if line > 0 && line <= len(lines) && tabbed.MatchString(lines[line-1]) {
		said = "not valid YAML: a tab in the indentation: use spaces"
	}
	f.note("", line, "%s", said)
}

// tabbed is a line with a tab in its indentation.
var tabbed = regexp.MustCompile(`^ *\t`)

// document is the one document of a file; nil if the file is empty.
func document(raw []byte) (*yaml.Node, error) {
	in := yaml.NewDecoder(bytes.NewReader(raw))
	var first, second yaml.Node
	if err := in.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("not valid YAML: %w", err)
	}
	if err := in.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("a second document begins after ---: put everything in one")
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}
