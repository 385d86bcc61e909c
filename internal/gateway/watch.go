package gateway

import (
	"context"
	"errors"
	"strings"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// Change says that an application is not what it was. Well is that of [argo.AppState]: there is nothing to explain, and all of it was
// read. Looks is how Argo CD shows one that is not well: equal for those that most likely fail alike, and empty if not all of it was read.
type Change struct {
	App           diagnose.AppName
	Deleted, Well bool
	Looks         string
}

// Follow calls each for every application, then listed, and then each for each change, one at a time, until the context ends; the
// error is why that ended. Where the connection was lost it lists again. Meanwhile it keeps the Directory and the ConnectionState.
func (in *Instance) Follow(ctx context.Context, listed func(), each func(Change)) error {
	heard := func(err error) {
		in.setConnectionState(err)
		if err == nil {
			listed()
		}
	}
	return in.conn.Argo.Follow(ctx, argo.FollowOptions{Heard: heard, Whole: in.followsWhole}, func(c argo.Change) {
		change := Change{App: in.name(&c.State), Deleted: c.Deleted, Well: c.State.Well() && !c.State.Partial}
		if !c.Deleted && !c.State.Partial {
			change.Looks = looks(&c.State)
		}
		if c.Deleted {
			in.Directory.remove(change.App)
		} else {
			e := entryOf(&c.State)
			e.Well, e.Looks, e.Wanted = change.Well, change.Looks, c.State.Wanted
			in.Directory.put(change.App, e)
		}
		each(change)
	})
}

// followsWhole logs which way Argo CD is followed, when that changes.
func (in *Instance) followsWhole(reason error) {
	if reason != nil {
		in.log.Warn("Argo CD's HTTP API cannot be used: reading whole applications over gRPC, which takes more memory and bandwidth", "error", reason)
		return
	}
	in.log.Info("Argo CD's HTTP API can be used again")
}

// Unwell lists the applications that are not well. What Argo CD's list does not show, such as conditions, is as Follow reported it. It does
// not add or remove applications in the Directory, because this list may be older than what Follow has reported since. It does update the
// project they are found by: if the watch missed a move to another project, the application could no longer be read. If this list is
// the older one, the next one corrects it.
func (in *Instance) Unwell(ctx context.Context) ([]diagnose.AppName, error) {
	states, err := in.conn.Argo.List(ctx)
	if err != nil {
		return nil, err
	}
	var unwell []diagnose.AppName
	for i := range states {
		app := in.name(&states[i])
		in.Directory.renew(app, entryOf(&states[i]))
		reported, known := in.Directory.Entry(app)
		if !states[i].Well() || states[i].Partial && known && !reported.Well {
			unwell = append(unwell, app)
		}
	}
	return unwell, nil
}

// looks is "" for one that is well.
func looks(s *argo.AppState) string {
	if s.Well() {
		return ""
	}
	return strings.Join(append([]string{s.Sync, s.Health, s.Phase}, s.Conditions...), " ")
}

func entryOf(s *argo.AppState) Entry {
	return Entry{Project: s.Project, Cluster: s.Cluster, Labels: s.Labels, Repositories: s.Repositories}
}

func (in *Instance) name(s *argo.AppState) diagnose.AppName {
	return diagnose.AppName{Instance: in.Name, Namespace: s.Namespace, Name: s.Name}
}

// errNotConnected is the state before Follow has listed everything once.
var errNotConnected = errors.New("not connected yet")

// ConnectionState is nil while the watch stands and everything was listed, else why not.
func (in *Instance) ConnectionState() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.state
}

// setConnectionState logs the state where it turns.
func (in *Instance) setConnectionState(err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if err != nil && (in.state == nil || errors.Is(in.state, errNotConnected)) {
		in.log.Warn("watch on Argo CD failed", "error", err)
	}
	if err == nil && in.state != nil {
		in.log.Info("watching Argo CD", "server", in.conn.Argo.Server(), "applications", in.Directory.Len())
	}
	in.state = err
}
