package incident

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose"
)

const (
	// nameMark stands before a name: a file, a module, a host, a user, a column. Another name is another error; another word may be data.
	nameMark = "="
	// longError is in how many words of an error one may be another: "cannot charge customer alice: ledger refused the posting".
	longError = 7
)

// saidOf is what an error says, without what differs from one attempt, pod or day to the next: its words and names. The title of a finding is no
// part of it: it is ours, and follows what happens in Git.
func saidOf(f *diagnose.Finding) (words []string) {
	known := map[string]bool{}
	for _, text := range errorsOf(f) {
		for _, w := range said(text) {
			name, isName := strings.CutPrefix(w, nameMark)
			if known[name] || len(words) == keyWords {
				continue
			}
			known[name] = true
			if name = short(name, keyWord); isName {
				name = nameMark + name
			}
			words = append(words, name)
		}
	}
	slices.Sort(words)
	return words
}

// errorsOf are the texts that say what a finding is about: the clause that decides, else, of the application as a whole, the errors that it quotes.
func errorsOf(f *diagnose.Finding) (texts []string) {
	if f.Says.Text != "" {
		texts = append(texts, f.Says.Text)
	}
	for _, q := range f.Evidence {
		if f.Rule == "unknown" || f.Says.Text == "" && f.Resource.IsZero() && quotesError.MatchString(q.From) {
			texts = append(texts, q.Text)
		}
	}
	return texts
}

// quotesError is where a finding has an error from that it quotes. All else is the state of something, which changes.
var quotesError = regexp.MustCompile(`^condition |^Argo CD's answer`)

// said are the words and names of an error, in its order.
func said(text string) (words []string) {
	if cut := strings.TrimRight(text, ". "); strings.HasSuffix(cut, "…") || strings.HasSuffix(text, "...") { // its last word may be a part of one
		text = cut[:max(0, strings.LastIndexByte(cut, ' '))]
	}
	for _, d := range differs {
		if slices.ContainsFunc(d.marks, func(mark string) bool { return strings.Contains(text, mark) }) {
			text = d.pattern.ReplaceAllString(text, d.by)
		}
	}
	before := ""
	for _, at := range saidWord.FindAllStringIndex(text, -1) {
		w := strings.Trim(text[at[0]:at[1]], "-./")
		plain := strings.ToLower(w)
		quote := quoteBefore.MatchString(text[max(0, at[0]-5):at[0]])
		isName := quote || slices.Contains(names, before) || looksLikeName(w)
		if before = plain; isName {
			plain = asSaid(plain)
		}
		switch {
		case !strings.ContainsFunc(plain, unicode.IsLetter), len(w) < 2 && !quote, slices.Contains(anyError, plain):
		case isName:
			words = append(words, nameMark+plain)
		case strings.ContainsFunc(plain, unicode.IsDigit):
		default:
			words = append(words, cmp.Or(strings.TrimSuffix(plain, "s"), plain))
		}
	}
	return words
}

// differs is what differs between two texts of one error. Only a text that has one of the marks can have it.
var differs = []struct {
	marks   []string
	pattern *regexp.Regexp
	by      string
}{
	{[]string{"\x1b"}, regexp.MustCompile(`\x1b\[[0-9;]*m`), " "},
	{[]string{"-"}, regexp.MustCompile(`(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`), "#"},
	{[]string{"id", "ID", "Id"}, regexp.MustCompile(`(?i)\b(request|trace|span|correlation|session|transaction)[ _-]?id\b["':= ]*[\w./+=-]+`), " "},
	// Who connected, and from which port.
	{[]string{"->"}, regexp.MustCompile(`\S+:\d+ ?-> ?`), " "},
	// An address of IPv6.
	{[]string{"[", "::"}, regexp.MustCompile(`(?i)(\[)[0-9a-f]*:[0-9a-f:.]*\]|\b[0-9a-f]{1,4}(:[0-9a-f]{0,4}){3,7}\b`), "$1]"},
	// A directory in a temporary one, and a file in it that has a digit or was named by mktemp.
	{
		[]string{"/tmp", "/shm/", "/folders/"},
		regexp.MustCompile("(/private)?(/var|/run|/dev)?/(tmp\\w*|shm|folders)/([^\\s/'\"`:,;]+/|[^\\s/'\"`:,;]*\\d[^\\s/'\"`:,;]*|tmp\\.\\w+)"), " #/",
	},
	{[]string{"v"}, regexp.MustCompile(`\bv\d+(\.\d+)+[-+.\w]*`), "#"},
	// The port of a server, which tells a database from a cache at one address. Those of clients begin at 32768.
	{
		[]string{":", "port"},
		regexp.MustCompile(`(?i)(\b\d+\.\d+\.\d+\.\d+:|\]:|//[^/\s:@]+:|\bdial (?:tcp|udp)[46]? [^\s:]+:|\bport[ =:"]+)([1-9]\d{1,3}|[12]\d{4}|3[01]\d{3})\b`),
		"$1 port$2 ",
	},
	// The status of an answer. Which of those of a server that does not work may depend on the moment.
	{[]string{" 4", ":4", "=4"}, regexp.MustCompile(`(?i)\b(status|statuscode|status code|http|error|code)[ =:]+4(\d\d)\b`), "$1 status4$2 "},
	{[]string{"-"}, suffix, "-#"},
}

// quoteBefore is a quotation mark that begins a quotation: not that of "doesn't".
var quoteBefore = regexp.MustCompile("(?:^|[^\\pL\\pN])['\"`]$")

// saidWord is a word, a name, a path.
var saidWord = regexp.MustCompile(`[\pL\pN_#][\pL\pN_#./-]*`)

// looksLikeName reports whether a word is none of a language: "spec.replicas", "/etc/app", "DATABASE_URL", "NullPointerException", "psycopg2".
func looksLikeName(w string) bool {
	return strings.ContainsAny(w, "._/-") || strings.ContainsFunc(w[1:], unicode.IsUpper) || strings.ContainsFunc(w, unicode.IsDigit) && isNumbered(w)
}

// names are the words before a name.
var names = strings.Fields("module package user role table column relation database key host file field function variable named env secret class lookup tcp udp")

// asSaid is a name without the parts that have a digit and are not a word that ends with a number: a hash, a day, the number of a pod.
func asSaid(name string) string {
	return partOfName.ReplaceAllStringFunc(name, func(part string) string {
		if strings.ContainsFunc(part, unicode.IsDigit) && !isNumbered(part) {
			return "#"
		}
		return part
	})
}

// isNumbered reports whether it is a name that ends with a number: "psycopg2", "s3", "port5432"; not the id "8f2a1b" or "abc123".
func isNumbered(w string) bool { return numbered.MatchString(w) && !hexadecimal.MatchString(w) }

var (
	partOfName  = regexp.MustCompile(`[\pL\pN]+`)
	numbered    = regexp.MustCompile(`^(?:[a-zA-Z]+\d{1,3}|port\d+)$`)
	hexadecimal = regexp.MustCompile(`^[0-9a-fA-F]{5,}$`)
)

// anyError are words that stand in errors of every kind, or that change with the moment.
var anyError = strings.Fields("error errors err failed failure fail fatal panic warn warning info debug exception cannot could not unable " +
	"the an and for with from was has have that this these while when level msg time exit code status cached retry retrying retries attempt attempts " +
	"is are were in on at to of or by as it its be been after before within since until ago another other more times again last next " +
	"am pm ms min mins sec secs second seconds minute minutes hour hours day days " +
	"mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec utc gmt")
