package redact

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// A hostile text repeats what makes a search look far ahead, and ends before it finds anything. Which fragments do that is not guessed: they
// are the words of the scanner and of the rules themselves, and what stands between words. A new notation is tried as soon as it is
// in the source.
var hostileFragments = append([]string{
	"INSERT INTO t (password) VALUES (", "password: ", "password=", "password: \"", "password='", "token ", "secret: [", "secret={", `"-p",`, "curl -u ", "mysql -p",
	"identified by ", `{"name":"DB_PASSWORD","value":"`, "<password>", "</password>", "name: PASSWORD\n", "value: ", "passwords:\n  - ", "password: |\n  x\n",
	"data:\n  a: b\n", "kind: Secret\n", `"kind":"Secret"`, `"data":{"a":"`, "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", base64Of("password=Xk9dp2fZ7qW"),
	`\"`, `\\`, `\n`, `\u0026`, "%40", "%25", "&amp;", "=3D", "-----BEGIN PRIVATE " + "KEY-----\n", "-----END PRIVATE " + "KEY-----\n", "-----BEGIN CERTIFICATE-----",
	"https://u:", "https://u:p@h/", "@", "://", "'", `"`, "`", "''", "(", ")", "[", "]", "{", "}", "{{", "}}", "<", ">", ",", ";", "|", "&", "=", ":", " ", "\n", "\r\n", "\t",
	"  - ", "- ", "\n  ", "\n---\n", " #", "/", ".", "-", "_", "+", "*", "[redacted]", "password=[redacted]", "a", "A1b2C3d4", "7", "0a", "\u200b", "\x1b[1m", "\x1b]", "é", "\x80",
	"eyJ" + "hbGciOiJIUzI1NiJ9.", "gh" + "p_", "Xk9dp2fZ7qW4", "Bearer ", "Authorization: ", "got: ", " for ", "$(", "${", "<<EOF\n", "-> ", "secretGenerator:\n", "  - a=b\n", "!!", "&a ",
	"map[", "&{", "...", "::", "%3D", "--password ", "- --password\n", "sa;PWD={", "+a%", "a+b+c",
}, append(literalsOfSource(), keywordsOfRules()...)...)

