package evidence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// CaseVersion is the format of the case files that this program writes and reads.
const CaseVersion = "argo-why.dev/v1"

// Case is all the evidence about one application at one moment: a case file, decoded. An absent key is evidence that was
// not available.
type Case struct {
	Version string `json:"case"`
	Origin  string `json:"origin,omitempty"`
	Now     Time   `json:"now,omitzero"`
	// AsOf is the clock where it is the newest date in what was read; zero where the case has one, or nothing in it has a date.
	AsOf        Time         `json:"-"`
	APIError    string       `json:"apiError,omitempty"`
	Application *Application `json:"application,omitempty"`
	Tree        *Tree        `json:"resourceTree,omitempty"`
	Managed     *struct {
		Items []ResourceDiff `json:"items"`
	} `json:"managedResources,omitempty"`
	Resources    []Object     `json:"resources,omitempty"`
	Events       []Event      `json:"events,omitempty"`
	Logs         []Log        `json:"logs,omitempty"`
	Project      *Project     `json:"project,omitempty"`
	Windows      *SyncWindows `json:"syncWindows,omitempty"`
	Repositories []Repository `json:"repositories,omitempty"`
	// Missing are objects that the cluster said do not exist, AutoscalersOf the namespaces whose autoscalers were read: those that
	// were found are among the resources. Nil where the case does not say which were read.
	Missing       []Ref    `json:"missing,omitempty"`
	AutoscalersOf []string `json:"autoscalersOf,omitzero"`
	// AllOf are the kinds without namespaces of which all were read, by their name in the API: "nodes".
	AllOf []string `json:"allOf,omitzero"`
	// NotShown are the kinds of evidence that Argo CD refused to show.
	NotShown []Kind `json:"notShown,omitempty"`
	// Rendered are digests of manifests by commit.
	Rendered map[string]string `json:"rendered,omitempty"`

	// Document is the JSON that the case was decoded from, with what is not known of it: a case file, or an Application.
	Document json.RawMessage `json:"-"`
}

// Source reads the case as if it were a live Argo CD.
func (c *Case) Source() Source { return caseSource{c} }

type caseSource struct{ c *Case }

// Free marks a source that costs neither calls nor time.
func (caseSource) Free() {}

// NotShown reports whether Argo CD refused to show a kind of evidence.
func (s caseSource) NotShown(kind Kind) bool { return slices.Contains(s.c.NotShown, kind) }

func (s caseSource) Subject(context.Context) (Subject, error) {
	if s.c.Application == nil && s.c.APIError == "" {
		return Subject{}, fmt.Errorf("read application: %w", ErrAbsent)
	}
	return Subject{Application: s.c.Application, Refusal: s.c.APIError}, nil
}

func (s caseSource) Tree(context.Context) (*Tree, error) {
	return present("resource tree", s.c.Tree, s.c.Tree != nil)
}

func (s caseSource) ManagedResources(context.Context) ([]ResourceDiff, error) {
	if s.c.Managed == nil {
		return nil, fmt.Errorf("read managed resources: %w", ErrAbsent)
	}
	return s.c.Managed.Items, nil
}

// Object looks among the recorded objects first, then at the live side of the managed resources. A managed resource
// whose live state is null does not exist: that is an answer, not an absence of evidence.
func (s caseSource) Object(_ context.Context, q ObjectQuery) (Object, error) {
	for _, o := range s.c.Resources {
		if o.Ref().Same(q.Ref) {
			return o, nil
		}
	}
	if s.c.Managed != nil {
		for _, d := range s.c.Managed.Items {
			if d.Ref().Same(q.Ref) {
				return DecodeObject([]byte(d.LiveState))
			}
		}
	}
	if slices.ContainsFunc(s.c.Missing, q.Same) {
		return nil, nil
	}
	return nil, fmt.Errorf("read %s: %w", q.Ref, ErrAbsent)
}

func (s caseSource) Events(_ context.Context, q ObjectQuery) ([]Event, error) {
	if s.c.Events == nil {
		return nil, fmt.Errorf("read events of %s: %w", q.Ref, ErrAbsent)
	}
	var out []Event
	for _, e := range s.c.Events {
		if e.Ref().Same(q.Ref) {
			out = append(out, e)
		}
	}
	SortEvents(out)
	return out, nil
}

func (s caseSource) Log(_ context.Context, q LogQuery) (Log, error) {
	for _, l := range s.c.Logs {
		if l.Pod == q.Pod && l.Previous == q.Previous && (l.Container == q.Container || q.Container == "" || l.Container == "") {
			return l, nil
		}
	}
	return Log{}, fmt.Errorf("read log of Pod/%s: %w", q.Pod, ErrAbsent)
}

// AllLogs are the logs that the case has, of whatever pods.
func (s caseSource) AllLogs() []Log { return s.c.Logs }

func (s caseSource) SyncWindows(context.Context) (*SyncWindows, error) {
	return present("sync windows", s.c.Windows, s.c.Windows != nil)
}

func (s caseSource) Project(context.Context) (*Project, error) {
	return present("project", s.c.Project, s.c.Project != nil)
}

func (s caseSource) Repositories(context.Context) ([]Repository, error) {
	return present("repositories", s.c.Repositories, s.c.Repositories != nil)
}

// Autoscalers are those among the recorded objects. None is no evidence, unless the case says that all were read: it contains
// what was read, not all there is. A case that says of which namespaces all were read has no others.
func (s caseSource) Autoscalers(_ context.Context, namespace string) ([]Object, error) {
	var out []Object
	for _, o := range s.c.Resources {
		if IsAutoscaler(o.Ref()) && o.Ref().Namespace == namespace {
			out = append(out, o)
		}
	}
	sortObjects(out)
	read := slices.Contains(s.c.AutoscalersOf, namespace)
	return present("autoscalers", out, read || len(out) > 0 && s.c.AutoscalersOf == nil)
}

// All are those among the recorded objects, under the same conditions.
func (s caseSource) All(_ context.Context, kind Outside) ([]Object, error) {
	var out []Object
	for _, o := range s.c.Resources {
		if r := o.Ref(); r.Group == kind.Group && r.Kind == kind.Kind {
			out = append(out, o)
		}
	}
	sortObjects(out)
	return present(kind.Resource, out, slices.Contains(s.c.AllOf, kind.Resource) || len(out) > 0 && s.c.AllOf == nil)
}

// Child looks for the Application among the recorded objects.
func (s caseSource) Child(_ context.Context, ref Ref) (*Application, error) {
	for _, o := range s.c.Resources {
		if o.Ref().Same(ref) {
			return o.Application()
		}
	}
	return nil, fmt.Errorf("read %s: %w", ref, ErrAbsent)
}

// Rendered is empty for a commit that the case knows nothing of: few cases do, and nothing is wrong with the others.
func (s caseSource) Rendered(_ context.Context, revision string) (string, error) {
	return s.c.Rendered[revision], nil
}

func present[T any](what string, v T, ok bool) (T, error) {
	if !ok {
		return v, fmt.Errorf("read %s: %w", what, ErrAbsent)
	}
	return v, nil
}

// SortEvents puts events in the order in which they last happened, equal times in their given order.
func SortEvents(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int { return a.Last().Compare(b.Last().Time) })
}

// Last is when the event last happened, from whichever field its reporter filled in.
func (e Event) Last() Time {
	for _, t := range []Time{e.LastTimestamp, e.EventTime, e.FirstTimestamp} {
		if !t.IsZero() {
			return t
		}
	}
	return Time{}
}
