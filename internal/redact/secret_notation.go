package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// notationPatterns find the data of a Secret that programs print in a notation of their own: JSON, maps and structs of Go, dumps
// of other languages, patches, paths.
type notationPatterns struct {
	kind, mention, block, unnamed, typed, path, member, flat, above, listing, toml, element, excerpt *regexp.Regexp
}

// A repetition with a limit is compiled as often as its limit says: without limits these take a few tenths of a millisecond instead of ten.
var notationsOf = sync.OnceValue(func() notationPatterns {
	const (
		field = `(?:data|stringData|binaryData|Data|StringData|BinaryData)`
		gap   = `(?:[ \t\r\n]|\\+[nrt])*`
		quote = `\\*["']?`
		sign  = `(?::|=>|->|=)`
		// What Go, go-spew and PHP say of a map before its members.
		typeOf = `(?:&?\(?map\[string\](?:\[\](?:byte|uint8)|string|interface ?\{\}|any)\)?` + gap + `(?:\(len=\d+\)` + gap + `)?|(?:Linked|Hash|Tree)*[mM]ap|[%@]|Some\(|(?i:array)(?:\(\d+\))?` + gap + `|(?:Ordered)?[dD]ict\()?`
	)
	return notationPatterns{
		kind: regexp.MustCompile(`[kK]ind` + quote + `\]?` + gap + sign + gap + `(?:string\(\d+\) )?` + quote + `(?:Sops)?Secret(?:List)?(?:[^A-Za-z0-9.]|$)|<Secret>|<kind>Secret<|\b(?:get|patch) secrets?[ /]|with kind Secret:|[sS]tringData|\bkubernetes_secret\b|` +
			`\{Secret v1\}|\bV?1?Secret[{(]|Resource=secrets\b|resource` + quote + sign + gap + quote + `secrets\b|\b(?:Opaque|kubernetes\.io/(?:tls|basic-auth|ssh-auth|dockercfg|dockerconfigjson|service-account-token)|helm\.sh/release\.v1)\b`),
		// Of the first version of Kubernetes' API, only a Secret and a ConfigMap have data.
		mention: regexp.MustCompile(`\bSecret\b|\bsecrets?[ /]+` + quote + `[a-z0-9]|apiVersion` + quote + sign + gap + quote + `v1` + quote + `[ ,]` + gap + quote + `data` + quote + sign),
		block:   regexp.MustCompile(`(?:^|[^\w.-]|\\[nrt])` + field + quote + `\]?` + gap + sign + `?` + gap + quote + `(?:` + typeOf + `[{\[(<]|#<[\w:]+ )`),
		// The fields of a Secret without their names, as %v prints them: whether it is immutable, its data.
		unnamed: regexp.MustCompile(`(?:(?:<nil>|0x[0-9a-f]+|true|false) |\bget secrets?[ /][^\n]*\n)map\[`),
		typed:   regexp.MustCompile(`^(?:\(?\[\](?:byte|uint8)\)?(?:\((?:0x[0-9a-f]+)?|[ \t]*\(len=\d+(?: cap=\d+)?\)[ \t]*)?|\(?string\)? ?\((?:len=)?\d+\) |Some\(|ByteString\(|[bBuNr@](?:["']))`),
		path:    regexp.MustCompile(`path` + quote + gap + sign + gap + quote + `/(data|stringData|binaryData)(?:/[^"'\\\s\]},]*)?`),
		member:  regexp.MustCompile(`\bvalue` + quote + gap + sign + gap),
		flat:    regexp.MustCompile(`(?:^|[\s"'.(,{/])(?:data|stringData|binaryData)(?:(?:[./]|\[` + quote + `)[\w.-]+` + quote + `\]?(?:[ \t]*` + sign + `[ \t]*| (?:was )?(?:changed )?from )| [\w.-]+=|:[ \t]+[\w.-]+:[ \t]+)`),
		// The path on a line of its own, and the values on the next ones.
		above:   regexp.MustCompile(`(?:^|[\s.])(?:data|stringData|binaryData)[./][\w.-]+:?[ \t]*\r?\n`),
		listing: regexp.MustCompile(`(?:^|\n)=+ Data =+[ \t]*\n`),
		toml:    regexp.MustCompile(`(?:^|\n)[ \t]*\[(?:data|stringData|binaryData)\][ \t]*\r?\n`),
		element: regexp.MustCompile(`<(?:data|stringData|binaryData)>`),
		// What the API server quotes of an object that it cannot decode.
		excerpt: regexp.MustCompile(`\.\.\.\|([^|]+)\|\.\.\.`),
	}
})

