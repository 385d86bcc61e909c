package message

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/text"
)

// Plain is a log line as a person reads it: without date and time, and of a structured line (logfmt, JSON, a text with JSON
// behind it) only the message and the error.
func Plain(line string) string {
	line = strings.TrimSpace(Unstamped(text.OneLine(escape.ReplaceAllString(line, ""))))
	if s, ok := structured(line); ok {
		return s.text
	}
	if bare := origin.ReplaceAllString(line, ""); bare != "" {
		return bare
	}
	return line
}

// origin is what loggers write between the time and the message: level, process, thread, logger.
var origin = pattern.MustCompile(`^\[?(?:ERROR|FATAL|SEVERE|CRITICAL|WARN(?:ING)?)\]? +(?:\d+ --- )?(?:\[[^\]]*\]:? *)+(?:[\w.$]+ +: |\(\S+\) )?(?:- )?`)

// level is what a structured line says about its own importance.
type level int

const (
	levelUnknown level = iota
	levelInfo
	levelWarning
	levelError
)

// entry is a structured line: its message and error, and its level.
type entry struct {
	level level
	text  string
}

// structured reads a line of JSON or logfmt, or a text with JSON behind it. ok is false for any other line, and for one without
// a message.
func structured(line string) (e entry, ok bool) {
	line = strings.TrimSpace(Unstamped(line))
	lead, fields := "", map[string]string{}
	if at := strings.Index(line, "{\""); at >= 0 && strings.HasSuffix(line, "}") {
		var object map[string]any
		if foreign.Field.JSON([]byte(line[at:]), &object) != nil {
			return entry{}, false
		}
		lead = strings.TrimRight(line[:at], ":- \t")
		flatten(fields, "", object)
	} else if strings.Count(line, "=") < 2 {
		return entry{}, false
	} else if pairs := logfmt.FindAllStringSubmatch(line, -1); len(pairs) > 1 && logfmt.FindStringIndex(line)[0] == 0 {
		for _, pair := range pairs {
			fields[pair[1]] = unquoted(pair[2])
		}
	} else {
		return entry{}, false
	}
	var out []string
	for _, said := range []string{lead, withoutAdvice(first(fields, messageKeys...)), innermost(first(fields, errorKeys...))} {
		if said = text.OneLine(said); said != "" && !strings.HasSuffix(strings.Join(out, ": "), said) {
			if len(out) > 0 {
				out[len(out)-1] = strings.TrimRight(out[len(out)-1], ".: ")
			}
			out = append(out, said)
		}
	}
	if len(out) == 0 || len(out) == 1 && out[0] == lead {
		return entry{}, false
	}
	return entry{levelOf(cmp.Or(first(fields, levelKeys...), lead)), strings.Join(out, ": ")}, true
}

// The keys under which loggers write, by how common they are: logrus, zap, slog, pino, structlog, Serilog, the Elastic and Google
// formats.
var (
	messageKeys = []string{"msg", "message", "@m", "@mt", "event", "log", "textPayload", "short_message"}
	errorKeys   = []string{"err", "error", "err.message", "error.message", "exception.message", "exception", "@x", "exc_info", "stack_trace", "error.stack_trace", "reason", "attr.error", "attr.reason", "error.reason"}
	levelKeys   = []string{"level", "lvl", "severity", "log.level", "@l", "levelname", "loglevel", "log_level", "s"}
)

// flatten writes the texts and numbers of an object with their paths: an error is often an object of its own.
func flatten(fields map[string]string, prefix string, object map[string]any) {
	for key, value := range object {
		switch v := value.(type) {
		case string:
			fields[prefix+key] = v
		case float64:
			fields[prefix+key] = strconv.FormatFloat(v, 'f', -1, 64)
		case map[string]any:
			if prefix == "" {
				flatten(fields, key+".", v)
			}
		}
	}
}

// advised begins a paragraph behind an error that says what one might do.
var advised = pattern.MustCompile(`(?s)\n\s*\n(?:Please|See|Read|Try|For more|Make sure)\b.*`)

// withoutAdvice is a message of several paragraphs up to where it gives advice.
func withoutAdvice(said string) string {
	if !strings.Contains(said, "\n") {
		return said
	}
	return advised.ReplaceAllString(said, "")
}

// innermost is what a stack trace within a field says in the end; another text as it is.
func innermost(said string) string {
	if strings.Contains(said, "\n") {
		return Decisive(said)
	}
	return said
}

// levelOf reads a level: a word, or pino's and bunyan's number.
func levelOf(said string) level {
	if n, err := strconv.Atoi(said); err == nil {
		said = map[int]string{10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "fatal"}[n]
	}
	lower := lowerASCII(said)
	switch {
	case said == "F", said == "E": // MongoDB's
		return levelError
	case said == "I":
		return levelInfo
	case HasAny(lower, "err", "fatal", "crit", "panic", "alert", "emerg"):
		return levelError
	case HasAny(lower, "warn"):
		return levelWarning
	case HasAny(lower, "info", "debug", "trace", "notice", "dbg"):
		return levelInfo
	}
	return levelUnknown
}

// logfmt is a field of a line such as `level=error msg="cannot start" err="no such file"`.
var logfmt = pattern.MustCompile(`(?:^|\s)([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)`)

func unquoted(value string) string {
	if s, err := strconv.Unquote(value); err == nil {
		return s
	}
	return strings.Trim(value, `"`)
}

// first is the first of the fields that has a value.
func first(fields map[string]string, keys ...string) string {
	for _, key := range keys {
		if v := fields[key]; v != "" && v != "null" && v != "<nil>" {
			return v
		}
	}
	return ""
}
