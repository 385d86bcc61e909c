package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// manifestPatterns find Secrets that are printed whole, as YAML or as a diff.
type manifestPatterns struct {
	kindYAML, header, border, block, item *regexp.Regexp
}

var manifests = sync.OnceValue(func() manifestPatterns {
	return manifestPatterns{
		kindYAML: regexp.MustCompile(`(?:^|\\n|[\s+<>"'(\[{=|-])(?i:kind)["']?:[ \t]*(?:[&!]\S{1,40}[ \t]+)?["']?(?:Sops)?Secret(?:List)?["']?[ \t\r]*(?:#.*)?$`),
		// `argocd app diff` and `kubectl diff` name the object above its hunks, which may not show the kind.
		header: regexp.MustCompile(`^(?:.*\bpatch secrets?[ /]|===== /Secret |(?:diff |--- |\+\+\+ ).*\bv1\.Secret\.|\S+, [\w.-]+, Secret \(v1\) has |\S+, Secret \(v1\) has )`),
		border: regexp.MustCompile(`^(?:[ +<>-]?---[ \t\r]*$|diff |===== |\S+, (?:[\w.-]+, )?\w+ \([\w./-]+\) has )`),
		block:  regexp.MustCompile(`^([ \t+<>!-]*|.*[ =]-?-p(?:atch)?[ =]\$')["']?(?i:data|stringData|binaryData)["']?:[ \t]*(.*?)[ \t\r]*$`),
		item:   regexp.MustCompile(`^([ \t+<>!-]*)["']?[\w.-]+["']?:[ \t]*(.*?)[ \t\r]*$`),
	}
})

// secretManifests appends the values under data, stringData and binaryData of every Secret that s shows.
func secretManifests(s string, found []span, m *effort.Meter) []span {
	found = generatedSecrets(s, found)
	if found = notedSecrets(s, found, m); !containsAny(s, "Secret", "patch secret") || !containsAny(s, "ata", "/Secret ", "v1.Secret.") {
		return found
	}
	p := manifests()
	var section []span              // the lines since the last border
	isSecret, hunks := false, false // hunks of diff's own format are separated by the sign that separates documents, too
	for at := 0; at < len(s); {
		line := lineAround(s, at)
		at = line.end + 1
		text := s[line.start:line.end]
		if p.border.MatchString(text) && !(hunks && text == "---") {
			hunks = strings.HasPrefix(text, "=====")
			if isSecret {
				found = yamlValues(s, section, found)
			}
			section, isSecret = section[:0], false
		}
		section = append(section, line)
		isSecret = isSecret || containsAny(text, "Secret", "patch secret") && (p.kindYAML.MatchString(text) || p.header.MatchString(text))
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
	if !slices.ContainsFunc(lines, func(line span) bool { return p.block.MatchString(s[line.start:line.end]) }) {
		return changedValues(s, lines, found)
	}
	indent := -1 // of the data block we are in
	items := -1  // of its keys
	for _, line := range lines {
		text := s[line.start:line.end]
		if strings.Trim(text, " \t\r+-") == "" {
			continue
		}
		depth := len(text) - len(strings.TrimLeft(text, " \t+<>!-"))
		if indent < 0 || depth <= indent {
			indent, items = -1, -1
			if m := p.block.FindStringSubmatchIndex(text); m != nil {
				if indent = m[3]; strings.Trim(text[:indent], " \t+<>!-") != "" { // in a command
					indent = 0
				}
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

// changedValues appends the values in the changed lines of a hunk that does not show where it is in the object, but for those of fields
// that only a description has.
func changedValues(s string, lines []span, found []span) []span {
	p := manifests()
	if len(lines) == 0 || !p.header.MatchString(s[lines[0].start:lines[0].end]) {
		return found
	}
	for _, line := range lines {
		text := s[line.start:line.end]
		if text == "" || strings.IndexByte("+-<>!", text[0]) < 0 {
			continue
		}
		m := p.item.FindStringSubmatchIndex(text)
		if m == nil || described[strings.Trim(text[m[3]:strings.IndexByte(text, ':')], `"' `)] {
			continue
		}
		found = yamlValue(s, span{line.start + m[4], line.start + m[5]}, found)
	}
	return found
}

var described = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "name": true, "namespace": true, "type": true, "labels": true, "annotations": true, "uid": true,
	"resourceVersion": true, "creationTimestamp": true, "generation": true, "immutable": true, "managedFields": true, "ownerReferences": true,
	"app": true, "release": true, "heritage": true, "chart": true, "component": true, "manager": true, "operation": true, "time": true,
}

// yamlValue appends a value, unless it only announces what is on the next lines.
func yamlValue(s string, v span, found []span) []span {
	switch text := s[v.start:v.end]; {
	case text == "", text == "{}", text == "null", isMask(text), strings.HasPrefix(text, "|"), strings.HasPrefix(text, ">"),
		strings.HasPrefix(text, "#"), text[0] == '&' && !strings.Contains(text, " "): // a comment, an anchor
		return found
	}
	return append(found, v)
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
