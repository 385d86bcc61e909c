package argo

import (
	"context"
	"errors"
	"io"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"k8s.io/apimachinery/pkg/watch"
)

// fromNow is a resource version that every application is beyond: Argo CD then sends changes only.
const fromNow = "0"

// Watch calls each with every change of an application that the account may see, one at a time, until the stream ends; it
// always does, with an *Error. Without a resource version (since) Argo CD first sends all applications as they are.
//
// A watch alone loses changes: Argo CD drops those that it cannot send immediately (1,000 can wait), and those between the
// first sending and the subscription. [Client.Follow] compensates for it.
func (c *Client) Watch(ctx context.Context, since string, each func(state AppState, deleted bool)) error {
	ctx, cancel := context.WithCancel(ctx) // the stream lives as long as its context
	defer cancel()
	const operation = "watch applications"
	stream, err := c.applications.Watch(ctx, &applicationpkg.ApplicationQuery{ResourceVersion: given(since)})
	if err != nil {
		return c.fail(ctx, operation, err)
	}
	for {
		event, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF): // argocd-server says goodbye, or a proxy in front of it
			return &Error{Problem: Unreachable, Operation: operation, Err: err, what: c.server() + " closed the stream", todo: "try again"}
		case err != nil:
			return c.fail(ctx, operation, err)
		}
		state, err := stateOf(&event.Application)
		if err != nil {
			return &Error{Problem: Failed, Operation: operation, Err: err}
		}
		each(state, event.Type == watch.Deleted)
	}
}
