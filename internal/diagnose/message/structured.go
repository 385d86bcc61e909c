package message

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// Plain is a log line as a person reads it: without date and time, and of a structured line (logfmt, JSON, a text with JSON
// behind it) only the message and the error.
func Plain(line string) string {
	line = strings.TrimSpace(Unstamped(text.OneLine(line)))
	lead, fields := line, map[string]string{}
	if at := strings.Index(line, "{\""); at >= 0 && strings.HasSuffix(line, "}") {
		var object map[string]any
		if json.Unmarshal([]byte(line[at:]), &object) != nil {
			return line
		}
		lead = strings.TrimRight(line[:at], ":- ")
		for key, value := range object {
			if s, ok := value.(string); ok {
				fields[key] = s
			}
		}
	} else if pairs := logfmt.FindAllStringSubmatch(line, -1); len(pairs) > 1 && logfmt.FindStringIndex(line)[0] == 0 {
		lead = ""
		for _, pair := range pairs {
			fields[pair[1]] = unquoted(pair[2])
		}
	}
	var out []string
	for _, said := range []string{lead, first(fields, "msg", "message"), first(fields, "err", "error")} {
		if said = text.OneLine(said); said != "" && !strings.HasSuffix(strings.Join(out, ": "), said) {
			out = append(out, said)
		}
	}
	if len(out) == 0 || len(out) == 1 && out[0] == lead {
		return line
	}
	return strings.Join(out, ": ")
}

// logfmt is a field of a line such as `level=error msg="cannot start" err="no such file"`.
var logfmt = regexp.MustCompile(`(?:^|\s)([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)`)

func unquoted(value string) string {
	if s, err := strconv.Unquote(value); err == nil {
		return s
	}
	return strings.Trim(value, `"`)
}

// first is the first of the fields that has a value.
func first(fields map[string]string, keys ...string) string {
	for _, key := range keys {
		if fields[key] != "" {
			return fields[key]
		}
	}
	return ""
}
