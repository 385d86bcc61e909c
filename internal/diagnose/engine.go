package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// maxDepth bounds how many rounds of calls may follow one another: the application, what it points at, what that points at. A fourth
// is for the log of a pod of several containers that only the pod tells apart.
const maxDepth = 4

// Engine asks rules about evidence. It is safe for concurrent use.
type Engine struct {
	// checks are those of the first round: every rule.
	checks []check
	// fromRules is what packages of rules made of the list: see [FromRules].
	fromRules sync.Map
	// Timeout is for one fact. Argo CD answers within a second or two; a log through a slow cluster may take longer.
	Timeout time.Duration
	// Spent gets how many steps the rules of a diagnosis took: see [In.Spend]. Nil for nobody.
	Spent func(steps int)
	// clock measures how long reading takes, nothing else. Tests replace it.
	clock func() time.Time
}

// New makes an engine of a list of rules, whose order is their precedence within a group.
func New(rules []*Rule) (*Engine, error) {
	if err := Validate(rules); err != nil {
		return nil, fmt.Errorf("check rules: %w", err)
	}
	checks := make([]check, len(rules))
	for i, rule := range rules {
		checks[i] = check{rule: rule, order: i}
	}
	return &Engine{checks: checks, Timeout: 10 * time.Second, clock: time.Now}, nil
}

// run is one diagnosis.
type run struct {
	engine *Engine
	// nested: a child is looked at on behalf of its parent. See [In.Alone].
	nested bool
	// unshown: nobody reads its steps, so none is judged.
	unshown bool
	ctx     context.Context //nolint:containedctx // a run lives as long as one call of Diagnose
	source  evidence.Source
	now     time.Time
	timeout time.Duration
	clock   func() time.Time
	pace    pace
	// work is what rules do, also those that look at a child.
	work   *effort.Meter
	ledger map[ledgerKey]*entry
	asked  []*entry
	// peeked are facts that cost nothing and that no rule asked for: see [Peek].
	peeked map[ledgerKey]any
	app    *evidence.Application
	// resources are those of the application, nil until one is looked for.
	resources *evidence.Index[evidence.ResourceStatus]
	// tried is the last operation if that was a dry run which is over; then app is without it.
	tried *evidence.OperationState
	// past is the last operation if it failed and nothing is left of that; then app is without it while rules look. repaired: only the sync
	// that failed has to be repeated.
	past       *evidence.OperationState
	repaired   bool
	refusal    string
	statements []Statement
	// said is what looking at all statements counts as, in steps: see [stepBytes].
	said int
	// left is how many failed tasks and warnings are in none of these two.
	left     int
	warnings []Statement
	computed map[string]any
	findings []Finding
	// outage: a finding is about one.
	outage bool
	// newer is the commit in Git if the last sync failed on an older one and it changes something of the application; compared is
	// that commit where it is not known whether it does.
	newer, compared string
	// unread are rules that could not tell for lack of evidence.
	unread []*Rule
	// depth counts the rounds in which rules are asked, from 1.
	depth int
	// closely: a person asked, so that it is worth calls to look behind what Argo CD calls healthy. See [Look].
	closely bool
	// unchecked is what was not looked at all the same.
	unchecked []evidence.Ref
	noted     map[evidence.Ref]bool
}

// Diagnose reads the evidence it needs from a source and reports. now is the one clock of the diagnosis. It fails only
// when nothing at all could be read about the application: everything else is in the report.
func (e *Engine) Diagnose(ctx context.Context, source evidence.Source, now time.Time) (*Report, error) {
	return e.start(ctx, source, now).diagnose()
}

// Examine is Diagnose for a person who asked and waits: it also spends calls on what Argo CD calls healthy without looking, such
// as custom resources. What watches all applications does not.
func (e *Engine) Examine(ctx context.Context, source evidence.Source, now time.Time) (*Report, error) {
	r := e.start(ctx, source, now)
	r.closely = true
	return r.diagnose()
}

func (e *Engine) start(ctx context.Context, source evidence.Source, now time.Time) *run {
	return &run{engine: e, ctx: ctx, source: source, now: now.UTC(), timeout: e.Timeout, clock: e.clock, pace: pace{began: e.clock()}, work: effort.New(ctx, maxSteps), ledger: map[ledgerKey]*entry{}, peeked: map[ledgerKey]any{}, computed: map[string]any{}, noted: map[evidence.Ref]bool{}}
}

