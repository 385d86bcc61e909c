package diagnose

import "github.com/argo-why/argo-why/internal/evidence"

// Role says what a finding is to the failure.
type Role string

// The roles. The zero value of a finding's role is a cause.
const (
	RoleCause  Role = "cause"
	RoleEffect Role = "effect"
	RoleNote   Role = "note"
)

// Confidence says how sure a finding is.
type Confidence string

// Certain: the evidence states the cause. Likely: it is inferred, and the finding says from what. Possible: a guess worth a look.
const (
	Certain  Confidence = "certain"
	Likely   Confidence = "likely"
	Possible Confidence = "possible"
)

// CertainIf is certain where the evidence states the cause, likely where it is inferred.
func CertainIf(stated bool) Confidence {
	if stated {
		return Certain
	}
	return Likely
}

// FindingKind is what sort of thing a finding is about.
type FindingKind int

// The kinds.
const (
	// KindFailure: something is broken.
	KindFailure FindingKind = iota
	// KindForbidden: the application fails because something forbids it, not because something is broken.
	KindForbidden
	// KindSyncForbidden: the same, and Argo CD would refuse a sync now, whatever the cause is. Its verdict on Sync stands
	// above all others.
	KindSyncForbidden
	// KindUnfinished: the application waits on its way; it is neither failing nor where it is going.
	KindUnfinished
	// KindUnderWay: nothing is wrong, it only takes its time. Not worth a word beside any other finding.
	KindUnderWay
	// KindOverdue: nothing is known to be wrong, and it takes so long that somebody may want to know. With a resource it says what it waits
	// for; without one it is not worth a word beside such a finding, or a cause.
	KindOverdue
	// KindBookkeeping: it says what Argo CD does about a failure, not what failed.
	KindBookkeeping
	// KindRepaired: what it is about is over, and all that is left is to repeat the sync that failed of it.
	KindRepaired
	// KindWarning: it rests on a warning. It is the cause only where nothing else is.
	KindWarning
)

// SyncVerdict is what pressing Sync now would do.
type SyncVerdict string

// The verdicts of the taxonomy.
const (
	SyncSafe           SyncVerdict = "safe"
	SyncPointless      SyncVerdict = "pointless"
	SyncOverwritesLive SyncVerdict = "overwrites-live"
	SyncDestructive    SyncVerdict = "destructive"
	SyncBlocked        SyncVerdict = "blocked"
	SyncUnknown        SyncVerdict = "unknown"
)

// Advice is a verdict on pressing Sync and its reason: a clause that continues "Syncing won't help: …", "Sync is safe: …",
// "Syncing would undo a live change: …", "Argo CD will refuse: …", "Can't tell whether syncing helps: …"; for
// [SyncDestructive] it continues "Syncing …", as in "deletes PersistentVolumeClaim/data".
type Advice struct {
	Verdict SyncVerdict
	Why     string
}

