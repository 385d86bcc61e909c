package answer

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

// maxDiffValue is where a value is cut.
const maxDiffValue = 90

// diff says how an application differs from Git.
type diff struct {
	backend Backend
	places  *audience.Places
	post    poster
}

// answer says in which fields the application differs from Git, with both values and who wrote the live one.
func (d diff) answer(ctx context.Context, q *query, k apps.Known) error {
	found, err := d.backend.Diff(ctx, k.App, q.audience(ctx, d.places))
	if err != nil {
		return fmt.Errorf("compare %s: %w", k.App.Full(), goneError(err, k.App))
	}
	rest := diagnose.Printed(diagnose.Shell("argocd app diff %s", k.App.Label()))
	title := fmt.Sprintf("%s: %s from Git", k.App.Full(), text.Count(len(found.Resources)+found.Further, "resource differs", "resources differ"))
	switch {
	case len(found.Resources) == 0 && found.Sync == "Synced":
		title = k.App.Full() + ": matches Git"
	case len(found.Resources) == 0:
		title = fmt.Sprintf("%s: Argo CD reports %s, but no resource that differs", k.App.Full(), found.Sync)
	}
	body := []blocks.Block{blocks.Text(blocks.Bold(title))}
	if found.Revision != "" {
		body = append(body, blocks.Context("Compared with "+text.Revision(found.Revision), "", never))
	}
	for _, r := range found.Resources {
		body = append(body, resourceBlocks(r)...)
	}
	if found.Further > 0 {
		said := []blocks.Span{blocks.Plain(andMore(found.Further, "resource", "resources"))}
		if rest != "" {
			said = append(said, blocks.Plain(": "), blocks.Mono(rest))
		}
		body = append(body, blocks.Text(said...))
	}
	return d.post.openly(ctx, q, k.App, *render.Compose(title, body, rest))
}

func resourceBlocks(r posted.Differing) []blocks.Block {
	heading := []blocks.Span{blocks.Bold(r.Ref.String())}
	if r.Ref.Namespace != "" {
		heading = append(heading, blocks.Plain(" in "+r.Ref.Namespace))
	}
	note := ""
	switch {
	case r.Prune:
		note = "is in the cluster but not in Git: a sync with prune deletes it"
	case r.Unread != "":
		note = "differs, but its fields could not be compared: " + r.Unread
	case r.Missing:
		note = "is in Git but not in the cluster: a sync creates it"
	case r.Ref.Kind == "Secret" && r.Ref.Group == "":
		note = "differs; the contents of Secrets are never shown"
	case len(r.Fields) == 0 && r.Further > 0:
		note = "differs in " + text.Count(r.Further, "field", "fields") + ", too large to compare"
	case len(r.Fields) == 0:
		note = "is out of sync, but no field differs"
	}
	if note != "" {
		return []blocks.Block{blocks.Text(append(heading, blocks.Plain(" "+note))...)}
	}
	var fields [][]blocks.Span
	for _, f := range r.Fields {
		fields = append(fields, fieldSpans(f))
	}
	if r.Further > 0 {
		fields = append(fields, []blocks.Span{blocks.Plain(andMore(r.Further, "field", "fields"))})
	}
	return []blocks.Block{blocks.Text(heading...), blocks.Bullets(fields...)}
}

func fieldSpans(f posted.Field) []blocks.Span {
	out := []blocks.Span{blocks.Mono(f.Path), blocks.Plain("\nGit "), valueSpan(f.Name, f.Git), blocks.Plain("  live "), valueSpan(f.Name, f.Live)}
	if f.Manager == "" {
		return out
	}
	return append(out, blocks.Plain("  set by "+f.Manager+" "), blocks.Ago(f.At))
}

func valueSpan(name string, v posted.Value) blocks.Span {
	if !v.Set {
		return blocks.Plain("not set")
	}
	if v.Text == "" {
		return blocks.Plain("empty")
	}
	content := text.OneLine(withoutSecrets(name, v.Text))
	if utf8.RuneCountInString(content) > maxDiffValue {
		content, _ = blocks.Shorten(content, maxDiffValue)
	}
	return blocks.Mono(content)
}

// withoutSecrets is a value without secrets. What a value is called decides whether it is one.
func withoutSecrets(name, content string) string {
	if redact.Named(name, content) {
		return redact.Replacement
	}
	return redact.String(content)
}