// notedSecrets appends the values of every Secret that s shows in a notation other than YAML.
func notedSecrets(s string, found []span, m *effort.Meter) []span {
	if strings.Contains(s, "as a Secret") && strings.Contains(s, "error found in #") { // which quotes the object
		for _, at := range notationsOf().excerpt.FindAllStringSubmatchIndex(s, -1) {
			found = append(found, span{at[2], at[3]})
		}
	}
	if !containsAny(s, "ata", " map[") {
		return found
	}
	p := notationsOf()
	sure := containsAny(s, "ecret", "Opaque", "kubernetes.io/", "tringData") && p.kind.MatchString(s)
	if !sure && !(containsAny(s, "ecret", "v1") && !strings.Contains(s, "ConfigMap") && p.mention.MatchString(s)) {
		return listedValues(s, patchedValues(s, false, found, m), m)
	}
	// One text that shows a Secret may show it in parts (kubectl prints the patch and, in it, the last applied configuration), so
	// all data in it counts.
	open := p.block.FindAllStringIndex(s, -1)
	if sure {
		open = append(open, p.unnamed.FindAllStringIndex(s, -1)...)
	}
	d := dataReader{s: s, meter: m, found: found}
	configMaps := strings.Contains(s, "ConfigMap")
	for _, m := range open {
		if m[1] <= d.done || configMaps && d.inConfigMap(m[0]) {
			continue // within a value, or that of another object in the same text
		}
		d.block(m[1])
		for strings.HasPrefix(s[min(d.done, len(s)):], " map[") { // the next field of %v
			d.block(d.done + len(" map["))
		}
	}
	found = changedBelow(s, flatValues(s, patchedValues(s, true, d.found, m), m), m)
	found = listedValues(s, found, m)
	if sure {
		found = sectionValues(s, found, m)
	}
	return found
}

// patchedValues appends the values that a JSON patch sets below data. If nothing says that a Secret is meant, a ConfigMap may be:
// then only those of stringData, and what is encoded.
func patchedValues(s string, sure bool, found []span, meter *effort.Meter) []span {
	if !strings.Contains(s, "path") || !containsAny(s, "/data", "/stringData", "/binaryData") {
		return found
	}
	p := notationsOf()
	paths := p.path.FindAllStringSubmatchIndex(s, -1)
	if paths == nil {
		return found
	}
	d := dataReader{s: s, meter: meter, found: found}
	for i, m := range paths {
		meter.Look(expressionSteps)
		from, to := max(0, m[0]-keyWindow), min(len(s), m[1]+keyWindow)
		if i > 0 {
			from = max(from, paths[i-1][1])
		}
		if i+1 < len(paths) {
			to = min(to, paths[i+1][0])
		}
		if end := strings.IndexAny(s[m[1]:to], "{}"); end >= 0 {
			to = m[1] + end
		}
		at := -1
		if v := p.member.FindStringIndex(s[m[1]:to]); v != nil {
			at = m[1] + v[1]
		} else if v := p.member.FindStringIndex(s[from:m[0]]); v != nil {
			at = from + v[1]
		}
		if at < 0 || at >= len(s) {
			continue
		}
		n := len(d.found)
		if s[at] == '{' && m[1] == m[3] { // all of the data
			d.block(at + 1)
			continue
		}
		open := at
		if i := strings.LastIndexAny(s[from:m[0]], "[{"); i >= 0 {
			open = from + i
		}
		d.value(at, open, true)
		if len(d.found) > n && !sure && s[m[2]:m[3]] != "stringData" && !isEncoded(s[d.found[n].start:d.found[n].end]) {
			d.found = d.found[:n]
		}
	}
	return d.found
}

// keyWindow is how far the value of an operation may be from its path.
const keyWindow = 512

// isEncoded recognises base64.
func isEncoded(v string) bool { return len(v) >= 8 && len(v)%4 == 0 && isRun(v) }