func (r *run) diagnose() (*Report, error) {
	if r.engine.Spent != nil && !r.nested {
		defer func() { r.engine.Spent(r.work.Spent()) }()
	}
	subject := ask(r, evidence.FactSubject)
	r.fetch([]*entry{subject})
	if subject.err != nil {
		return nil, subject.err
	}
	s, _ := subject.value.(evidence.Subject)
	r.refusal = s.Refusal
	if err := r.examine(s.Application); err != nil {
		return nil, err
	}
	return r.report(), nil
}

// examine has the rules look at an application.
func (r *run) examine(app *evidence.Application) error {
	if r.app = app; app == nil {
		r.app = &evidence.Application{}
	}
	if err := tooMany(r.app); err != nil {
		return err
	}
	r.setDryRunAside()
	r.setPastAside()
	r.statements, r.left = statements(evidence.Subject{Application: r.app, Refusal: r.refusal})
	for i := range r.statements {
		r.said += 1 + len(r.statements[i].Failure.Text)/stepBytes
	}
	var left int
	r.warnings, left = warnings(r.app, len(r.statements))
	r.left += left
	newer := r.beginNewer()
	err := r.engine.ask(r)
	newer()
	if err != nil {
		return err
	}
	r.dropOutrun()
	r.findNewer()
	r.addRepaired()
	return nil
}

// ask runs the checks until every rule has answered: those that want evidence wait for one round of reading and are asked
// again. Rules of a group later than a cause that was found are not worth a call.
func (e *Engine) ask(r *run) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = r.ended(fault)
		}
	}()
	waiting := e.checks
	for r.depth = 1; len(waiting) > 0; r.depth++ {
		var again []check                 // few of them wait
		asked := make([]In, len(waiting)) // one allocation for all of them; a finding may keep using its rule's In
		for i, c := range waiting {
			if r.ctx.Err() != nil {
				return r.overdue()
			}
			in := &asked[i]
			in.rule, in.run = c.rule, r
			out := c.rule.Check(in)
			in.tried = nil // which may be large, and the others of the round stay with it
			switch {
			case in.err != nil:
				return in.err
			case len(in.wants) > 0 && !r.explainedBefore(c.rule):
				c.wants = in.wants
				again = append(again, c)
			default:
				r.settle(c.rule, c.order, out)
			}
		}
		// A cause found later in the round makes more of them uninteresting.
		waiting = slices.DeleteFunc(again, func(c check) bool { return r.explainedBefore(c.rule) })
		if r.depth >= maxDepth {
			for _, c := range waiting {
				r.unread = append(r.unread, c.rule)
			}
			return nil
		}
		r.fetch(wanted(waiting))
	}
	return nil
}

// check is a rule to be asked, its place in the list, and the facts that it waits for.
type check struct {
	rule  *Rule
	order int
	wants []*entry
}

// explainedBefore reports whether a cause of an earlier group, or one whose symptom the rule is, has been found. That Argo CD retries,
// gave up, or takes long explains nothing of what the rule may find to be behind it.
func (r *run) explainedBefore(rule *Rule) bool {
	return slices.ContainsFunc(r.findings, func(f Finding) bool {
		if f.Role != RoleCause || f.Unattended != "" || f.Kind == KindWarning || f.Kind == KindBookkeeping || explains(rule.ID, f.explainedBy) {
			return false
		}
		return r.place(f.Rule) < r.place(rule.ID) && !r.beside(rule.ID, r.worthMore(), groupRank(f.Rule)) || explains(f.Rule, rule.ExplainedBy)
	})
}

func (r *run) settle(rule *Rule, order int, out Outcome) {
	if out.unknown {
		r.unread = append(r.unread, rule)
	}
	for _, f := range out.Findings {
		r.findings = append(r.findings, f.of(rule, order))
	}
}

// of is the finding with what its rule says of each, unless it says otherwise itself.
func (f Finding) of(rule *Rule, order int) Finding {
	f.Rule = cmp.Or(f.as, rule.ID)
	if f.Variant != "" {
		f.Rule += "/" + f.Variant
	}
	if f.Role == "" {
		f.Role = RoleCause
	}
	if f.Sync.Verdict == "" {
		f.Sync = rule.Sync
	}
	if f.Links == nil {
		f.Links = rule.Doc.Links
	}
	f.order, f.explainedBy = order, rule.ExplainedBy
	if f.source == "" {
		f.short = rule.Doc.Title
	}
	return f
}

// wanted are the facts to be read, each once.
func wanted(waiting []check) []*entry {
	var out []*entry
	for _, c := range waiting {
		for _, e := range c.wants {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}
