package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
)

// guard decides which of the commands that change something are printed. Whoever may write the status of an Application chooses the objects and
// accounts that rules read there, and a person pastes what is printed with rights of their own. So a command changes only what the
// application itself may have Argo CD change: what Argo CD's tree has, or what the project permits.
type guard struct {
	r *run
	// tree and managed are nil as long as nobody has read them.
	tree    *evidence.Tree
	managed []evidence.ResourceDiff
	// known are the objects of both, by kind in lower case and name; nil until one is looked for.
	known map[string][]evidence.Ref
}

// guarded are the findings with those commands only.
func (r *run) guarded(findings []Finding) []Finding {
	g := guard{r: r}
	changes := func(f Fix) bool { return len(change.Of(Printed(f.Command))) > 0 }
	if r.unshown || !slices.ContainsFunc(findings, func(f Finding) bool { return len(f.Offers) > 0 || slices.ContainsFunc(f.Fix, changes) }) {
		return findings
	}
	// Only if a rule read them: a file has more than a diagnosis reads, and is to give the same report.
	g.tree, _ = had(r, evidence.FactTree)
	g.managed, _ = had(r, evidence.FactManaged)
	out := slices.Clone(findings)
	for i := range out {
		out[i].Fix = slices.Clone(out[i].Fix)
		for n := range out[i].Fix {
			out[i].Fix[n] = g.step(&findings[i], out[i].Fix[n])
		}
		out[i].Offers = g.offers(&out[i])
	}
	return out
}

// offers are the actions on objects that the application may have changed, and those on the application itself.
func (g *guard) offers(f *Finding) []Action {
	return slices.DeleteFunc(slices.Clone(f.Offers), func(a Action) bool {
		return !a.Target.IsZero() && !g.own(f, &change.Change{Verb: "delete", Namespace: a.Target.Namespace},
			change.Target{Kind: strings.ToLower(a.Target.Kind), Group: a.Target.Group, Name: a.Target.Name})
	})
}

// step is a step with its command, with one that looks instead, or with none.
func (g *guard) step(f *Finding, step Fix) Fix {
	changes := change.Of(Printed(step.Command))
	if slices.ContainsFunc(changes, namesNoHost) {
		step.Command = ""
		step.Text += " (no command is printed: the URL can be read as one of several hosts. Correct it first)"
		return step
	}
	for _, c := range changes {
		if why := g.refuses(f, &c); why != "" {
			step.Command = look(&c)
			if step.Command == "" {
				step.Text += " (no command is printed: " + why + ")"
			} else {
				step.Text += " (the command only looks: " + why + ")"
			}
			return step
		}
		if host := g.strangeHost(&c); host != "" {
			step.Text = "Check first that " + host + " is a host of yours: it gets what you enter. " + step.Text
		}
	}
	return step
}

// look is the command that shows what a change is about; empty where there is nothing to see.
func look(c *change.Change) string {
	if len(c.Subjects) > 0 {
		account, _ := strings.CutPrefix(c.Subjects[0], "system:serviceaccount:")
		if namespace, name, ok := strings.Cut(account, ":"); ok && account != c.Subjects[0] {
			return Shell("kubectl -n %s get serviceaccount %s -o yaml", namespace, name)
		}
		return ""
	}
	if len(c.Targets) == 0 || c.Targets[0].Name == "" || c.Verb == "create" {
		return ""
	}
	t := c.Targets[0]
	switch {
	case strings.HasPrefix(c.Verb, "app "):
		return Shell("argocd app get %s", t.Name)
	case strings.HasPrefix(c.Verb, "repo "):
		return Shell("argocd repo get %s", t.Name)
	case strings.HasPrefix(c.Verb, "proj "):
		return Shell("argocd proj get %s", t.Name)
	}
	kind := t.Kind
	if t.Group != "" {
		kind += "." + t.Group
	}
	if c.Namespace == "" {
		return Shell("kubectl get %s -o yaml", kind+"/"+t.Name)
	}
	return Shell("kubectl -n %s get %s -o yaml", c.Namespace, kind+"/"+t.Name)
}

