package render

import (
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxTokens are shown one by one.
	maxTokens = 4
	// maxHolder and maxTokenID are as much of a name and an ID as fits into two lines with the date.
	maxHolder  = 24
	maxTokenID = 12
	// maxExpiryHeadline is two lines of a phone, with the sign.
	maxExpiryHeadline = 66
)

// expiryRoot announces tokens of an Argo CD that expire, the bot's own first, as many as a screen has room for.
func expiryRoot(i *incident.Incident) Message {
	e, ok := sanitize.Any(i.Expiry).(*incident.Expiry)
	if !ok || len(e.Tokens) == 0 { // cannot be: the copy has the same type
		e = &incident.Expiry{Tokens: []incident.ExpiringToken{{}}}
	}
	tokens := slices.Clone(e.Tokens)
	slices.SortStableFunc(tokens, func(x, y incident.ExpiringToken) int { return ownFirst(&x) - ownFirst(&y) })
	title := "⏳ " + expiryTitle(e.Instance, tokens, i.OpenedAt)
	var body []blocks.Block
	for _, r := range []struct {
		limit int
		whole bool
	}{{maxTokens, true}, {maxTokens, false}, {2, true}, {2, false}, {1, true}, {1, false}} {
		if body = expiryBody(tokens, title, r.limit, r.whole); blocks.Height(body...) <= maxFailure {
			break
		}
	}
	return message(body, nil, "", title, consequence(tokens))
}

// expiryBody lists so many of the tokens; whole: with the command that deletes the first one.
func expiryBody(tokens []incident.ExpiringToken, title string, limit int, whole bool) []blocks.Block {
	var items [][]blocks.Span
	for n := range tokens[:min(limit, len(tokens))] {
		items = append(items, tokenLine(&tokens[n]))
	}
	body := []blocks.Block{blocks.Header(title), blocks.Bullets(items...)}
	if more := len(tokens) - len(items); more > 0 {
		body = append(body, blocks.Context("and "+text.More(more), "", never))
	}
	body = append(body, blocks.Text(blocks.Plain(consequence(tokens))), blocks.Text(blocks.Bold("Fix")))
	body = append(body, newToken(&tokens[0], whole)...)
	if len(tokens) > 1 {
		body = append(body, blocks.Text(blocks.Plain("Do the same for the other tokens.")))
	}
	return append(body, blocks.Context("Announced 14, 3 and 1 days before a token expires", "", never))
}

// consequence is what happens when the tokens have expired.
func consequence(tokens []incident.ExpiringToken) string {
	switch {
	case tokens[0].Own:
		return "Once it expires, the bot cannot read this Argo CD: no diagnoses and no alerts until the token is replaced."
	case len(tokens) > 1:
		return "After that, Argo CD rejects every request that uses them."
	}
	return "After that, Argo CD rejects every request that uses it."
}

func ownFirst(t *incident.ExpiringToken) int {
	if t.Own {
		return 0
	}
	return 1
}

// expiryTitle is the headline: whose token, and when it expires, as of when it was announced.
func expiryTitle(instance string, tokens []incident.ExpiringToken, announced time.Time) string {
	prefix := ""
	if instance != "" {
		prefix = sanitize.End(instance, maxHolder) + ": "
	}
	first, last := &tokens[0], slices.MaxFunc(tokens, func(x, y incident.ExpiringToken) int { return x.Expires.Compare(y.Expires) })
	switch {
	case first.Own && len(tokens) > 1:
		return prefix + "the bot's own token expires " + inDays(first.Expires, announced) + ", and " + text.Count(len(tokens)-1, "other", "others") + " by " + day(last.Expires)
	case first.Own:
		return prefix + "the bot's own token expires " + inDays(first.Expires, announced)
	case len(tokens) > 1:
		soonest := slices.MinFunc(tokens, func(x, y incident.ExpiringToken) int { return x.Expires.Compare(y.Expires) })
		return prefix + text.Count(len(tokens), "token expires", "tokens expire") + ", the first " + inDays(soonest.Expires, announced)
	}
	title := prefix + "token of " + holder(first) + " expires " + inDays(first.Expires, announced)
	if utf8.RuneCountInString(title) > maxExpiryHeadline {
		title = prefix + "token of " + shortest(first) + " expires " + inDays(first.Expires, announced)
	}
	return title
}

