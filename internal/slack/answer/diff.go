package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxResources and maxFields are what a person reads in a chat; argocd app diff has the rest.
	maxResources = 12
	maxFields    = 8
	maxDiffValue = 90
)

// Compare makes a Diff of what Argo CD says of an application and of its resources.
func Compare(app *evidence.Application, managed []evidence.ResourceDiff) Diff {
	d := Diff{Sync: app.Status.Sync.Status, Revision: app.Status.Sync.Revision}
	for _, status := range app.Status.Resources {
		if status.Status != "OutOfSync" || status.Hook {
			continue
		}
		r := Differing{Resource: drift.Resource{Ref: status.Ref()}, Prune: status.RequiresPruning}
		i := slices.IndexFunc(managed, func(m evidence.ResourceDiff) bool { return m.Ref().Same(status.Ref()) })
		if evidence.HasPrivate(status.Name) {
			r.Unread = "not shown: not everyone who reads this has access to that application"
		} else if i < 0 {
			r.Unread = "Argo CD did not return it"
		} else if compared, err := drift.Compare(managed[i]); err != nil {
			r.Unread = "Argo CD's answer could not be read"
		} else {
			r.Resource = *compared
		}
		d.Resources = append(d.Resources, r)
	}
	return d
}

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
		return fmt.Errorf("compare %s: %w", k.App.Name, goneError(err, k.App))
	}
	name := k.App.Name
	if k.App.Namespace != "" {
		name = k.App.Namespace + "/" + name
	}
	rest := diagnose.Printed(diagnose.Shell("argocd app diff %s", name))
	title := fmt.Sprintf("%s: %s from Git", k.App.Name, text.Count(len(found.Resources), "resource differs", "resources differ"))
	switch {
	case len(found.Resources) == 0 && found.Sync == "Synced":
		title = k.App.Name + ": matches Git"
	case len(found.Resources) == 0:
		title = fmt.Sprintf("%s: Argo CD reports %s, but no resource that differs", k.App.Name, found.Sync)
	}
	body := []blocks.Block{blocks.Text(blocks.Bold(title))}
	if found.Revision != "" {
		body = append(body, blocks.Context("Compared with "+text.Revision(found.Revision), "", never))
	}
	for _, r := range found.Resources[:min(maxResources, len(found.Resources))] {
		body = append(body, resourceBlocks(r)...)
	}
	if more := len(found.Resources) - maxResources; more > 0 {
		said := []blocks.Span{blocks.Plain(andMore(more, "resource", "resources"))}
		if rest != "" {
			said = append(said, blocks.Plain(": "), blocks.Mono(rest))
		}
		body = append(body, blocks.Text(said...))
	}
	return d.post.openly(ctx, q, k.App, *render.Compose(title, body, rest))
}

func resourceBlocks(r Differing) []blocks.Block {
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
	case r.Live == nil && r.Target != nil:
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
	for _, f := range r.Fields[:min(maxFields, len(r.Fields))] {
		fields = append(fields, fieldSpans(f))
	}
	if more := max(len(r.Fields)-maxFields, 0) + r.Further; more > 0 {
		fields = append(fields, []blocks.Span{blocks.Plain(andMore(more, "field", "fields"))})
	}
	return []blocks.Block{blocks.Text(heading...), blocks.Bullets(fields...)}
}

func fieldSpans(f drift.Field) []blocks.Span {
	out := []blocks.Span{
		blocks.Mono(f.Path.Short()), blocks.Plain("\nGit "), valueSpan(f.Path, f.Desired, f.InDesired),
		blocks.Plain("  live "), valueSpan(f.Path, f.Live, f.InLive),
	}
	if len(f.Owners) == 0 {
		return out
	}
	o := f.Owners[0]
	out = append(out, blocks.Plain("  set by "+o.Manager+" "))
	return append(out, blocks.Ago(o.Time.Time))
}

func valueSpan(p drift.Path, value any, there bool) blocks.Span {
	if !there {
		return blocks.Plain("not set")
	}
	content, ok := value.(string)
	if raw, err := json.Marshal(value); !ok && err == nil {
		content = string(raw)
	}
	if content == "" {
		return blocks.Plain("empty")
	}
	content = text.OneLine(withoutSecrets(p, content))
	if utf8.RuneCountInString(content) > maxDiffValue {
		content, _ = blocks.Shorten(content, maxDiffValue)
	}
	return blocks.Mono(content)
}

// withoutSecrets is a value without secrets. What a value is called decides whether it is one.
func withoutSecrets(p drift.Path, content string) string {
	if redact.Named(p.Name(), content) {
		return redact.Replacement
	}
	return redact.String(content)
}
