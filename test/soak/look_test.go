package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace"
)

// picture is everything at one moment: what is so, and what people see.
type picture struct {
	apps    []application
	threads []thread
	// twice is how many messages should not be there, see [world.Posted].
	twice int
	// refused are calls of the bot that Slack did not allow.
	refused []workspace.Call
	// senseless are answers of the bot to what people did that Slack could make nothing of. That it did not answer in time is no
	// finding: it may have been killed, and a machine may be slow.
	senseless []workspace.Failure
	// operations are the syncs that the bot has started, without dry runs, by the request that it started them for.
	operations map[string]int
	// ended is how the bot ended by itself.
	ended error
	// before is what was known of threads when everything held the last time, by the time of their root messages.
	before map[string]remembered
}

// remembered is a thread of one application as it was.
type remembered struct {
	app, headline string
	state         state
	// cause is what it was about when it was open.
	cause incident.Cause
	// step is when it was open last.
	step int
}

// application is what Argo CD says of one, and what the diagnosis does.
type application struct {
	simulator.State
	report *diagnose.Report
	cause  incident.Cause // zero of one that is well
}

func (a *application) name() string { return a.State.Name.Name }

// failing reports whether people have to hear of it.
func (a *application) failing() bool { return a.cause.Rule != "" }

// thread is one of the bot's in the channel.
type thread struct {
	root     workspace.Message
	replies  []workspace.Message
	incident string
	state    state
	rule     string
	apps     []string // that it links to, of an outage the first few
	// members and failing are how many applications an outage says it has; 0 of a thread of one application.
	members, failing int
}

// state is what the root message says with its first sign.
type state string

const (
	open   state = "open"
	over   state = "over"   // 🟢, or ⚪ where nothing recovered: it was deleted, or fails for another cause
	joined state = "joined" // ↪️ told in another thread
)

// observer looks.
type observer struct {
	world    *scene
	instance *gateway.Instance
	close    func() error
	step     int
	before   map[string]remembered
}

// newObserver reads what the bot reads, in the same way, and asks for nothing else.
func newObserver(ctx context.Context, w *scene) (*observer, error) {
	engine, err := diagnose.New(rules.All())
	if err != nil {
		return nil, err
	}
	connection, err := gateway.Connect(ctx, gateway.Options{
		Argo:     argo.Options{Server: w.ArgoCD.Address(), AuthToken: w.ArgoCDToken(), PlainText: true, ConfigPath: "/nonexistent"},
		Clusters: kube.Options{Kubeconfig: "/nonexistent"},
	})
	if err != nil {
		return nil, err
	}
	instance := gateway.NewInstance(gateway.InstanceOptions{
		Name: world.Instance, Connection: connection, Engine: engine, Log: slog.New(slog.DiscardHandler),
	})
	return &observer{world: w, instance: instance, close: connection.Close, before: map[string]remembered{}}, nil
}

// remember takes in a picture in which everything holds.
func (o *observer) remember(p *picture) {
	o.step++
	next := maps.Clone(o.before)
	for _, t := range p.threads {
		was := next[t.root.TS]
		was.state, was.headline = t.state, t.headline()
		for _, a := range p.apps {
			if t.state == open && t.about(a.name()) {
				was.app, was.cause, was.step = a.name(), a.cause, o.step
			}
		}
		next[t.root.TS] = was
	}
	o.before = next
}

