package corpus

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand"
	"strconv"
	"strings"
)

// value is a made text; parts, where set, are the strings in it that are
// secret (for one of several lines), else the whole is.
type value struct {
	text  string
	parts []string
}

func (v value) secrets() []string {
	if v.parts != nil {
		return v.parts
	}
	return []string{v.text}
}

type gen struct{ r *rand.Rand }

func newGen(seed int64, kind string) *gen {
	h := sha256.Sum256([]byte(fmt.Sprintf("%d\x00%s", seed, kind)))
	return &gen{rand.New(rand.NewSource(int64(binary.BigEndian.Uint64(h[:8]))))} //nolint:gosec // the same for the same seed
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	alnum  = digits + upper + lower
	symb   = "!#%*-_+.?~^"
)

func (g *gen) str(alpha string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alpha[g.r.Intn(len(alpha))]
	}
	return string(b)
}

func (g *gen) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.r.Intn(256))
	}
	return b
}

var words = strings.Fields("autumn harbor copper violet saddle turnip meadow falcon window basket thunder pillow garnet walnut summit rocket lantern maple orchid badger canyon dragon ember fjord glacier hazel island jungle kettle ladder marble nectar ocean pepper quartz river silver timber umber velvet willow zephyr anchor bridge candle desert engine forest guitar hammer")

