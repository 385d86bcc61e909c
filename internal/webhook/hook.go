package webhook

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"

	"golang.org/x/time/rate" // Go's own: a line in the log once in a while

	"github.com/argo-why/argo-why/internal/diagnose"
)

const (
	// maxBody is for two names of at most 253 bytes, and for what people put beside them.
	maxBody = 64 << 10
	// maxAtOnce is how many hooks may be under way; a notifications controller sends one at a time, unless told otherwise.
	maxAtOnce = 64
	// sinkTimeout is how long noting a hint may take. Longer, and Argo CD is better told to come again.
	sinkTimeout = 2 * time.Second
)

// Sink notes that an application is to be looked at. When it returns nil the caller forgets the hint; so it should survive
// what the caller counts on. It must be quick and safe for parallel use.
type Sink func(context.Context, diagnose.AppName) error

// Hook is an Argo CD that may send hints.
type Hook struct {
	// Instance is its name in the configuration, and the last part of the path.
	Instance string
	// Token is what it must show. Two hooks of the same instance are both good: that is how a token is replaced.
	Token string
}

// outcome is what became of a request; the values are those of the metric.
type outcome string

const (
	accepted        outcome = "accepted"
	wrongMethod     outcome = "method_not_allowed"
	unknownInstance outcome = "unknown_instance"
	unauthorized    outcome = "unauthorized"
	wrongType       outcome = "unsupported_media_type"
	tooLarge        outcome = "too_large"
	badBody         outcome = "bad_request"
	busy            outcome = "busy"
	notNoted        outcome = "not_noted"
)

// refused is the same for a token that is wrong and an Argo CD that is not configured: otherwise anybody who can reach the port
// could find out the names of the instances. The log and the metrics say which it was.
var refused = reply{
	http.StatusUnauthorized,
	"no Argo CD with this name and this bearer token: check the end of the URL, and the key in argocd-notifications-secret",
}

// reply is a status and a line.
type reply struct {
	status int
	line   string
}

// answers are the status and the line for each outcome; badBody says its line itself.
var answers = map[outcome]reply{
	accepted:        {http.StatusAccepted, "noted"},
	wrongMethod:     {http.StatusMethodNotAllowed, "use POST"},
	unknownInstance: refused,
	unauthorized:    refused,
	wrongType:       {http.StatusUnsupportedMediaType, "send application/json"},
	tooLarge:        {http.StatusRequestEntityTooLarge, "body is larger than 64 KiB"},
	busy:            {http.StatusServiceUnavailable, "too many hooks at the same time: try again"},
	notNoted:        {http.StatusServiceUnavailable, "could not be queued: try again"},
}

// credential is a name and a token that belong together, as digests.
type credential struct{ instance, token [sha256.Size]byte }

// hooks answers /hooks/argocd/{instance}.
type hooks struct {
	credentials []credential
	instances   map[string]bool
	sink        Sink
	slots       chan struct{}
	metrics     *metrics
	log         *slog.Logger
	// strangers keeps requests without a good token, of which anybody can send any number, from filling the log.
	strangers rate.Sometimes
}

// ServeHTTP implements http.Handler.
func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	instance := r.PathValue("instance")
	what, err := h.receive(w, r, instance)
	label := instance
	if !h.instances[instance] {
		label = "" // a label that strangers choose would fill the memory
	}
	h.metrics.count(label, what, time.Since(started))
	complain := func() { h.log.Warn("hook refused", "instance", label, "outcome", string(what), "error", err) }
	switch {
	case what == unauthorized, what == unknownInstance:
		h.strangers.Do(complain)
	case err != nil:
		complain()
	}
	answer := answers[what]
	if what == badBody {
		answer.status, answer.line = http.StatusBadRequest, err.Error()
	}
	switch what {
	case wrongMethod:
		w.Header().Set("Allow", http.MethodPost)
	case unauthorized, unknownInstance:
		w.Header().Set("WWW-Authenticate", `Bearer realm="argo-why"`)
	case busy, notNoted:
		w.Header().Set("Retry-After", "1")
	default:
	}
	line(w, answer.status, answer.line)
}

// receive does the work. Nothing is read of a request that shows no good token.
func (h *hooks) receive(w http.ResponseWriter, r *http.Request, instance string) (outcome, error) {
	if r.Method != http.MethodPost {
		return wrongMethod, nil
	}
	switch allowed := h.authorized(r, instance); {
	case allowed:
	case h.instances[instance]:
		return unauthorized, errors.New("bearer token missing or wrong")
	default:
		return unknownInstance, errors.New("no Argo CD with this name is configured")
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return wrongType, nil
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	default:
		return busy, errors.New("too many at the same time")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return tooLarge, err
	case err != nil:
		return badBody, errors.New("body could not be read completely")
	}
	app, err := Parse(body)
	if err != nil {
		return badBody, err
	}
	app.Instance = instance
	// Not the request's own end: a sender that hangs up has said what it had to say.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), sinkTimeout)
	defer cancel()
	if err := h.sink(ctx, app); err != nil {
		return notNoted, err
	}
	return accepted, nil
}

// authorized compares digests, which all have one length, with every pair there is: the time tells nothing, not how much of a
// token is right, not how long it is, and not whether the instance exists.
func (h *hooks) authorized(r *http.Request, instance string) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		token = "" // no token is that short
	}
	name, given, good := sha256.Sum256([]byte(instance)), sha256.Sum256([]byte(strings.TrimSpace(token))), 0
	for i := range h.credentials {
		c := &h.credentials[i]
		good |= subtle.ConstantTimeCompare(name[:], c.instance[:]) & subtle.ConstantTimeCompare(given[:], c.token[:])
	}
	return good == 1
}
