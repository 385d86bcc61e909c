package digest

import (
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/text"
)

// OneLine reports whether everything is fine and nothing else is worth saying.
func OneLine(d *incident.Digest) bool {
	o := d.Outlook
	return Fine(d) && (o == nil || len(o.Windows)+len(o.Hooks)+len(o.Unread) == 0)
}

// WindowsHeading is the heading of the sync windows.
func WindowsHeading(o *incident.Outlook) string {
	return "Sync windows in the next " + text.Duration(o.Until.Sub(o.At))
}

// WindowName says which window it is: whose, of what kind, and for what.
func WindowName(w incident.DigestWindow, several bool) string {
	name := w.Project
	if several && w.Instance != "" {
		name = w.Instance + "/" + name
	}
	name += ": " + w.Kind + " window"
	if w.Of != "" {
		name += " (" + w.Of + ")"
	}
	return name
}

// WindowNote is what else is to be known of a window; "" where there is nothing.
func WindowNote(w incident.DigestWindow) string {
	var notes []string
	if w.Manual {
		notes = append(notes, "manual syncs allowed")
	}
	if w.More > 0 {
		notes = append(notes, "and "+text.Count(w.More, "more time", "more times"))
	}
	if len(notes) == 0 {
		return ""
	}
	return ", " + strings.Join(notes, ", ")
}

// HookList lists the hooks that lack the same thing. Left counts those that are not in the list.
type HookList struct {
	Heading string
	Hooks   []string
	Left    int
}

// All is how many hooks have it.
func (l *HookList) All() int { return len(l.Hooks) + l.Left }

// HookLists are what hooks lack, in the order of what it can do.
func HookLists(d *incident.Digest) (lists []HookList) {
	if d.Outlook == nil {
		return nil
	}
	several := Several(d)
	for _, lack := range []struct {
		heading string
		left    int
		of      func(incident.DigestHook) bool
	}{
		{"Hooks without a deadline", d.Outlook.Left.NoDeadline, func(h incident.DigestHook) bool { return h.NoDeadline }},
		{"Hooks without a delete policy", d.Outlook.Left.NoDeletePolicy, func(h incident.DigestHook) bool { return h.NoDeletePolicy }},
	} {
		l := HookList{Heading: lack.heading, Left: lack.left}
		for _, h := range d.Outlook.Hooks {
			if lack.of(h) {
				l.Hooks = append(l.Hooks, AppName(h.App, several)+" "+h.Kind+"/"+h.Name)
			}
		}
		if l.All() > 0 {
			lists = append(lists, l)
		}
	}
	return lists
}

// Unread says what of the outlook is missing, and "" where nothing is.
func Unread(d *incident.Digest) string {
	if d.Outlook == nil {
		return ""
	}
	out := ""
	if n := len(d.Outlook.Unread); n > 0 {
		out = "Could not be read: " + text.List(d.Outlook.Unread, n) + "."
	}
	if n := d.Outlook.HooksLeft; n > 0 {
		out = text.Paragraph(out, text.Count(n, "more hook was", "more hooks were")+" not checked.")
	}
	return out
}
