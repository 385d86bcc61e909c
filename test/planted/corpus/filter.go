package corpus

import (
	"bytes"
	"compress/gzip"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

func sep(arg string) string {
	switch arg {
	case "":
		return "\n"
	case "n":
		return `\n`
	case "nn":
		return `\\n`
	case "sp":
		return " "
	case "one":
		return ""
	case "crlf":
		return "\r\n"
	}
	if n, err := strconv.Atoi(arg); err == nil {
		return "\n" + strings.Repeat(" ", n)
	}
	return "\n" + strings.ReplaceAll(arg, "¦", "|")
}

func each(s, format, join string) string {
	var p []string
	for i := 0; i < len(s); i++ {
		p = append(p, fmt.Sprintf(format, s[i]))
	}
	return strings.Join(p, join)
}

func (g *gen) filter(v value, filters, where string) value {
	s := v.text
	parts := []string(nil)
	for _, f := range strings.Split(filters, "|") {
		name, arg, _ := strings.Cut(f, ":")
		n, _ := strconv.Atoi(arg)
		switch name {
		case "b64":
			s = base64.StdEncoding.EncodeToString([]byte(s))
		case "b64n": // with the newline of echo
			s = base64.StdEncoding.EncodeToString([]byte(s + "\n"))
		case "b64u":
			s = b64u(s)
		case "b32e":
			s = base32.StdEncoding.EncodeToString([]byte(s))
		case "hexe":
			s = hex.EncodeToString([]byte(s))
		case "HEXe":
			s = strings.ToUpper(hex.EncodeToString([]byte(s)))
		case "hexsp":
			s = each(s, "%02x", " ")
		case "hexcol":
			s = each(s, "%02x", ":")
		case "hex0x":
			s = each(s, "0x%02x", ", ")
		case "xesc":
			s = each(s, `\x%02x`, "")
		case "uesc":
			s = each(s, `\u%04x`, "")
		case "oct":
			s = each(s, `\%03o`, "")
		case "dec":
			s = each(s, "%d", " ")
		case "decc":
			s = each(s, "%d", ", ")
		case "bin":
			s = each(s, "%08b", " ")
		case "ent":
			s = each(s, "&#%d;", "")
		case "entx":
			s = each(s, "&#x%x;", "")
		case "pct":
			s = each(s, "%%%02X", "")
		case "qp":
			s = each(s, "=%02X", "")
		case "spaced":
			s = each(s, "%c", " ")
		case "dashed":
			s = each(s, "%c", "-")
		case "chars":
			s = each(s, "'%c'", ", ")
		case "jchars":
			s = each(s, `"%c"`, ",")
		case "zwsp":
			s = each(s, "%c", "\u200b")
		case "nul":
			s = each(s, "%c", "\x00")
		case "utf16":
			s = base64.StdEncoding.EncodeToString([]byte(each(s, "%c\x00", "")))
		case "url":
			s = url.QueryEscape(s)
		case "rev":
			b := []byte(s)
			for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
				b[i], b[j] = b[j], b[i]
			}
			s = string(b)
		case "rot13":
			s = strings.Map(func(r rune) rune {
				switch {
				case r >= 'a' && r <= 'z':
					return 'a' + (r-'a'+13)%26
				case r >= 'A' && r <= 'Z':
					return 'A' + (r-'A'+13)%26
				}
				return r
			}, s)
		case "wide": // full-width forms
			s = strings.Map(func(r rune) rune {
				if r > ' ' && r < 127 {
					return r + 0xFEE0
				}
				return r
			}, s)
		case "a85":
			b := make([]byte, ascii85.MaxEncodedLen(len(s)))
			s = string(b[:ascii85.Encode(b, []byte(s))])
		case "gz":
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			if _, err := w.Write([]byte(s)); err != nil {
				panic(err)
			}
			if err := w.Close(); err != nil {
				panic(err)
			}
			s = base64.StdEncoding.EncodeToString(b.Bytes())
		case "wrap": // lines of n characters; each a part
			var l []string
			for len(s) > n {
				l = append(l, s[:n])
				s = s[n:]
			}
			if s != "" {
				l = append(l, s)
			}
			s = strings.Join(l, "\n")
			parts = long(l)
		case "wrapin":
			var l []string
			for len(s) > n {
				l = append(l, s[:n])
				s = s[n:]
			}
			if s != "" {
				l = append(l, s)
			}
			s = strings.Join(l, "\n    ")
			parts = long(l)
		case "join": // pieces of n joined as in a program
			var l []string
			for len(s) > n {
				l = append(l, s[:n])
				s = s[n:]
			}
			l = append(l, s)
			s = strings.Join(l, `" + "`)
			parts = long(l)
		case "upper":
			s = strings.ToUpper(s)
		default:
			panicf("%s: no filter %q", where, f)
		}
	}
	return value{s, parts}
}

// long drops the short ends of a wrapped value, which say little.
func long(l []string) []string {
	var out []string
	for _, x := range l {
		if len(x) >= 8 {
			out = append(out, x)
		}
	}
	return out
}