// Why a command is not printed.
const (
	notKnownAccount = "only the error text names the account. Find out whose it is before you give it rights"
	notKnownNeed    = "only the error text says that Argo CD needs this in the whole cluster. Find out what for before you grant it"
	notOwn          = "only the error text and the status say that it belongs to this application. Check that before you change it"
	notRead         = "its state was not read in the cluster"
	notOther        = "it is another application"
	notForTenants   = "whoever deploys there can change Argo CD or the cluster. An administrator decides that"
	notAdmitted     = "the project does not take applications of this namespace, so nothing else in it helps this one"
)

// refuses is why a change is not printed; empty where it is.
func (g *guard) refuses(f *Finding, c *change.Change) string {
	switch {
	case c.Verb == "repo add":
		return g.refusesEntry(c)
	case c.Verb == "repo rm":
		return notOwn // others may use it
	case c.Verb == change.Unread:
		return notOwn
	case strings.HasPrefix(c.Verb, "app "):
		if len(c.Targets) == 0 || g.ownApplication(c.Targets[0].Name) {
			return ""
		}
		return notOther
	case strings.HasPrefix(c.Verb, "proj "):
		return g.refusesProject(c)
	}
	if why := g.refusesRole(f, c); why != "" {
		return why
	}
	if why, binding := g.refusesGrant(f, c); binding {
		return why
	}
	for _, t := range c.Targets {
		switch {
		case g.own(f, c, t):
		case t.Kind == "node":
			return notRead
		default:
			return notOwn
		}
	}
	if len(c.Targets) == 0 && !g.ownUnnamed(f, c) {
		return notOwn
	}
	return ""
}

// refusesEntry judges a command that stores a repository. One that is stored already, or may be, is replaced only where the project lets the
// application use it: others may have it as well.
func (g *guard) refusesEntry(c *change.Change) string {
	if !slices.Contains(c.Words, "--upsert") {
		return ""
	}
	project, read := g.readProject()
	if !read || project != nil && project.Admits(g.r.app.Metadata.Namespace) && project.PermitsSource(c.Targets[0].Name) {
		return ""
	}
	entry := func(url string) string { return repourl.Normal(strings.TrimRight(url, "/")) }
	repos, read := readOnce(g, evidence.FactRepositories)
	if read && !slices.ContainsFunc(repos, func(r evidence.Repository) bool { return entry(r.Repo) == entry(c.Targets[0].Name) }) {
		return ""
	}
	return notOwn
}

// refusesProject judges a command that changes a project. It is for this application, and what is to let its namespace in names no other one: an
// application can name any project.
func (g *guard) refusesProject(c *change.Change) string {
	own := g.r.app.Metadata.Namespace
	if c.Targets[0].Name != g.r.app.ProjectName() {
		return notOwn
	}
	if c.Verb == "proj add-source-namespace" {
		if len(c.Words) < 5 || c.Words[4] != own && c.Words[4] != "NAMESPACE" { // to be filled in
			return notOwn
		}
		return ""
	}
	if project, read := g.readProject(); read && project != nil && !project.Admits(own) {
		return notAdmitted
	}
	if strings.HasPrefix(c.Verb, "proj add-destination") && (len(c.Words) < 6 || g.isSystem(c.Words[5])) {
		return notForTenants
	}
	return ""
}

// isSystem reports whether whoever deploys to a namespace rules more than what is in it.
func (g *guard) isSystem(namespace string) bool {
	return namespace == g.argoNamespace() || namespace == g.r.app.ArgoNamespace() || namespace == "argocd" || strings.HasPrefix(namespace, "openshift-") || strings.HasPrefix(namespace, "kube-")
}