// Finding is one thing a rule recognised.
type Finding struct {
	// Rule is filled in by the engine, whatever the check says: the id of the rule that found it, or of the one in As; with
	// the Variant, if there is one. "unknown" where no rule found anything.
	Rule       string       `json:"rule"`
	Role       Role         `json:"role"`
	Confidence Confidence   `json:"confidence"`
	Resource   evidence.Ref `json:"resource,omitzero"`
	// Others are further resources that fail in the same way.
	Others []evidence.Ref `json:"others,omitempty"`
	// Title is the headline without the application: the resource, then what is wrong with it, in about 50 characters. A rule
	// writes it without the words of a tool, which belong in Says; a report has as much of them behind it as fits.
	Title string `json:"title"`
	// Why adds what the title does not say, in a sentence or two, out of structured state rather than Argo CD's own sentence. A
	// report has behind it what of Says did not fit in the title.
	Why string `json:"why"`
	// Says is the clause that decides, as it was said.
	Says     Said     `json:"says,omitzero"`
	Evidence []Quote  `json:"evidence"`
	Fix      []Fix    `json:"fix"`
	Links    []string `json:"links"`
	// Shared names what breaks every application that depends on it, "git host git.example.com"; empty where the cause is
	// the application's own. Two findings of one rule with the same Shared, in one Argo CD, have one cause.
	Shared string `json:"shared,omitempty"`

	// Brief is a shorter title for a headline that has room for the clause that decides and for little else: "PreSync hook migrate".
	// The title is the first sentence of Why then. Empty where there is none.
	Brief string `json:"-"`
	// Hollow: the title says nothing of the cause ("exited 1"). Where no clause of what Says quotes fits behind Brief, its first words do.
	Hollow bool `json:"-"`
	// Short is the title without the names, for a headline in which they do not fit; empty where the title in the rule's docs says
	// it as well.
	Short string `json:"-"`
	// Terse is the same in even fewer words, for where Short does not fit either; empty where there is none.
	Terse string `json:"-"`
	// Whole: the title says what the decisive clause means, so that the clause is quoted in one piece and none of it goes into the headline.
	Whole bool `json:"-"`
	// Variant makes a finer id of the rule's: "login" for operation/permission-denied/login.
	Variant string `json:"-"`
	// Sync overrides the rule's verdict when set.
	Sync Advice `json:"-"`
	// Offers are actions that make sense because of this finding.
	Offers []Action `json:"-"`
	// Kind is what sort of thing it is about; the zero value is a failure.
	Kind FindingKind `json:"-"`
	// Held: somebody has to resume it, and may have forgotten to.
	Held bool `json:"-"`
	// Unattended says that no application controller acts on the application, so that what it is asked for stays pending: until when, a clause
	// like "while reconciliation is turned off". Beside another cause it is a note. Its steps come before those of every other finding, and its
	// verdict on Sync stands above all others.
	Unattended string `json:"-"`
	// InPods: the difference it is about is in what the pods of its resource are made of.
	InPods bool `json:"-"`
	// Rescales: the number of pods of its resources goes up and down, so that they are always about to become available.
	Rescales bool `json:"-"`
	// Recurs: it rests on what happened again and again, not on the last comparison alone.
	Recurs bool `json:"-"`
	// Regenerated: its fields get new values with every render.
	Regenerated bool `json:"-"`
	// Scales is what its autoscaler gives other replicas all the same. Where Argo CD undoes that again and again, this comes first.
	Scales evidence.Ref `json:"-"`
	// Refused are the Secrets with whose values its resource logs in to a server that refuses them.
	Refused []evidence.Ref `json:"-"`
	// Overrules: the application is being deleted. What else is wrong with it no longer matters, unless it explains this finding or
	// keeps Argo CD from its cluster.
	Overrules bool `json:"-"`
	// OutsideGit: what has to be fixed is outside the application's manifests, so no commit of it contains the fix.
	OutsideGit bool `json:"-"`
	// ArgoCluster: its commands are for the cluster that Argo CD runs in, wherever the application's destination is.
	ArgoCluster bool `json:"-"`
	// Examined: what it is about was looked at closely, down to its log. Among findings of equal rank it comes first.
	Examined bool `json:"-"`
	// Outage: what it is about has not worked for a long time, as it is in Git: no difference between Git and the cluster explains that.
	Outage bool `json:"-"`
	// Earlier: what it is about did not work before the last sync began.
	Earlier bool `json:"-"`
	// Rank is the place of what it is about among all that its rule looked at, the worst first. It decides between findings of one rule.
	Rank int `json:"-"`
	// as is the id under which it is reported, if not that of the rule that found it: see ReportedAs. A report is data, so it holds
	// an id and no rule.
	as string
	// statement is the number of the statement the finding rests on, 0 for none. One statement has one meaning: the
	// first rule of the list that recognises it has it.
	statement int
	// alsoStatements are those of the findings that say the same and became part of this one.
	alsoStatements []int
	// short is the rule's title in its docs: what the headline says where the names in Title are too long.
	short string
	// written is what the rule wrote in Title and Why, nil until the report is composed.
	written *written
	// source is the rule whose finding it was, where another rule took it over: see In.At.
	source string
	// order is the place of the rule in the list.
	order int
	// explainedBy is the rule's.
	explainedBy []string
}

// ReportedAs is the finding under the id of another rule than the one that finds it; nil changes nothing.
func (f Finding) ReportedAs(r *Rule) Finding {
	if r != nil {
		f.as = r.ID
	}
	return f
}

// On ties the finding to the statement it explains, and takes its text as evidence and its resource if it has none.
func (f Finding) On(s *Statement) Finding {
	f.statement = s.number
	f.Others = append(f.Others, s.others...)
	f.Evidence = append([]Quote{s.Quote()}, f.Evidence...)
	if f.Resource.IsZero() {
		f.Resource = s.Resource
	}
	return f
}

// Quote is a piece of evidence: where it was read and what it says.
type Quote struct {
	From string `json:"from"`
	Text string `json:"text"`
}

// Fix is one step that helps. Command and Patch are for this application and resource, ready to be pasted.
type Fix struct {
	Text    string `json:"text"`
	Command string `json:"command,omitempty"`
	Patch   string `json:"patch,omitempty"`
}

// Action is something that a person may do about it from here. RefusedBecause says why it is not offered. Once says what has
// to be true for a refused one to make sense all the same, which nobody but a person can know: "the cause is repaired".
type Action struct {
	ID             string       `json:"id"`
	Label          string       `json:"label"`
	Target         evidence.Ref `json:"target,omitzero"`
	Why            string       `json:"why"`
	RefusedBecause string       `json:"refusedBecause,omitempty"`
	Once           string       `json:"once,omitempty"`
}

// The actions.
const (
	ActionHardRefresh   = "hard-refresh"
	ActionDeleteHookJob = "delete-hook-job"
	ActionTerminate     = "terminate"
	ActionSync          = "sync"
)

// Outcome of a check: a finding, nothing, or unknown because evidence is not available.
type Outcome struct {
	Findings []Finding
	unknown  bool
}

// Nothing says that nothing is wrong that this rule knows.
var Nothing = Outcome{}

// Unknown says that the rule cannot tell, because evidence it asked for is not there (or not read yet).
var Unknown = Outcome{unknown: true}

// Found is an outcome with findings; without any it is [Nothing].
func Found(f ...Finding) Outcome { return Outcome{Findings: f} }
