package workspace

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Fault is something that goes wrong with the next calls of a method.
type Fault struct {
	Method string // like "chat.postMessage"; empty is any
	Skip   int    // calls that go well before
	Times  int    // calls that it hits; 0 is one, -1 all
	// Match, if set, picks among the calls by their arguments. It must not use the workspace.
	Match func(args url.Values) bool

	// What happens. Delay comes first and may stand alone.
	Delay      time.Duration // before the call is looked at
	Late       time.Duration // the call is taken, and has its effect and its answer after that, whether the client still waits or not
	Hang       bool          // no answer until the client gives up
	Status     int           // 429, 500, 503 …, without any effect
	RetryAfter time.Duration // for 429, in whole seconds
	Error      string        // a Slack error code in a 200, without any effect
	Drop       bool          // the connection breaks before the call has an effect
	LoseAnswer bool          // the call has its effect and the connection breaks before the answer
}

// Fault adds to the script. Of several that fit a call the oldest is taken.
func (w *Workspace) Fault(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	w.do(func() { w.faults = append(w.faults, &f) })
}

// ClearFaults ends the script; hanging calls go on hanging.
func (w *Workspace) ClearFaults() {
	w.do(func() { w.faults, w.dials = nil, dialFaults{} })
}

// fault takes the next fault for a call off the script.
func (w *Workspace) fault(method string, args url.Values) (f Fault, found bool) {
	for _, f := range w.faults {
		if f.Times == 0 || f.Method != "" && f.Method != method || f.Match != nil && !f.Match(args) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		if f.Times > 0 {
			f.Times--
		}
		return *f, true
	}
	return Fault{}, false
}

// Call is one that arrived, whatever became of it.
type Call struct {
	Method string
	At     time.Time
	Args   url.Values // without the token
	AppID  string
	Status int    // of HTTP; 0 while it hangs or if the connection broke
	Error  string // Slack's error code, empty if it went well
	// Scripted: a fault hit it, so that what became of it is not the caller's doing.
	Scripted bool
}

// Calls counts the calls of a method; "" counts all.
func (w *Workspace) Calls(method string) int { return len(w.Log(method)) }

// Log has the calls of a method in the order of their arrival; "" has all.
func (w *Workspace) Log(method string) []Call {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []Call
	for _, c := range w.calls {
		if method == "" || c.Method == method {
			found = append(found, c)
		}
	}
	return found
}

// arrange carries out the part of a fault that comes before the call has an effect. It reports whether that was all.
func (w *Workspace) arrange(rw http.ResponseWriter, r *http.Request, f Fault) (code string, status int, over bool) {
	if f.Delay > 0 && !w.wait(r, time.After(f.Delay)) {
		panic(http.ErrAbortHandler)
	}
	if f.Late > 0 {
		select {
		case <-time.After(f.Late):
		case <-w.closed:
			panic(http.ErrAbortHandler)
		}
	}
	switch {
	case f.Hang:
		w.wait(r, nil)
		panic(http.ErrAbortHandler)
	case f.Drop:
		panic(http.ErrAbortHandler)
	case f.Status == http.StatusTooManyRequests:
		limited(rw, f.RetryAfter)
		return "ratelimited", f.Status, true
	case f.Status != 0:
		http.Error(rw, http.StatusText(f.Status), f.Status)
		return cmp.Or(f.Error, "http_"+strconv.Itoa(f.Status)), f.Status, true
	case f.Error != "":
		write(rw, http.StatusOK, answer{"ok": false, "error": f.Error})
		return f.Error, http.StatusOK, true
	}
	return "", 0, false
}

// wait is true if the time has come, and false if the client or the workspace has gone before.
func (w *Workspace) wait(r *http.Request, until <-chan time.Time) bool {
	select {
	case <-until:
		return true
	case <-r.Context().Done():
	case <-w.closed:
	}
	return false
}
