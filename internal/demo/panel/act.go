package panel

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
)

// limitedCalls are those that Slack refuses once a visitor wants it to.
const limitedCalls = 5

// unknownError is a request for what is not there: an old page, or none of ours.
type unknownError struct{ what string }

func (e *unknownError) Error() string { return e.what }

func unknown(format string, args ...any) error { return &unknownError{fmt.Sprintf(format, args...)} }

// does answers a form with nothing when it is done, and else with what the person reads.
func (p *Panel) does(do func(*http.Request) error) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		err := do(r)
		p.signal()
		answer(rw, err)
	}
}

func answer(rw http.ResponseWriter, err error) {
	var no *unknownError
	switch {
	case err == nil:
		rw.WriteHeader(http.StatusNoContent)
	case errors.As(err, &no):
		http.Error(rw, no.what, http.StatusNotFound)
	default:
		http.Error(rw, plain(err), http.StatusConflict)
	}
}

// plain is the clause of an error that decides, without the words of the protocol and of those who passed it on.
func plain(err error) string {
	text := strings.TrimPrefix(err.Error(), "simulated Argo CD: ")
	const before = " desc = "
	if at := strings.LastIndex(text, before); at >= 0 {
		text = text[at+len(before):]
	}
	return text
}

// application does something to an application: what makes the cause go away, kubectl, or a button of Argo CD's own page.
func (p *Panel) application(r *http.Request) error {
	name := simulator.Name{Namespace: r.PostFormValue("namespace"), Name: r.PostFormValue("name")}
	argoCD := p.world.ArgoCD
	state, err := argoCD.State(name)
	if err != nil {
		return unknown("No application named %s.", name)
	}
	switch do := r.PostFormValue("do"); do {
	case "repair":
		return p.world.Repair(name)
	case "edit":
		_, err := argoCD.Edit(name)
		return err
	case "refresh", "hard-refresh":
		return argoCD.Refresh(name, do == "hard-refresh")
	case "sync", "prune":
		return argoCD.Sync(name, do == "prune")
	case "terminate":
		return argoCD.Terminate(name)
	case "delete-jobs":
		if len(state.FailedJobs) == 0 {
			return fmt.Errorf("%s no longer has a failed Job: someone else has deleted it", name)
		}
		for _, job := range state.FailedJobs {
			if err := argoCD.Delete(name, job); err != nil {
				return err
			}
		}
		return nil
	default:
		return unknown("Unknown action %q.", do)
	}
}

func (p *Panel) everything(*http.Request) error { return p.world.RepairEverything() }

func (p *Panel) breakOne(r *http.Request) error {
	all := p.world.Failures()
	at, err := strconv.Atoi(r.PostFormValue("failure"))
	if err != nil || at < 0 || at >= len(all) {
		return unknown("No failure named %q. Choose one from the list.", r.PostFormValue("failure"))
	}
	return p.world.Break(all[at])
}

func (p *Panel) fleet(r *http.Request) error {
	switch do := r.PostFormValue("do"); do {
	case "break":
		return p.world.BreakFleet()
	case "repair":
		return p.world.RepairFleet()
	default:
		return unknown("Unknown action %q.", do)
	}
}

func (p *Panel) delivery(r *http.Request) error {
	for _, d := range deliveries {
		if string(d.How) == r.PostFormValue("delivery") {
			p.world.Deliver(d.How)
			return nil
		}
	}
	return unknown("Unknown delivery %q.", r.PostFormValue("delivery"))
}

func (p *Panel) bot(r *http.Request) error {
	switch do := r.PostFormValue("do"); do {
	case "kill":
		if !p.world.Bot().Running {
			return errors.New("the bot is not running: it starts again in a few seconds")
		}
		p.world.KillBot()
	case "kill-at-message":
		p.world.KillBotAtNextMessage()
	case "spare":
		p.world.SpareBot()
	default:
		return unknown("Unknown action %q.", do)
	}
	return nil
}

func (p *Panel) slack(r *http.Request) error {
	switch do := r.PostFormValue("do"); do {
	case "limit":
		p.world.LimitSlack(limitedCalls)
	case "answer":
		p.world.LimitSlack(0)
	default:
		return unknown("Unknown action %q.", do)
	}
	return nil
}

// deliveries are what can become of notifications, as the panel offers it.
var deliveries = []struct {
	How         world.Delivery
	Label, Says string
}{
	{world.Delivered, "Delivered", "Argo CD calls the bot immediately."},
	{world.Late, "Late", fmt.Sprintf("Argo CD calls the bot %.0f s later.", world.LateBy.Seconds())},
	{world.Lost, "Lost", fmt.Sprintf("The bot is not notified. It checks all applications every %.0f s and finds the change then.", world.SweepEvery.Seconds())},
}
