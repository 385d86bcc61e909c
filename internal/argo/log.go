package argo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/argo-why/argo-why/internal/sanitize"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact"
)

const (
	// logLines is how many lines of a log are asked for. The decisive line is near the end, but above what a crash
	// prints after it: the longest stack traces (a chain of Java causes, a Go panic with its goroutines) have about 150.
	logLines int64 = 200
	// logBytes is how much of it is kept, from the end: 200 lines of 300 bytes, and a bound on lines without one.
	logBytes = 64 << 10
)

// Log reads the tail of a container's log: at most 200 lines and 64 KiB, cut at a line.
func (a *App) Log(ctx context.Context, q evidence.LogQuery) (evidence.Log, error) {
	// The stream lives as long as its context: whatever ends the reading ends it, too.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines, follow := logLines, false
	stream, err := a.client.applications.PodLogs(ctx, &applicationpkg.ApplicationPodLogsQuery{
		Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project),
		Namespace: &q.Namespace, PodName: &q.Pod, Container: given(q.Container),
		Previous: &q.Previous, TailLines: &lines, Follow: &follow,
	})
	operation := "read log of Pod/" + q.Pod
	if err != nil {
		return evidence.Log{}, a.client.fail(ctx, operation, err)
	}
	content, err := a.readLog(ctx, stream, operation)
	if err != nil {
		return evidence.Log{}, err
	}
	log := evidence.Log{Namespace: q.Namespace, Pod: q.Pod, Container: q.Container, Previous: q.Previous, Text: content}
	a.Record.Log(q, log)
	return log, nil
}

// readLog reads until Argo CD says that this was the last entry.
func (a *App) readLog(ctx context.Context, stream applicationpkg.ApplicationService_PodLogsClient, operation string) (string, error) {
	var t tail
	for {
		entry, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			// An end without a last entry: Argo CD found no such pod in the tree, and says nothing at all.
			return "", fmt.Errorf("%s: Argo CD does not find the pod in application %s: %w", operation, a.Name(), evidence.ErrAbsent)
		case err != nil:
			return "", a.client.fail(ctx, operation, err)
		case entry.GetLast():
			return t.text(), nil
		case entry.GetPodName() == "":
			// The words of the API server where there is no log ("container is waiting to start"), sent as if they were
			// a line of it. Lines of a log carry the name of their pod.
			return "", &Error{Problem: Failed, Operation: operation, Err: errors.New(string(sanitize.Excerpt(entry.GetContent())))}
		}
		t.add(entry.GetContent())
	}
}

// tail keeps the end of a text.
type tail struct{ kept []byte }

func (t *tail) add(line string) {
	t.kept = append(t.kept, line...)
	t.kept = append(t.kept, '\n')
	if len(t.kept) > 4*logBytes { // now and then, so that each line is moved once or twice, not each time
		t.cut()
	}
}

// cut drops what is too much from the front, up to the end of a line. A single line that is too long keeps its end. Secrets go
// first: the cut may take what tells that the rest is one.
func (t *tail) cut() {
	over := len(t.kept) - logBytes
	if over <= 0 {
		return
	}
	t.kept = []byte(redact.String(string(t.kept)))
	if over = len(t.kept) - logBytes; over <= 0 {
		return
	}
	if i := bytes.IndexByte(t.kept[over-1:len(t.kept)-1], '\n'); i >= 0 {
		over += i
	}
	t.kept = append(t.kept[:0], t.kept[over:]...)
}

// text is the kept lines without the last line end. Bytes that are no UTF-8 are replaced: a case file could not contain them.
func (t *tail) text() string {
	t.cut()
	return strings.ToValidUTF8(strings.TrimSuffix(string(t.kept), "\n"), "\uFFFD")
}
