package redact

import (
	"regexp"
	"strings"
	"sync"
)

// manifestPatterns find Secrets that are printed whole, as YAML, as a diff or as JSON within another text.
type manifestPatterns struct {
	kindYAML, kindJSON, header, border, block, item, dataJSON *regexp.Regexp
}

var manifests = sync.OnceValue(func() manifestPatterns {
	return manifestPatterns{
		kindYAML: regexp.MustCompile(`(?:^|\\n|[\s+<>"'(\[{=|-])kind:[ \t]*["']?(?:Sops)?Secret(?:List)?["']?[ \t\r]*$`),
		kindJSON: regexp.MustCompile(`kind\\*"[ \t\r\n]*:[ \t\r\n]*\\*"(?:Sops)?Secret(?:List)?\\*"|with kind Secret:`),
		// `argocd app diff` and `kubectl diff` name the object above its hunks, which may not show the kind.
		header: regexp.MustCompile(`^(?:===== /Secret |(?:diff |--- |\+\+\+ ).*\bv1\.Secret\.)`),
		border: regexp.MustCompile(`^(?:[ +<>-]?---[ \t\r]*$|diff |===== )`),
		block:  regexp.MustCompile(`^([ \t+<>-]*)(?:data|stringData|binaryData):[ \t]*(.*?)[ \t\r]*$`),
		item:   regexp.MustCompile(`^([ \t+<>-]*)["']?[\w.-]+["']?:[ \t]*(.*?)[ \t\r]*$`),
		// Spaces may be newlines, escaped or not.
		dataJSON: regexp.MustCompile(`\\*"(?:data|stringData|binaryData)\\*"[ \t\r\n]*:[ \t\r\n]*\{`),
	}
})

// secretManifests appends the values under data, stringData and binaryData of every Secret that s shows.
func secretManifests(s string, found []span) []span {
	found = generatedSecrets(s, found)
	if !strings.Contains(s, "Secret") || !strings.Contains(s, "ata") {
		return found
	}
	p := manifests()
	if p.kindJSON.MatchString(s) {
		// One text that shows a Secret may show it in parts (kubectl prints the patch and, in it, the last applied
		// configuration), so all data in it counts.
		first := len(found)
		for _, m := range p.dataJSON.FindAllStringIndex(s, -1) {
			if n := len(found); n > first && m[1] <= found[n-1].end {
				continue // within a value
			}
			found = jsonValues(s, m[1], found)
		}
	}
	var section []span // the lines since the last border
	isSecret := false
	for at := 0; at < len(s); {
		line := lineAround(s, at)
		at = line.end + 1
		text := s[line.start:line.end]
		if p.border.MatchString(text) {
			if isSecret {
				found = yamlValues(s, section, found)
			}
			section, isSecret = section[:0], false
		}
		section = append(section, line)
		isSecret = isSecret || strings.Contains(text, "Secret") && (p.kindYAML.MatchString(text) || p.header.MatchString(text))
	}
	if isSecret {
		found = yamlValues(s, section, found)
	}
	return found
}

// yamlValues appends the values of the data blocks in the lines of one object. The sign column of a diff counts as
// indentation, which is right as every line of a diff has one.
func yamlValues(s string, lines []span, found []span) []span {
	p := manifests()
	indent := -1 // of the data block we are in
	items := -1  // of its keys
	for _, line := range lines {
		text := s[line.start:line.end]
		if strings.Trim(text, " \t\r+-") == "" {
			continue
		}
		depth := len(text) - len(strings.TrimLeft(text, " \t+<>-"))
		if indent < 0 || depth <= indent {
			indent, items = -1, -1
			if m := p.block.FindStringSubmatchIndex(text); m != nil {
				indent = m[3]
				found = yamlValue(s, span{line.start + m[4], line.start + m[5]}, found)
			}
			continue
		}
		if items < 0 {
			items = depth
		}
		if m := p.item.FindStringSubmatchIndex(text); m != nil && depth <= items {
			found = yamlValue(s, span{line.start + m[4], line.start + m[5]}, found)
			continue
		}
		// A line of a block of text.
		found = append(found, span{line.start + depth, line.start + len(strings.TrimRight(text, " \t\r"))})
	}
	return found
}

// yamlValue appends a value, unless it only announces what is on the next lines.
func yamlValue(s string, v span, found []span) []span {
	switch text := s[v.start:v.end]; {
	case text == "", text == "{}", text == "null", isMask(text), strings.HasPrefix(text, "|"), strings.HasPrefix(text, ">"):
		return found
	}
	return append(found, v)
}

// jsonValues appends the string values of the JSON object whose members begin at s[at]. The object may be inside of a
// JSON string, even a few levels deep: a quote is then preceded by some backslashes, and ends with as many. The object
// may also be cut.
func jsonValues(s string, at int, found []span) []span {
	for {
		_, at = jsonString(s, at)
		if at < 0 {
			return found
		}
		at = skipSpace(s, at)
		if at >= len(s) || s[at] != ':' {
			return found
		}
		var value span
		value, at = jsonString(s, skipSpace(s, at+1))
		if at < 0 {
			return found
		}
		if !isMask(s[value.start:value.end]) {
			found = append(found, value)
		}
		at = skipSpace(s, at)
		if at >= len(s) || s[at] != ',' {
			return found
		}
		at++
	}
}

// jsonString reads a quoted string at s[at] and returns what is between its quotes, and where the rest begins: -1 if
// there is no string. A string that is cut ends with the text.
func jsonString(s string, at int) (value span, rest int) {
	at = skipSpace(s, at)
	start := at
	for at < len(s) && s[at] == '\\' {
		at++
	}
	if at >= len(s) || s[at] != '"' {
		return span{}, -1
	}
	quote := s[start : at+1]
	value.start = at + 1
	for i := value.start; ; {
		n := strings.IndexByte(s[i:], '"')
		if n < 0 {
			return span{value.start, len(s)}, len(s)
		}
		end := i + n - (len(quote) - 1)
		if end >= value.start && s[end:i+n+1] == quote && (end == value.start || s[end-1] != '\\') {
			return span{value.start, end}, i + n + 1
		}
		i += n + 1
	}
}

// skipSpace skips spaces and newlines, also escaped ones.
func skipSpace(s string, at int) int {
	for at < len(s) {
		switch {
		case strings.IndexByte(" \t\r\n", s[at]) >= 0:
			at++
		case s[at] == '\\':
			n := at
			for n < len(s) && s[n] == '\\' {
				n++
			}
			if n >= len(s) || strings.IndexByte("nrt", s[n]) < 0 {
				return at
			}
			at = n + 1
		default:
			return at
		}
	}
	return at
}
