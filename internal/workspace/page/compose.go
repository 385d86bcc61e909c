package page

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// escapeThree is what Slack does to what people write.
func escapeThree(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

var (
	called  = regexp.MustCompile(`(^|[\s(])([@#])([\w][\w.-]*)`)
	address = regexp.MustCompile(`https?://[^\s<>|]+`)
)

// markup makes of what was typed what Slack's own client sends: @argo becomes <@U…>, an address a link.
func (v *visit) markup(s string) string {
	parts := strings.Split(s, "`")
	for i, part := range parts {
		parts[i] = escapeThree(part)
		if i%2 == 0 { // what is code stays as it is
			parts[i] = v.marked(parts[i])
		}
	}
	return strings.Join(parts, "`")
}

func (v *visit) marked(s string) string {
	s = address.ReplaceAllString(s, "<$0>")
	return called.ReplaceAllStringFunc(s, func(found string) string {
		m := called.FindStringSubmatch(found)
		name := strings.TrimRight(m[3], ".-")
		if mark := v.mark(m[2], name); mark != "" {
			return m[1] + mark + m[3][len(name):]
		}
		return found
	})
}

// mark is the markup that calls a person, a group, a channel or all; "" if there is nobody of that name.
func (v *visit) mark(kind, name string) string {
	if kind == "#" {
		for _, c := range v.channels() {
			if c.Name() == name {
				return "<#" + c.ID() + ">"
			}
		}
		return ""
	}
	for _, u := range v.w.Users() {
		if u.Name == name {
			return "<@" + u.ID + ">"
		}
	}
	for _, g := range v.w.Groups() {
		if g.Handle == name {
			return "<!subteam^" + g.ID + ">"
		}
	}
	if slices.Contains([]string{"here", "channel", "everyone"}, name) {
		return "<!" + name + ">"
	}
	return ""
}

// commands are those of all apps.
func (v *visit) commands() []string {
	var all []string
	for _, a := range v.w.Apps() {
		all = append(all, a.Commands...)
	}
	return all
}

// offer is a completion as the script gets it: Text is all that stands before the caret then.
type offer struct {
	Text   string `json:"text"`
	Label  string `json:"label"`
	Detail string `json:"detail"`
	Exact  bool   `json:"exact"` // it is what stands there already
}

// complete answers what can follow the text before the caret.
func (p *Page) complete(rw http.ResponseWriter, r *http.Request) {
	v, err := p.visit(r, r.FormValue("channel"), "")
	if err != nil {
		http.Error(rw, err.Error(), http.StatusNotFound)
		return
	}
	offers := v.offers(r.FormValue("text"), r.FormValue("thread") != "")
	if offers == nil {
		offers = []offer{}
	}
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(offers)
}

func (v *visit) offers(text string, inThread bool) []offer {
	first, rest, more := strings.Cut(text, " ")
	for _, a := range v.w.Apps() {
		switch {
		case more && slices.Contains(a.Commands, first) && !inThread:
			return v.arguments(first+" ", first, rest)
		case more && first == "@"+a.Name && len(a.Commands) > 0:
			if found := v.arguments(first+" ", a.Commands[0], rest); len(found) > 0 {
				return found
			}
		case !more && strings.HasPrefix(text, "/") && !inThread:
			return v.commandNames(text)
		}
	}
	start := strings.LastIndexFunc(text, unicode.IsSpace) + 1
	if word := text[start:]; strings.HasPrefix(word, "@") {
		return v.callable(text[:start], word[1:])
	}
	return nil
}

func (v *visit) arguments(before, command, rest string) []offer {
	if v.page.opt.Complete == nil {
		return nil
	}
	var found []offer
	for _, c := range v.page.opt.Complete(v.me.Name, command, rest) {
		label := c.Label
		if label == "" {
			label = c.Insert
		}
		found = append(found, offer{before + c.Insert, label, c.Detail, strings.TrimSpace(c.Insert) == strings.TrimSpace(rest)})
	}
	return found
}

func (v *visit) commandNames(typed string) []offer {
	var found []offer
	for _, a := range v.w.Apps() {
		for _, command := range a.Commands {
			if strings.HasPrefix(command, typed) {
				found = append(found, offer{command + " ", command, a.Name, false})
			}
		}
	}
	return found
}

// callable are people and apps of the channel, groups, and the words for all.
func (v *visit) callable(before, typed string) []offer {
	var found []offer
	add := func(name, detail string) {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
			found = append(found, offer{before + "@" + name + " ", "@" + name, detail, false})
		}
	}
	members := v.here.Members()
	for _, u := range v.w.Users() {
		if u.Bot && slices.Contains(members, u.ID) {
			add(u.Name, "app")
		}
	}
	for _, u := range v.w.Users() {
		if !u.Bot && u.ID != v.me.ID && !u.Deleted {
			add(u.Name, u.RealName)
		}
	}
	for _, g := range v.w.Groups() {
		add(g.Handle, g.Name)
	}
	add("here", "everyone who is online in this channel")
	add("channel", "everyone in this channel")
	return found
}