// look takes a picture. The error is that Argo CD did not answer.
func (o *observer) look(ctx context.Context) (*picture, error) {
	p := &picture{twice: o.world.Posted().Twice, operations: map[string]int{}, before: o.before}
	for _, s := range o.world.ArgoCD.States() {
		report, err := o.instance.Read(ctx, diagnose.AppName{Instance: world.Instance, Namespace: s.Name.Namespace, Name: s.Name.Name}, audience.All())
		if err != nil {
			return nil, fmt.Errorf("diagnose %s: %w", s.Name, err)
		}
		p.apps = append(p.apps, application{State: s, report: report, cause: incident.CauseOf(report)})
	}
	channel := o.world.Slack.Channel(world.Channel)
	for _, root := range channel.Messages() {
		if id := incidentOf(root); id != "" {
			p.threads = append(p.threads, threadOf(id, root, channel.Thread(root.TS)[1:]))
		}
	}
	for _, c := range o.world.Slack.Log("") {
		if c.Error != "" && !c.Scripted && !excused[c.Method+" "+c.Error] && !(c.Error == "ratelimited" && (o.world.replicas != nil || o.world.startedBefore(c.At))) {
			p.refused = append(p.refused, c)
		}
	}
	for _, f := range o.world.Slack.Timeouts() {
		if strings.HasPrefix(f.Reason, "invalid_") {
			p.senseless = append(p.senseless, f)
		}
	}
	for _, op := range o.world.ArgoCD.Operations() {
		if op.By == "" && !op.DryRun {
			p.operations[requestOf(op)]++
		}
	}
	if b := o.world.Bot(); !b.Running {
		p.ended = b.Problem
	}
	return p, nil
}

// excused are refusals that nobody can avoid.
var excused = map[string]bool{
	"views.update not_found":          true, // a person has closed the dialog
	"views.open expired_trigger_id":   true, // it lives three seconds, and a machine may be slow
	"views.open exchanged_trigger_id": true, // the answer to the first attempt was lost
	"views.push expired_trigger_id":   true,
	"views.push exchanged_trigger_id": true,
}

// startedBefore reports whether a bot was started in the minute before a moment: it does not know what the one before it has called.
func (s *scene) startedBefore(at time.Time) bool {
	return slices.ContainsFunc(s.starts, func(start time.Time) bool { return !start.After(at) && at.Sub(start) <= time.Minute })
}

// requestOf is the request that an operation was started for, as the bot writes it into the operation; "" without one.
func requestOf(op simulator.Operation) string {
	for _, i := range op.Info {
		if i.Name == remedy.InfoRequest {
			return i.Value
		}
	}
	return ""
}

// incidentOf is the incident that a message of the bot is about; "" of other messages, among them answers.
func incidentOf(m workspace.Message) string {
	var about struct {
		Payload struct{ Incident string } `json:"event_payload"`
	}
	if json.Unmarshal(m.Metadata, &about) != nil || strings.HasPrefix(about.Payload.Incident, "answer-") {
		return ""
	}
	return about.Payload.Incident
}

var (
	// page is the link to an application in Argo CD.
	page = regexp.MustCompile(`https://argocd\.example\.com/applications/[\w.-]+/([\w.-]+)`)
	// footer is the last line of a root message.
	footer = regexp.MustCompile(`(?m)^([a-z]+/[a-z0-9-]+|no known cause matched|no rule matched|unknown)(?: · .*)?$`)
	// crowd begins the headline of an outage.
	crowd = regexp.MustCompile(`^\S+ ([\d,]+)(?: of ([\d,]+))? applications: `)
)

func threadOf(id string, root workspace.Message, replies []workspace.Message) thread {
	t := thread{root: root, replies: replies, incident: id, state: open}
	switch {
	case strings.HasPrefix(root.Text, "🟢"), strings.HasPrefix(root.Text, "⚪"):
		t.state = over
	case strings.HasPrefix(root.Text, "↪"):
		t.state = joined
	}
	if found := footer.FindAllStringSubmatch(root.Shown(), -1); found != nil {
		t.rule = found[len(found)-1][1]
	}
	for _, link := range page.FindAllStringSubmatch(string(root.Blocks), -1) {
		if !slices.Contains(t.apps, link[1]) {
			t.apps = append(t.apps, link[1])
		}
	}
	if n := crowd.FindStringSubmatch(root.Text); n != nil {
		t.failing = number(n[1])
		t.members = max(t.failing, number(n[2]))
	}
	return t
}

func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", "")) // "" of what is not there is 0
	return n
}

// about reports whether it is the thread of one application, and of this one.
func (t *thread) about(app string) bool { return t.members == 0 && slices.Contains(t.apps, app) }

// headline is the first line of the root message.
func (t *thread) headline() string {
	line, _, _ := strings.Cut(t.root.Text, "\n")
	return line
}
