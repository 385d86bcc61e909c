package simulator

import (
	"context"
	"slices"
	"strings"
	"time"

	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
)

// IssuedToken is a token of an account, or of a role of a project: PROJECT/ROLE.
type IssuedToken struct {
	Holder, ID string
	// Issued and Expires are kept to the second. Expires is zero for a token that never does.
	Issued, Expires time.Time
}

// Issue has Argo CD issue a token. It is only listed: what the bot logs in with is [Options.Token].
func (s *Server) Issue(t IssuedToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued = append(s.issued, t)
}

// DeleteToken has Argo CD delete a token.
func (s *Server) DeleteToken(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued = slices.DeleteFunc(slices.Clone(s.issued), func(t IssuedToken) bool { return t.ID == id })
}

// visible are the tokens that have been issued, as far as the account may see them: those of other accounts with accounts, get, those of
// roles with projects, get.
func (s *Server) visible() (all []IssuedToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.issued {
		right := "accounts get *"
		if strings.Contains(t.Holder, "/") {
			right = "projects get *"
		}
		if t.Holder == s.account || !s.denied[right] {
			all = append(all, t)
		}
	}
	return all
}

func (t *IssuedToken) seconds() (issued, expires int64) {
	if !t.Expires.IsZero() {
		expires = t.Expires.Unix()
	}
	return t.Issued.Unix(), expires
}

func (a *accountService) ListAccounts(context.Context, *accountpkg.ListAccountRequest) (*accountpkg.AccountsList, error) {
	tokens := map[string][]*accountpkg.Token{}
	for _, t := range a.s.visible() {
		if !strings.Contains(t.Holder, "/") {
			issued, expires := t.seconds()
			tokens[t.Holder] = append(tokens[t.Holder], &accountpkg.Token{Id: t.ID, IssuedAt: issued, ExpiresAt: expires})
		}
	}
	list := &accountpkg.AccountsList{}
	for name, of := range tokens {
		list.Items = append(list.Items, &accountpkg.Account{Name: name, Enabled: true, Capabilities: []string{"apiKey"}, Tokens: of})
	}
	slices.SortFunc(list.Items, func(x, y *accountpkg.Account) int { return strings.Compare(x.Name, y.Name) })
	return list, nil
}

// List has the projects of the applications, as recorded where they were, and those that tokens were issued for, with these in their status,
// as Argo CD has them.
func (p *projectService) List(context.Context, *projectpkg.ProjectQuery) (*v1alpha1.AppProjectList, error) {
	list := &v1alpha1.AppProjectList{}
	p.s.mu.Lock()
	denied := p.s.denied["projects get *"]
	p.s.mu.Unlock()
	if denied {
		return list, nil
	}
	for _, app := range p.s.all() {
		if app.Project == nil {
			projectIn(list, app.object().Spec.GetProject())
		} else if one := projectIn(list, app.Project.Name); len(one.Spec.SyncWindows) == 0 {
			one.Spec = app.Project.Spec
		}
	}
	for _, t := range p.s.visible() {
		name, role, ok := strings.Cut(t.Holder, "/")
		if !ok {
			continue
		}
		one := projectIn(list, name)
		if !slices.ContainsFunc(one.Spec.Roles, func(r v1alpha1.ProjectRole) bool { return r.Name == role }) {
			one.Spec.Roles = append(slices.Clone(one.Spec.Roles), v1alpha1.ProjectRole{Name: role})
		}
		issued, expires := t.seconds()
		if one.Status.JWTTokensByRole == nil {
			one.Status.JWTTokensByRole = map[string]v1alpha1.JWTTokens{}
		}
		of := one.Status.JWTTokensByRole[role]
		of.Items = append(of.Items, v1alpha1.JWTToken{ID: t.ID, IssuedAt: issued, ExpiresAt: expires})
		one.Status.JWTTokensByRole[role] = of
	}
	return list, nil
}

// projectIn is the project of that name in a list, added where it is not there yet.
func projectIn(list *v1alpha1.AppProjectList, name string) *v1alpha1.AppProject {
	at := slices.IndexFunc(list.Items, func(p v1alpha1.AppProject) bool { return p.Name == name })
	if at < 0 {
		at = len(list.Items)
		list.Items = append(list.Items, v1alpha1.AppProject{})
		list.Items[at].Name = name
	}
	return &list.Items[at]
}
