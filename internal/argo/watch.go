package argo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/argo-why/argo-why/internal/foreign"
)

// fromNow is a resource version that every application is beyond: Argo CD then sends changes only. It is no place to resume from:
// Argo CD keeps no past changes, and of those to come the version only keeps older ones out.
const fromNow = "0"

// watchWhole calls each with every change of an application that the account may see, one at a time, until the stream ends; it always
// does, with an *Error. It sends applications whole. Without a resource version (since) Argo CD first sends all applications as they are.
//
// A watch alone loses changes: Argo CD drops those that it cannot send immediately (1,000 can wait), and those between the
// first sending and the subscription. [Client.Follow] compensates for it.
func (c *Client) watchWhole(ctx context.Context, since string, each func(state AppState, deleted bool)) error {
	ctx, cancel := context.WithCancel(ctx) // the stream lives as long as its context
	defer cancel()
	stream, err := c.applications.Watch(ctx, &applicationpkg.ApplicationQuery{ResourceVersion: given(since)}, shortened())
	if err != nil {
		return c.fail(ctx, watching, err)
	}
	for {
		event, err := stream.Recv()
		if err != nil {
			return c.streamEnded(ctx, err)
		}
		state, err := stateOf(&event.Application)
		if err != nil {
			return &Error{Problem: Failed, Operation: watching, Err: err}
		}
		each(state, event.Type == watch.Deleted)
	}
}

const watching = "watch applications"

func (c *Client) streamEnded(ctx context.Context, err error) error {
	if errors.Is(err, io.EOF) { // argocd-server says goodbye, or a proxy in front of it
		return &Error{Problem: Unreachable, Operation: watching, Err: err, what: c.server() + " closed the stream", todo: "try again"}
	}
	return c.fail(ctx, watching, err)
}

// silence is how long a stream may say nothing that says something every 15 seconds, as Argo CD's does (a comment, in the language of
// events). Older versions do not, so it counts from the first such comment.
const silence = time.Minute

var errSilent = fmt.Errorf("the stream has said nothing for %s", silence)

// watchShort is watchWhole over HTTP, from now on, with the watched fields. Argo CD sends a change only if one of them changed.
func (c *Client) watchShort(ctx context.Context, each func(state AppState, deleted bool)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	web, err := c.web()
	if err != nil {
		return fmt.Errorf("%w: %w", errNotTheAPI, err)
	}
	fields := "error,result.type," + prefixed("result.application.", watchedFields)
	body, err := web.get(ctx, "/api/v1/stream/applications", url.Values{"fields": {fields}, "resourceVersion": {fromNow}}, "text/event-stream")
	if err != nil {
		return c.shortEnded(ctx, err)
	}
	err = readEvents(body, time.AfterFunc(silence, func() { cancel(errSilent) }), each)
	_ = body.Close() // the stream is over, whatever it says
	if errors.Is(context.Cause(ctx), errSilent) {
		return &Error{Problem: Unreachable, Operation: watching, Err: errSilent, what: c.server() + " no longer sends anything", todo: todoUnreachable}
	}
	return c.shortEnded(ctx, err)
}

// shortEnded leaves [errNotTheAPI] as it is. What Argo CD did not say itself is trouble of the connection.
func (c *Client) shortEnded(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, errNotTheAPI):
		return err
	case ctx.Err() == nil && status.Code(err) == codes.Unknown:
		return &Error{Problem: Unreachable, Operation: watching, Err: err, what: c.server() + " closed the stream", todo: "try again"}
	}
	return c.fail(ctx, watching, err)
}

// readEvents reads a stream of events, one application at a time. The alarm goes off when the stream falls silent.
func readEvents(r io.Reader, alarm *time.Timer, each func(state AppState, deleted bool)) error {
	alarm.Stop()
	defer alarm.Stop()
	lines := bufio.NewReader(r)
	for comments := false; ; {
		line, err := readLine(lines, foreign.Application)
		if err != nil {
			return err
		}
		comments = comments || line[0] == ':'
		if comments {
			alarm.Reset(silence)
		}
		data, ok := cutData(line)
		if !ok {
			continue
		}
		if err := readEvent(data, each); err != nil {
			return err
		}
	}
}

// readLine is the next line with its end. An event has one application in one line; a line that does not end would fill the memory.
func readLine(r *bufio.Reader, limits foreign.Limits) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if refused := limits.Counted(len(line)+len(part), 0); refused != nil {
			return nil, fmt.Errorf("read an event: %w", refused)
		}
		if line = append(line, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// cutData is the data of an event: a line that begins so.
func cutData(line []byte) (data []byte, ok bool) {
	data, ok = bytes.CutPrefix(line, []byte("data:"))
	return bytes.TrimSpace(data), ok
}

func readEvent(data []byte, each func(state AppState, deleted bool)) error {
	var event struct {
		Result *struct {
			Type        watch.EventType
			Application json.RawMessage
		}
	}
	if err := foreign.Skim(data, &event); err != nil {
		return fmt.Errorf("read an event: %w", err)
	}
	if event.Result == nil {
		return cmp.Or(webRefusal(data), io.ErrUnexpectedEOF)
	}
	app, err := decodeApplication(event.Result.Application)
	if err != nil {
		return fmt.Errorf("read an event: %w", err)
	}
	state, err := stateOf(app)
	if err != nil {
		return err
	}
	each(state, event.Result.Type == watch.Deleted)
	return nil
}
