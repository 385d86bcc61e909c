package action

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Grant lets people do some kinds of action to some applications. What it leaves empty is not restricted, except Kinds.
type Grant struct {
	Kinds []Kind
	// Instances, Projects and Applications are globs. A pattern for applications with a slash is one for namespace/name,
	// else for the name.
	Instances, Projects, Applications []string
	// Who may do it. Only Everybody admits every member; an empty Who admits no one.
	Who       Who
	Everybody bool
	// Approval is nil where none is needed.
	Approval *ApprovalRule
}

// ApprovalRule asks for the consent of somebody else.
type ApprovalRule struct {
	From        Who
	ExpireAfter time.Duration
}

// Policy says who may do what. It never changes, and is safe for parallel use.
type Policy struct {
	grants  []Grant
	members Members
	guests  Guests
}

// NewPolicy makes a policy of grants, of which the first that covers an action and admits a person decides. What no grant
// allows is forbidden, except HardRefresh and Mute, which nobody is harmed by: they are everybody's where no grant is about
// them. Everybody and the members of a group are colleagues: a guest may what a grant names them for and nothing else.
func NewPolicy(grants []Grant, members Members, guests Guests) *Policy {
	return &Policy{grants: slices.Clone(grants), members: members, guests: guests}
}

// Members knows who is in a group. An answer must not be old: who cannot be asked about is no member.
type Members interface {
	Members(ctx context.Context, group string) ([]string, error)
}

// Guests knows who is a guest of the workspace. An answer must not be old: who cannot be asked about is one.
type Guests interface {
	Guest(ctx context.Context, person string) (bool, error)
}

// Ruling is what the policy says to one person about one action.
type Ruling struct {
	May bool
	// Approval is the one that is needed; nil where none is.
	Approval *ApprovalRule
	// Everybody may, and Could are those who may beside, sorted, each once.
	Everybody bool
	Could     Who
	// Guest: they would if they were no guest.
	Guest bool
	// Unread is why it could not be told whether the person may: a group, or who it is, could not be read. Then they may not.
	Unread error
}

// Allowed says whether a person may, and who else could. project is "" where it is not known; then only grants for all
// projects count.
func (p *Policy) Allowed(ctx context.Context, person Person, kind Kind, app App, project string) Ruling {
	covering := p.covering(kind, app, project)
	if len(covering) == 0 && p.open(kind, app, project) {
		guest, err := p.guest(ctx, person)
		return Ruling{May: !guest, Everybody: true, Guest: guest && err == nil, Unread: err}
	}
	r := Ruling{}
	for _, grant := range covering {
		r.Everybody = r.Everybody || grant.Everybody
		r.Could.Users = append(r.Could.Users, grant.Who.Users...)
		r.Could.Groups = append(r.Could.Groups, grant.Who.Groups...)
	}
	r.Could = r.Could.sorted()
	for _, grant := range covering {
		admits, guest, err := p.admits(ctx, person, grant)
		switch {
		case admits:
			r.May, r.Approval, r.Guest, r.Unread = true, grant.Approval, false, nil
			return r
		case guest:
			r.Guest = true
		case err != nil:
			r.Unread = cmp.Or(r.Unread, err)
		}
		// Somebody whom a grant with approval may be meant for must not get past it by a later one without.
		if err != nil && grant.Approval != nil {
			return r
		}
	}
	return r
}

// Possible reports whether there is anybody at all who may.
func (p *Policy) Possible(kind Kind, app App, project string) bool {
	return slices.ContainsFunc(p.covering(kind, app, project), Grant.admitsSomebody) || p.open(kind, app, project)
}

// Approves reports whether a person may approve, and whether being a guest is all that keeps them from it. If the error is not nil, it
// says what could not be read, and the answer is no.
func (p *Policy) Approves(ctx context.Context, person Person, from Who) (ok, guest bool, err error) {
	return p.admits(ctx, person, Grant{Who: from})
}

// admits reports whether a grant is for a person, or would be if they were no guest.
func (p *Policy) admits(ctx context.Context, person Person, g Grant) (ok, guest bool, err error) {
	if person.ID != "" && slices.Contains(g.Who.Users, person.ID) {
		return true, false, nil
	}
	if !g.Everybody {
		if ok, err = p.among(ctx, person, g.Who); !ok {
			return false, false, err
		}
	}
	guest, err = p.guest(ctx, person)
	return !guest, guest && err == nil, err
}

// guest fails closed: whoever Slack says nothing about is one.
func (p *Policy) guest(ctx context.Context, person Person) (bool, error) {
	guest, err := p.guests.Guest(ctx, person.ID)
	if err != nil {
		return true, fmt.Errorf("find out whether %s is a guest: %w", person.ID, err)
	}
	return guest, nil
}

// among asks for the groups. That is done only for somebody who is not named: so a failing Slack keeps nobody out who needs no group.
func (p *Policy) among(ctx context.Context, person Person, who Who) (bool, error) {
	if person.ID == "" {
		return false, nil
	}
	var unread error
	for _, group := range who.Groups {
		members, err := p.members.Members(ctx, group)
		switch {
		case err != nil:
			unread = cmp.Or(unread, fmt.Errorf("read the members of %s: %w", group, err))
		case slices.Contains(members, person.ID):
			return true, nil
		}
	}
	return false, unread
}

// covering are the grants about a kind of action on an application.
func (p *Policy) covering(kind Kind, app App, project string) []Grant {
	var out []Grant
	for _, r := range p.grants {
		if r.coversApp(kind, app) && (len(r.Projects) == 0 || project != "" && anyFits(r.Projects, project)) {
			out = append(out, r)
		}
	}
	return out
}

// open reports whether a kind is everybody's. Where the project is not known, a grant that might be about it counts: what
// was meant to be restricted must not become everybody's by that.
func (p *Policy) open(kind Kind, app App, project string) bool {
	if kind != HardRefresh && kind != Mute {
		return false
	}
	return !slices.ContainsFunc(p.grants, func(r Grant) bool {
		return r.coversApp(kind, app) && (len(r.Projects) == 0 || project == "" || anyFits(r.Projects, project))
	})
}

func (r Grant) coversApp(kind Kind, app App) bool {
	return slices.Contains(r.Kinds, kind) &&
		(len(r.Instances) == 0 || anyFits(r.Instances, app.Instance)) &&
		(len(r.Applications) == 0 || slices.ContainsFunc(r.Applications, func(pattern string) bool {
			if strings.Contains(pattern, "/") {
				return fits(pattern, app.Namespace+"/"+app.Name)
			}
			return fits(pattern, app.Name)
		}))
}

func (r Grant) admitsSomebody() bool { return r.Everybody || len(r.Who.Users)+len(r.Who.Groups) > 0 }

func anyFits(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return fits(pattern, name) })
}

// fits is a glob match. A pattern that is none fits nothing; the configuration was checked for those.
func fits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// sorted is the same people in a fixed order, each once.
func (w Who) sorted() Who {
	once := func(ids []string) []string {
		ids = slices.Clone(ids)
		slices.Sort(ids)
		return slices.Compact(ids)
	}
	return Who{Users: once(w.Users), Groups: once(w.Groups)}
}
