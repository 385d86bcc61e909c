package panel

import (
	"net/http"
	"strings"

	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/text"
)

// policy lets the pages load their style sheet and do nothing else: what an error says never runs.
const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ArgoCD serves the pages that the links to Argo CD lead to. They show only what Argo CD itself would show.
func (p *Panel) ArgoCD() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /style.css", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = rw.Write(Style) // a reader that is gone needs nothing
	})
	mux.HandleFunc("GET /{$}", p.argoCDList)
	mux.HandleFunc("GET /applications", p.argoCDList)
	mux.HandleFunc("GET /applications/{name}", p.argoCDApplication)
	mux.HandleFunc("GET /applications/{namespace}/{name}", p.argoCDApplication)
	return mux
}

// listed is what the page with all applications shows.
type listed struct{ Applications []application }

func (p *Panel) argoCDList(rw http.ResponseWriter, _ *http.Request) {
	var l listed
	for _, s := range p.world.ArgoCD.States() {
		l.Applications = append(l.Applications, application{State: s, Path: argoCDPath(s.Name), Marks: marks(s)})
	}
	write(rw, http.StatusOK, "argocd-list", l)
}

// detailed is what the page of one application shows.
type detailed struct {
	simulator.Details
	Sync, Health, Phase mark
	Lines               []resourceLine
	Tasks               []taskLine
}

type (
	resourceLine struct {
		simulator.Resource
		Marks []mark
	}
	taskLine struct {
		Object, Hook, Message string
		Mark                  mark
	}
)

func (p *Panel) argoCDApplication(rw http.ResponseWriter, r *http.Request) {
	name := simulator.Name{Namespace: r.PathValue("namespace"), Name: r.PathValue("name")}
	if name.Namespace == "" {
		name.Namespace = "argocd"
	}
	details, err := p.world.ArgoCD.Details(name)
	if err != nil {
		write(rw, http.StatusNotFound, "argocd-missing", name)
		return
	}
	d := detailed{Details: details, Sync: markOf("sync", details.Sync), Health: markOf("health", details.Health)}
	if details.Operation != "" {
		d.Phase = markOf("operation", details.Operation)
	}
	for _, res := range details.Resources {
		line := resourceLine{Resource: res}
		if res.Health != "" {
			line.Marks = append(line.Marks, markOf("health", res.Health))
		}
		if res.Sync != "" {
			line.Marks = append(line.Marks, markOf("sync", res.Sync))
		}
		d.Lines = append(d.Lines, line)
	}
	for _, t := range details.Results {
		word := t.Status
		if t.HookType != "" {
			word = t.HookPhase
		}
		d.Tasks = append(d.Tasks, taskLine{Object: t.Kind + "/" + t.Name, Hook: t.HookType, Message: t.Message, Mark: markOf("operation", word)})
	}
	write(rw, http.StatusOK, "argocd-application", d)
}

// Times are when the last operation began, and how long it took.
func (d detailed) Times() string {
	switch {
	case d.Started.IsZero():
		return ""
	case d.Finished.IsZero():
		return "since " + text.Timestamp(d.Started)
	default:
		return text.Timestamp(d.Finished) + ", after " + text.Duration(d.Finished.Sub(d.Started))
	}
}

// Short is a revision as Argo CD shows it.
func (d detailed) Short() string { return text.Revision(d.Revision) }

func write(rw http.ResponseWriter, status int, name string, data any) {
	html, err := execute(name, data)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	head := rw.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-store")
	rw.WriteHeader(status)
	_, _ = strings.NewReader(string(html)).WriteTo(rw) // a reader that is gone needs nothing
}