// flatValues appends the values behind the paths of a Secret's data: data.user=x, stringData["user"]: "x". What is said of a path stays.
func flatValues(s string, found []span, meter *effort.Meter) []span {
	d := dataReader{s: s, meter: meter, found: found}
	for _, m := range notationsOf().flat.FindAllStringIndex(s, -1) {
		if m[1] >= len(s) || m[1] <= d.done {
			continue
		}
		end := m[1] + lineLength(s[m[1]:min(len(s), m[1]+keyWindow)])
		if text, rest := d.quoted(m[1]); rest >= 0 && rest <= end {
			d.hide(text)
			for _, to := range [...]string{" != ", " -> ", " => ", " to ", " vs "} {
				if strings.HasPrefix(s[rest:], to) {
					if text, rest := d.quoted(rest + len(to)); rest >= 0 {
						d.hide(text)
					}
				}
			}
			continue
		}
		if word, _, _ := strings.Cut(s[m[1]:end], " "); !secretname.IsMessage(s[m[1]:end]) && !secretname.Placeholder(word) {
			d.hide(span{m[1], trimRight(s, m[1], lineAround(s, m[1]).end)})
		}
	}
	return d.found
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// sectionValues appends the values below [data] of TOML, and between <data> and </data> of XML.
func sectionValues(s string, found []span, m *effort.Meter) []span {
	if !containsAny(s, "ata]", "ata>") {
		return found
	}
	p := notationsOf()
	d := dataReader{s: s, meter: m, found: found}
	for _, at := range p.toml.FindAllStringIndex(s, -1) {
		if at[1] > d.done {
			d.block(at[1])
		}
	}
	for _, at := range p.element.FindAllStringIndex(s, -1) {
		if at[1] <= d.done {
			continue
		}
		end := strings.Index(s[at[1]:], "</"+s[at[0]+1:at[1]])
		if end < 0 {
			end = len(s) - at[1]
		}
		m.Look(end)
		for from := at[1]; from < at[1]+end; {
			text := span{from, at[1] + end}
			if i := strings.IndexByte(s[from:text.end], '<'); i >= 0 {
				text.end = from + i
			}
			d.hide(text)
			from = text.end + 1
			if i := strings.IndexByte(s[text.end:at[1]+end], '>'); i >= 0 {
				from = text.end + i + 1
			}
		}
		d.done = at[1] + end
	}
	return d.found
}

// changedBelow appends the values on the lines below a path, as a tool prints them that compares documents.
func changedBelow(s string, found []span, m *effort.Meter) []span {
	const most = 8 // lines below a path
	if !containsAny(s, "ata.", "ata/") {
		return found
	}
	p := notationsOf()
	d := dataReader{s: s, meter: m, found: found}
	for _, path := range p.above.FindAllStringIndex(s, -1) {
		for at, n := path[1], 0; at < len(s) && n < most; n++ {
			line := s[at : at+lineLength(s[at:])]
			m.Look(len(line))
			text := strings.TrimLeft(line, " \t")
			if len(text) == len(line) {
				break
			}
			if sign, _, ok := strings.Cut(text, " "); ok && strings.Contains("-+<>", sign) {
				d.hide(span{at + len(line) - len(text) + len("- "), at + len(line)})
			}
			at += len(line) + 1
		}
	}
	return d.found
}

// listedValues appends the values in the listing of a client of Vault.
func listedValues(s string, found []span, m *effort.Meter) []span {
	if !strings.Contains(s, "Data ==") {
		return found
	}
	p := notationsOf()
	d := dataReader{s: s, meter: m, found: found}
	for _, head := range p.listing.FindAllStringIndex(s, -1) {
		for at := head[1]; at < len(s) && s[at] != '\n'; {
			line := s[at : at+lineLength(s[at:])]
			m.Look(len(line))
			key, value, ok := strings.Cut(line, " ")
			if value = strings.TrimLeft(value, " "); ok && key != "Key" && strings.Trim(key, "-") != "" && !strings.HasSuffix(value, " bytes") {
				d.hide(span{at + len(line) - len(value), at + len(line)})
			}
			at += len(line) + 1
		}
	}
	return d.found
}
