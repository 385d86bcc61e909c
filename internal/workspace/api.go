package workspace

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

// answer is the body of a response, without ok.
type answer map[string]any

// method of the Web API. It runs under the lock of the workspace.
type method struct {
	scopes []string // one of them is needed
	run    func(*call) (answer, error)
}

// refusal is a Slack error code with what else stands beside it.
type refusal struct {
	code string
	more answer
}

func (r *refusal) Error() string { return r.code }

func refuse(code string) error { return &refusal{code: code} }

// call is one request for a method.
type call struct {
	w    *Workspace
	app  *app
	args url.Values
	base string // URL at which the client reached us
}

// methods are named and scoped as at https://docs.slack.dev/reference/methods.
func methods() map[string]method {
	kinds := func(right string) []string {
		return []string{"channels:" + right, "groups:" + right, "im:" + right, "mpim:" + right}
	}
	return map[string]method{
		"auth.test":                    {nil, (*call).authTest},
		"auth.teams.list":              {nil, (*call).teamList},
		"team.info":                    {[]string{"team:read"}, (*call).teamInfo},
		"chat.postMessage":             {[]string{"chat:write"}, (*call).postMessage},
		"chat.update":                  {[]string{"chat:write"}, (*call).updateMessage},
		"chat.delete":                  {[]string{"chat:write"}, (*call).deleteMessage},
		"chat.postEphemeral":           {[]string{"chat:write"}, (*call).postEphemeral},
		"chat.getPermalink":            {nil, (*call).getPermalink},
		"conversations.info":           {kinds("read"), (*call).conversationInfo},
		"conversations.list":           {kinds("read"), (*call).conversationList},
		"conversations.members":        {kinds("read"), (*call).conversationMembers},
		"conversations.history":        {kinds("history"), (*call).history},
		"conversations.replies":        {kinds("history"), (*call).replies},
		"conversations.open":           {[]string{"im:write", "mpim:write"}, (*call).openConversation},
		"conversations.join":           {[]string{"channels:join"}, (*call).joinConversation},
		"users.info":                   {[]string{"users:read"}, (*call).userInfo},
		"users.list":                   {[]string{"users:read"}, (*call).userList},
		"users.lookupByEmail":          {[]string{"users:read.email"}, (*call).lookupByEmail},
		"usergroups.list":              {[]string{"usergroups:read"}, (*call).groupList},
		"usergroups.users.list":        {[]string{"usergroups:read"}, (*call).groupUsers},
		"bots.info":                    {[]string{"users:read"}, (*call).botInfo},
		"reactions.add":                {[]string{"reactions:write"}, (*call).addReaction},
		"reactions.remove":             {[]string{"reactions:write"}, (*call).removeReaction},
		"views.open":                   {nil, (*call).openView},
		"views.push":                   {nil, (*call).pushView},
		"views.update":                 {nil, (*call).updateView},
		"files.getUploadURLExternal":   {[]string{"files:write"}, (*call).uploadURL},
		"files.completeUploadExternal": {[]string{"files:write"}, (*call).completeUpload},
	}
}

const connectionsOpen = "apps.connections.open"

// Handler serves /api/, the sockets, uploads and response URLs.
func (w *Workspace) Handler() http.Handler { return w.mux }

func (w *Workspace) routes() *http.ServeMux {
	mux := http.NewServeMux()
	all := methods()
	mux.HandleFunc("/api/{method}", func(rw http.ResponseWriter, r *http.Request) {
		w.serveMethod(rw, r, r.PathValue("method"), all)
	})
	mux.HandleFunc("/link/", w.serveSocket)
	mux.HandleFunc("POST /upload/{id}", w.serveUpload)
	mux.HandleFunc("POST /response/{id}", w.serveResponse)
	return mux
}