func (g *gen) word() string { return words[g.r.Intn(len(words))] }

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func b64u(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

func (g *gen) jwt(header, claims string) string {
	return b64u(header) + "." + b64u(claims) + "." + base64.RawURLEncoding.EncodeToString(g.bytes(32))
}

func (g *gen) uuid() string {
	h := g.str("0123456789abcdef", 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-" + string("89ab"[g.r.Intn(4)]) + h[17:20] + "-" + h[20:]
}

// pem: a private key's body in lines; parts are the lines.
func (g *gen) pem(start string, total, width int, sep, pad string) value {
	body := start + g.str(alnum+"+/", total-len(start)-len(pad)) + pad
	var lines []string
	for len(body) > width {
		lines = append(lines, body[:width])
		body = body[width:]
	}
	if body != "" {
		lines = append(lines, body)
	}
	parts := lines
	if len(lines) > 3 {
		parts = []string{lines[0], lines[len(lines)/2], lines[len(lines)-2]}
	}
	ok := []string{}
	for _, p := range parts {
		if len(p) >= 8 {
			ok = append(ok, p)
		}
	}
	return value{strings.Join(lines, sep), ok}
}

func (g *gen) make(spec, where string) value {
	spec, filters, _ := strings.Cut(spec, "|")
	var v value
	if strings.Contains(spec, "{") {
		s := ""
		for {
			i := strings.Index(spec, "{")
			if i < 0 {
				s += spec
				break
			}
			j := strings.Index(spec, "}")
			if j < i {
				panicf("%s: braces in %q", where, spec)
			}
			s += spec[:i] + g.one(spec[i+1:j], where).text
			spec = spec[j+1:]
		}
		v = value{text: s}
	} else {
		v = g.one(spec, where)
	}
	if filters != "" {
		v = g.filter(v, filters, where)
	}
	return v
}

func (g *gen) one(spec, where string) value {
	name, arg, _ := strings.Cut(spec, ":")
	n, _ := strconv.Atoi(arg)
	t := func(s string) value { return value{text: s} }
	need := func() int {
		if n == 0 {
			panicf("%s: %q wants a number", where, spec)
		}
		return n
	}
	switch name {
	case "pw": // password of a generator: letters and digits
		s := g.str(alnum, need()-3)
		return t(g.str(lower, 1) + s + g.str(digits, 1) + g.str(upper, 1))
	case "pws": // with signs
		s := []byte(g.str(alnum, need()))
		for i := 2; i < n-1; i += 5 {
			s[i] = symb[g.r.Intn(len(symb))]
		}
		return t(string(s))
	case "human": // a person's password
		return t(title(g.word()) + g.word() + g.str("123456789", 1) + g.str(digits, 1) + g.str("!#*?", 1))
	case "leet":
		return t(strings.NewReplacer("a", "4", "e", "3", "o", "0", "i", "1").Replace(title(g.word())) + g.str("-_.", 1) + title(g.word()) + strconv.Itoa(2000+g.r.Intn(27)))
	case "phrase":
		return t(g.word() + "-" + g.word() + "-" + g.word() + "-" + g.word())
	case "phrase_": // with spaces
		return t(g.word() + " " + g.word() + " " + g.word() + " " + g.word())
	case "word":
		return t(g.word())
	case "hex":
		return t(g.str("0123456789abcdef", need()))
	case "HEX":
		return t(g.str("0123456789ABCDEF", need()))
	case "al":
		return t(g.str(alnum, need()))
	case "alpha":
		return t(g.str(lower+upper, need()))
	case "low":
		return t(g.str(lower+digits, need()))
	case "letters":
		return t(g.str(lower, need()))
	case "podlike":
		return t(g.str("bcdfghjklmnpqrstvwxz2456789", need()))
	case "up":
		return t(g.str(upper+digits, need()))
	case "b32":
		return t(g.str(upper+"234567", need()))
	case "b58":
		return t(g.str("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", need()))
	case "dig":
		return t(g.str("123456789", 1) + g.str(digits, need()-1))
	case "b64":
		return t(base64.StdEncoding.EncodeToString(g.bytes(need())))
	case "b64c": // so many characters of the alphabet
		return t(g.str(alnum+"+/", need()))
	case "url64":
		return t(base64.RawURLEncoding.EncodeToString(g.bytes(need())))
	case "urlc":
		return t(g.str(alnum+"-_", need()-1) + g.str(alnum, 1))
	case "uuid":
		return t(g.uuid())
	case "UUID":
		return t(strings.ToUpper(g.uuid()))
	case "pin":
		return t(g.str(digits, 6))
	case "oct": // an IP address's last bytes
		return t(fmt.Sprintf("%d.%d", g.r.Intn(255), 1+g.r.Intn(254)))
	case "gh": // GitHub: 30 characters and their CRC-32 in base 62
		s := g.str(alnum, 30)
		return t(arg + "_" + s + base62(crc32.ChecksumIEEE([]byte(s)), 6))
	case "ghpat":
		a, b := g.str(alnum, 22), g.str(alnum, 53)
		return t("github_pat_" + a + "_" + b + base62(crc32.ChecksumIEEE([]byte(b)), 6))
	case "npm":
		s := g.str(alnum, 30)
		return t("npm_" + s + base62(crc32.ChecksumIEEE([]byte(s)), 6))
	case "glsa":
		s := g.str(alnum, 32)
		return t("glsa_" + s + "_" + fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(s))))
	case "atatt":
		s := "ATATT3xFfGF0" + g.str(alnum+"-_", 171)
		return t(s + "=" + strings.ToUpper(fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(s)))))
	case "nkey": // NATS seed: prefix S + type, 32 bytes, CRC-16
		typ := map[string]byte{"user": 20 << 3, "account": 0, "operator": 14 << 3}[arg]
		b1 := byte(18<<3) | typ>>5
		b2 := typ & 31 << 3
		raw := append([]byte{b1, b2}, g.bytes(32)...)
		c := crc16(raw)
		raw = append(raw, byte(c), byte(c>>8))
		return t(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw))
	case "age":
		return t(strings.ToUpper(bech32("age-secret-key-", g.bytes(32))))
	case "agepub":
		return t(bech32("age", g.bytes(32)))
	case "jwt":
		return t(g.jwt(`{"alg":"HS256","typ":"JWT"}`, fmt.Sprintf(`{"sub":"%s","iat":17%s,"iss":"auth"}`, g.str(digits, 10), g.str(digits, 8))))
	case "argojwt":
		return t(g.jwt(`{"alg":"HS256","typ":"JWT"}`, fmt.Sprintf(`{"iss":"argocd","sub":"admin:apiKey","nbf":17%s,"jti":"%s"}`, g.str(digits, 8), g.uuid())))
	case "sajwt":
		return t(g.jwt(`{"alg":"RS256","kid":"`+g.str(alnum+"-_", 43)+`"}`, `{"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"shop","kubernetes.io/serviceaccount/secret.name":"deployer-token-`+g.str(lower, 5)+`","sub":"system:serviceaccount:shop:deployer"}`))
	case "basic":
		return t(base64.StdEncoding.EncodeToString([]byte(arg + ":" + g.str(alnum, 18))))
	case "glc":
		return t("glc_" + base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf(`{"o":"%s","n":"stack-prod-write","k":"%s","m":{"r":"eu"}}`, g.str(digits, 6), g.str(alnum, 24)))))
	case "sntrys":
		return t("sntrys_" + base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf(`{"iat":17%s.%s,"url":"https://sentry.io","region_url":"https://us.sentry.io","org":"acme"}`, g.str(digits, 8), g.str(digits, 6)))) + "_" + g.str(alnum+"+/", 43))
	case "totp":
		return t(g.str(upper+"234567", 32))
	case "rsa":
		return g.pem("MIIEpAIBAAKCAQEA", 1588, 64, sep(arg), "==")
	case "pkcs8":
		return g.pem("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ", 1624, 64, sep(arg), "=")
	case "ec":
		return g.pem("MHcCAQEEI", 164, 64, sep(arg), "==")
	case "ecp8":
		return g.pem("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg", 184, 64, sep(arg), "")
	case "ed":
		return g.pem("MC4CAQAwBQYDK2VwBCIEI", 64, 64, sep(arg), "")
	case "encp8":
		return g.pem("MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI", 1700, 64, sep(arg), "=")
	case "dsa":
		return g.pem("MIIBuwIBAAKBgQD", 592, 64, sep(arg), "==")
	case "openssh":
		return g.pem("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQAAAC", 344, 70, sep(arg), "=")
	case "pgp":
		return g.pem("lQdGBG", 900, 64, sep(arg), "==")
	case "agefile":
		return g.pem("YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA", 280, 64, sep(arg), "=")
	case "p12":
		return g.pem("MIIKGQIBAzCCCd8GCSqGSIb3DQEHAaCCCdAEggnM", 640, 64, sep(arg), "=")
	case "crt": // a certificate, which is no secret
		return value{text: g.pem("MIIDdzCCAl+gAwIBAgIE", 900, 64, sep(arg), "==").text}
	}
	panicf("%s: no generator %q", where, spec)
	return value{}
}