// shortest is who has a token, without the role: the list below the headline has that.
func shortest(t *incident.ExpiringToken) string {
	if t.Account != "" {
		return "account " + sanitize.End(t.Account, maxHolder)
	}
	return "project " + sanitize.End(t.Project, maxHolder)
}

// inDays says in how many days a token expires, and on which: an announcement comes some minutes after the full number of days.
func inDays(expires, now time.Time) string {
	const aDay = 24 * time.Hour
	left := expires.Sub(now)
	switch {
	case left <= aDay:
		return "within a day, on " + day(expires)
	case left > 2*aDay:
		left = left.Round(aDay)
	}
	return "in " + text.Duration(left) + ", on " + day(expires)
}

// day is a date for a headline, in which Slack does not write the reader's time.
func day(t time.Time) string { return t.UTC().Format("2 Jan") }

func holder(t *incident.ExpiringToken) string {
	if t.Account != "" {
		return "account " + t.Account
	}
	return "role " + t.Role + " in project " + t.Project
}

func shortHolder(t *incident.ExpiringToken) string {
	short := *t
	short.Account, short.Project, short.Role = sanitize.End(t.Account, maxHolder), sanitize.End(t.Project, maxHolder), sanitize.End(t.Role, maxHolder)
	return holder(&short)
}

func tokenLine(t *incident.ExpiringToken) []blocks.Span {
	spans := []blocks.Span{blocks.Plain(text.UpperFirst(shortHolder(t)) + ", "), blocks.Mono(sanitize.Start(t.ID, maxTokenID)), blocks.Plain(": "), blocks.Clock(t.Expires)}
	if t.Replaced {
		spans = append(spans, blocks.Plain(", a newer one exists"))
	}
	return spans
}

// newToken is how to replace a token by one that is valid for as long.
func newToken(t *incident.ExpiringToken, whole bool) []blocks.Block {
	if posted.Private(t.Project) {
		return []blocks.Block{blocks.Text(blocks.Plain("Ask someone who has access to that project to create a new token"))}
	}
	where := "Once it is in use, delete the old one"
	if t.Own {
		where = "Put it where argocd[].token of the configuration points, restart the bot, then delete the old one"
	}
	create, remove := TokenCommands(t)
	out := append([]blocks.Block{blocks.Text(blocks.Plain("Create a new token for " + shortHolder(t)))}, blocks.Code(create)...)
	if out = append(out, blocks.Text(blocks.Plain(where))); whole {
		out = append(out, blocks.Code(remove)...)
	}
	return out
}

// TokenCommands are those that create a token like this one, and delete this one. argocd knows the token of a role by when it was issued.
func TokenCommands(t *incident.ExpiringToken) (create, remove string) {
	if t.Account == "" {
		return diagnose.Printed(diagnose.Shell("argocd proj role create-token %s %s --expires-in %s", t.Project, t.Role, lifetime(t))),
			diagnose.Printed(diagnose.Shell("argocd proj role delete-token %s %s %s", t.Project, t.Role, strconv.FormatInt(t.Issued.Unix(), 10)))
	}
	return diagnose.Printed(diagnose.Shell("argocd account generate-token --account %s --expires-in %s", t.Account, lifetime(t))),
		diagnose.Printed(diagnose.Shell("argocd account delete-token --account %s %s", t.Account, t.ID))
}

// lifetime is how long a token is valid, as argocd reads it.
func lifetime(t *incident.ExpiringToken) string {
	const aDay = 24 * time.Hour
	if life := t.Expires.Sub(t.Issued); life < 2*aDay {
		return fmt.Sprintf("%dh", max(1, life/time.Hour))
	}
	return fmt.Sprintf("%dd", t.Expires.Sub(t.Issued)/aDay)
}