func (w *Workspace) serveMethod(rw http.ResponseWriter, r *http.Request, name string, all map[string]method) {
	args, token, problem := arguments(r)
	rw.Header().Set("Date", w.opt.Now().UTC().Format(http.TimeFormat)) // of the clock that its ts are made by
	var fault Fault
	var index int
	w.do(func() {
		index = len(w.calls)
		entry := Call{Method: name, At: w.opt.Now(), Args: args}
		fault, entry.Scripted = w.fault(name, args)
		if a, _ := w.byToken(token); a != nil {
			entry.AppID = a.ID
		}
		w.calls = append(w.calls, entry)
	})
	if code, status, over := w.arrange(rw, r, fault); over {
		w.do(func() { w.calls[index].Status, w.calls[index].Error = status, code })
		return
	}
	var body answer
	var wait time.Duration
	w.do(func() {
		var a *app
		a, body, wait = w.answer(r, name, args, token, problem, all)
		w.calls[index].Status = http.StatusOK
		if wait > 0 {
			w.calls[index].Status = http.StatusTooManyRequests
		}
		w.calls[index].Error, _ = body["error"].(string)
		if a != nil {
			rw.Header().Set("X-OAuth-Scopes", a.provided())
			rw.Header().Set("X-Accepted-OAuth-Scopes", strings.Join(all[name].scopes, ","))
		}
	})
	if fault.LoseAnswer {
		panic(http.ErrAbortHandler)
	}
	if wait > 0 {
		limited(rw, wait)
		return
	}
	write(rw, http.StatusOK, body)
}

func (w *Workspace) answer(
	r *http.Request, name string, args url.Values, token string, problem error, all map[string]method,
) (*app, answer, time.Duration) {
	m, known := all[name]
	if !known && name != connectionsOpen {
		return nil, answer{"ok": false, "error": "unknown_method", "req_method": name}, 0
	}
	if problem != nil {
		return nil, failed(problem), 0
	}
	if token == "" {
		return nil, failed(refuse("not_authed")), 0
	}
	a, appLevel := w.byToken(token)
	switch {
	case a == nil:
		return nil, failed(refuse("invalid_auth")), 0
	case a.revoked:
		return nil, failed(refuse("token_revoked")), 0
	case appLevel != (name == connectionsOpen) && name != "auth.test":
		return a, failed(refuse("not_allowed_token_type")), 0
	case name == connectionsOpen && !slices.Contains(a.AppScopes, connectionsWrite):
		return a, failed(&refusal{code: "missing_scope", more: answer{
			"needed": connectionsWrite, "provided": strings.Join(a.AppScopes, ","),
		}}), 0
	case !appLevel && !a.mayAny(m.scopes):
		return a, failed(missingScope(a, m.scopes...)), 0
	case appLevel && name == "auth.test":
		return a, succeeded(answer{"app_id": a.ID, "app_name": a.Name}), 0
	}
	c := &call{w: w, app: a, args: args, base: baseOf(r)}
	if name == connectionsOpen {
		return a, succeeded(w.newTicket(a, c.base)), 0
	}
	if wait := w.paced(a, name, args); wait > 0 {
		return a, failed(refuse("ratelimited")), wait
	}
	body, err := m.run(c)
	if err != nil {
		return a, failed(err), 0
	}
	return a, succeeded(body), 0
}

func baseOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func missingScope(a *app, needed ...string) error {
	return &refusal{code: "missing_scope", more: answer{"needed": strings.Join(needed, ","), "provided": a.provided()}}
}

func succeeded(body answer) answer {
	if body == nil {
		body = answer{}
	}
	body["ok"] = true
	return body
}

// failed is the body of a refusal. What Block Kit does not like stands in it twice, as Slack has it.
func failed(err error) answer {
	body := answer{"ok": false}
	var blocks *blockkit.Refusal
	var plain *refusal
	switch {
	case errors.As(err, &blocks):
		body["error"] = blocks.Code
		if len(blocks.Problems) > 0 {
			var messages []string
			for _, p := range blocks.Problems {
				messages = append(messages, "[ERROR] "+p)
			}
			body["errors"] = slices.Clone(blocks.Problems)
			body["response_metadata"] = answer{"messages": messages}
		}
	case errors.As(err, &plain):
		body["error"] = plain.code
		for k, v := range plain.more {
			body[k] = v
		}
	default:
		body["error"] = "internal_error"
	}
	return body
}

func write(rw http.ResponseWriter, status int, body answer) {
	raw, err := json.Marshal(body)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(status)
	// The client has gone: there is nobody left to tell.
	_, _ = rw.Write(raw)
}