// refusesGrant judges a command that gives rights; binding is false for all others.
func (g *guard) refusesGrant(f *Finding, c *change.Change) (why string, binding bool) {
	value := "" // the namespace that gets rights
	for _, w := range c.Words {
		if _, namespace, ok := strings.Cut(w, "argocd.argoproj.io/managed-by="); ok {
			value, binding = namespace, true
		}
		if _, patch, ok := strings.Cut(w, `/namespace","value":"`); ok && c.Verb == "patch" && len(c.Targets) > 0 && strings.HasSuffix(c.Targets[0].Kind, "rolebinding") {
			value, binding = strings.TrimRight(patch, `"}]`), true
		}
	}
	switch {
	case binding && value != g.argoNamespace() && value != "openshift-gitops":
		return notKnownAccount, true
	case binding && c.Verb == "label" && len(c.Targets) > 0 && !g.permits(c.Targets[0].Name, change.Target{}):
		return notOwn, true
	case binding:
		return "", true
	case c.Verb != "create" || !slices.ContainsFunc(c.Targets, func(t change.Target) bool { return strings.HasSuffix(t.Kind, "rolebinding") }):
		return "", false
	case slices.ContainsFunc(c.Subjects, func(s string) bool { return !g.actsForArgo(s, c.Namespace) }):
		return notKnownAccount, true
	case c.Namespace == "" && g.grantsTooMuch(f):
		return notKnownNeed, true
	case c.Namespace != "" && c.Namespace != g.r.app.Metadata.Namespace && !g.permits(c.Namespace, change.Target{}):
		return notOwn, true
	}
	return "", true
}

// actsForArgo reports whether an account is one that Argo CD acts as in a namespace (in the whole cluster if that is empty), by more than the
// word of a text.
func (g *guard) actsForArgo(account, in string) bool {
	account, serviceAccount := strings.CutPrefix(account, "system:serviceaccount:")
	namespace, name, ok := strings.Cut(account, ":")
	if !ok || !serviceAccount {
		return account == "ACCOUNT" // to be filled in
	}
	switch {
	case namespace == "kube-system" && name == "argocd-manager": // what argocd cluster add makes
		return true
	case namespace == "openshift-gitops", namespace == g.argoNamespace(): // where nobody but administrators makes accounts
		// The repo-server runs what applications bring along, and these others deploy nothing.
		return !slices.ContainsFunc([]string{"repo-server", "dex-server", "redis", "notifications"}, func(part string) bool { return strings.Contains(name, part) })
	}
	project, _ := g.readProject()
	return in != "" && project.ActsAs(g.r.app.Spec.Destination, in, namespace, name)
}

// argoNamespace is where Argo CD runs: where the project is. The status says it as well, but not to be believed, so where the project could not
// be read it is the usual one.
func (g *guard) argoNamespace() string {
	project, _ := g.readProject()
	if project == nil {
		return "argocd"
	}
	return cmp.Or(project.Metadata.Namespace, "argocd")
}

// onlyByStatus reports whether Argo CD's namespace is this one by the word of the status alone, and its project is in another one: a step for
// Argo CD's settings would then put them, and what they hold, into the hands of whoever wrote the status.
func (g *guard) onlyByStatus(namespace string) bool {
	said := g.r.app.Status.ControllerNamespace
	if said == "" || namespace != said {
		return false
	}
	_, read := g.readProject()
	return read && said != g.argoNamespace()
}

// readProject reads the project, when a command first depends on it. It is nil where there is none of the name that the application gives.
// Where it cannot be read, the destination stands for it.
func (g *guard) readProject() (project *evidence.Project, read bool) {
	return readOnce(g, evidence.FactProject)
}

// readOnce reads what a command depends on, if no rule has.
func readOnce[T any](g *guard, f evidence.Fact[T]) (v T, read bool) {
	if g.r.free() {
		return Peek(&In{run: g.r}, f)
	}
	return obtain(g.r, f)
}
