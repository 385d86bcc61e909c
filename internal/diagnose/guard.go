package diagnose

import (
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
	// changes are what the commands change that were read, by the command.
	changes map[string][]change.Change
}

// changesOf is what the command of a step changes.
func (g *guard) changesOf(step *Fix) []change.Change {
	changes, read := g.changes[step.Command]
	if !read {
		changes = change.Of(Printed(step.Command))
		g.changes[step.Command] = changes
	}
	return changes
}

// guarded are the findings with those commands only.
func (r *run) guarded(findings []Finding) []Finding {
	g := guard{r: r, changes: map[string][]change.Change{}}
	changes := func(step Fix) bool { return len(g.changesOf(&step)) > 0 }
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
	changes := g.changesOf(&step)
	if slices.ContainsFunc(changes, namesNoHost) {
		step.Command = ""
		step.Text += " (no command is printed: the URL can be read as one of several hosts. Correct it first)"
		return step
	}
	for _, c := range changes {
		if why := g.refuses(f, &c); why != "" {
			if why == notOwn && g.unreadProject() {
				why = notKnownProject
			}
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
		if rules(&c) {
			step.Text = "Check first that the application needs the kind, by which whoever deploys there can give themselves more rights. " + step.Text
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
	notDown         = "the node is not known to be down, and others run there"
	notJudged       = "what it would change cannot be checked"
	notKnownProject = "the project could not be read, so check first that it lets this application change that"
	notOther        = "it is another application"
	notForTenants   = "whoever deploys there can change Argo CD or the cluster. An administrator decides that"
	notAdmitted     = "the project does not take applications of this namespace, so nothing else in it helps this one"
)

// refuses is why a change is not printed; empty where it is.
func (g *guard) refuses(f *Finding, c *change.Change) string {
	switch {
	case c.Verb == "repo add":
		return g.refusesEntry(c)
	case c.Verb == "repo rm": // others may use it
		return notOwn
	case c.Verb == change.Unread:
		return notJudged
	case c.Verb == "oras push": // what is the reader's own
		return ""
	case strings.HasPrefix(c.Verb, "app "):
		if len(c.Targets) == 0 || g.ownApplication(c.Targets[0].Name) {
			return ""
		}
		return notOther
	case strings.HasPrefix(c.Verb, "proj "):
		return g.refusesProject(f, c)
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
			if read, _ := g.node(t.Name); read {
				return notDown
			}
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
	project, judges := g.readProject()
	if !judges || project != nil && project.Admits(g.r.app.Metadata.Namespace) && project.PermitsSource(c.Targets[0].Name) {
		return ""
	}
	entry := func(url string) string { return repourl.Normal(strings.TrimRight(url, "/")) }
	repos, read := Peek(&In{run: g.r}, evidence.FactRepositories)
	if !read && !g.unreadProject() {
		repos, read = readOnce(g, evidence.FactRepositories)
	}
	if read && !slices.ContainsFunc(repos, func(r evidence.Repository) bool { return entry(r.Repo) == entry(c.Targets[0].Name) }) {
		return ""
	}
	return notOwn
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

// readOnce reads what a command depends on, if no rule has.
func readOnce[T any](g *guard, f evidence.Fact[T]) (v T, read bool) {
	if g.r.free() {
		return Peek(&In{run: g.r}, f)
	}
	return obtain(g.r, f)
}