// literalsOfSource are the texts and the bytes in the source of the search.
func literalsOfSource() []string {
	var out []string
	for _, dir := range [...]string{".", "named", "secretname"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			panic(fmt.Sprint("no source in ", dir, ": ", err))
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				panic(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING && l.Kind != token.CHAR {
					_, isImport := n.(*ast.ImportSpec)
					return !isImport
				}
				if s, err := strconv.Unquote(l.Value); err == nil {
					out = append(out, wordsOf(s)...)
				}
				return true
			})
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// wordsOf takes a list of words apart.
func wordsOf(s string) []string {
	const longestFragment = 40
	if len(s) > longestFragment {
		return strings.Fields(s)
	}
	return []string{s}
}

func keywordsOfRules() []string {
	var out []string
	for _, r := range shared().rules {
		out = append(out, r.keywords...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stepsOf is what it costs to redact a fragment that is repeated up to n bytes, in steps for each byte.
func stepsOf(fragment string, n int) int {
	text := strings.Repeat(fragment, n/len(fragment)+1)
	m := effort.New(context.Background(), 1<<60)
	within(m, text)
	return m.Spent() / len(text)
}

// mostSteps is what any of them may cost a byte, and bounded how far a search looks ahead at most: below that, more text costs more for each
// byte although it does not grow without end.
const (
	mostSteps = stepsPerByte
	bounded16 = 16 << 10
)

// checkLinear requires that twice the text costs twice as much.
func checkLinear(t *testing.T, fragment string) {
	t.Helper()
	const enough = 400 // not worth a second look: a text of n bytes that is read once for each fragment costs far more
	once := stepsOf(fragment, bounded16)
	if once <= enough {
		return
	}
	twice := stepsOf(fragment, 2*bounded16)
	if once > mostSteps {
		t.Errorf("%q repeated: %d steps a byte", fragment, once)
	}
	if float64(twice) <= 1.25*float64(once) {
		return
	}
	// An odd number of quotes may cost another constant than an even one, which does not grow on.
	if eight := stepsOf(fragment, 8*bounded16); 2*eight > 3*twice {
		t.Errorf("%q repeated: %d steps a byte in %d KB, %d in twice and %d in eight times as much", fragment, once, bounded16>>10, twice, eight)
	}
}

// A sample of all pairs and triples, the same at each run; the fuzz target below takes others.
func TestRepeatedFragmentsCostAsMuchAsTheTextIsLong(t *testing.T) {
	const seconds = 10
	r := rand.New(rand.NewPCG(1, 2))
	end := time.Now().Add(seconds * time.Second)
	for range 20_000 {
		if time.Now().After(end) { // a slow machine tries fewer of them
			return
		}
		fragment := ""
		for range 2 + r.IntN(2) {
			fragment += hostileFragments[r.IntN(len(hostileFragments))]
		}
		if fragment != "" {
			checkLinear(t, fragment)
		}
	}
}

// These were quadratic, or worse.
func TestFragmentsThatWereReadAgainAndAgain(t *testing.T) {
	for _, fragment := range []string{
		"INSERT INTO t (password) VALUES (", `"data":{"a":"curl -u `, "''AUTH ", `\"AUTH etsy`, `\"AUTH kty\"`, `mysql -p\\`, "mysql -p]", "id_ed|", "name: PASSWORD\n",
		"twitternpg_", "glsoat-bittrex", "pw:", "pw:a(", `{pw:a(\`, "[pw=", `"data":{\\\"`, "curl x\r", "pw ((", "https://u:p@h/+",
	} {
		checkLinear(t, fragment)
	}
}

func FuzzRepeatedFragments(f *testing.F) {
	f.Add(uint16(0), uint16(1), uint16(2))
	f.Fuzz(func(t *testing.T, a, b, c uint16) {
		at := func(i uint16) string { return hostileFragments[int(i)%len(hostileFragments)] }
		if fragment := at(a) + at(b) + at(c); fragment != "" {
			checkLinear(t, fragment)
		}
	})
}

func TestATextThatIsTooExpensiveIsNotShown(t *testing.T) {
	secret := "password=Xk9dp2fZ7qW "
	if _, ok := within(effort.New(t.Context(), 10), secret); ok {
		t.Error("a text was shown whose search was not finished")
	}
	if got := String(strings.Repeat(secret, longest)); got != NotShown {
		t.Errorf("a text of %d bytes became %.80q", len(secret)*longest, got)
	}
	if got := String(NotShown); got != NotShown {
		t.Errorf("the sentence became %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := StringContext(ctx, secret); got != NotShown {
		t.Errorf("without its context, a text became %q", got)
	}
}

// In each round a value comes into view.
func TestATextThatIsNeverCleanIsNotShown(t *testing.T) {
	text := strings.Repeat(`"data":{"a":"curl -u `, 4<<10)
	got := String("all is well\n" + text)
	if strings.Contains(got, "curl") {
		t.Errorf("it became %.200q", got)
	}
	if again := String(got); again != got {
		t.Errorf("it became %.200q and then %.200q", got, again)
	}
}

// The limit is for texts that were made to be expensive. A log in which each line has a secret of another kind, which is the most expensive
// of the others, is far from it.
func TestOrdinaryTextsAreFarFromTheLimit(t *testing.T) {
	var secrets strings.Builder
	for _, p := range plantedSecrets() {
		secrets.WriteString(strings.ReplaceAll(p.text, "§", p.secret) + "\n")
	}
	for name, text := range map[string]string{
		"secrets":   strings.Repeat(secrets.String(), 1+(64<<10)/secrets.Len()),
		"words":     strings.Repeat("level=warning msg=\"cannot refresh token for secret db-credentials: key password not found\" api=v1 auth=none url=https://db.example.com:5432/x\n", 500),
		"passwords": strings.Repeat("user=app password="+fake("", alnum, 12)+" token="+fake("", alnum, 30)+"\n", 1000),
		"different": differentPasswords(64 << 10),
		"json":      strings.Repeat(`{"level":"info","token":"`+fake("", alnum, 30)+`","key":"a","password":"`+fake("", alnum, 12)+`"},`, 1000),
	} {
		m := effort.New(t.Context(), 1<<60)
		if _, ok := within(m, text); !ok || m.Spent() > stepsPerByte*len(text)/3 {
			t.Errorf("%s: %d steps a byte, ok is %t", name, m.Spent()/len(text), ok)
		}
	}
}
