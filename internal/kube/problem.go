package kube

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"syscall"

	"github.com/argo-why/argo-why/internal/sanitize"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Problem is why a cluster could not be read.
type Problem string

// The classes of problems.
const (
	// NoAccess: there is no way to the cluster, or none that can be trusted.
	NoAccess Problem = "no-access"
	// OtherCluster: the kubeconfig leads to another cluster than the application's.
	OtherCluster Problem = "other-cluster"
	// NotLoggedIn: the cluster does not accept the credentials, or they cannot be obtained.
	NotLoggedIn Problem = "not-logged-in"
	// Forbidden: the account lacks a right.
	Forbidden Problem = "no-permission"
	// Unreachable: nobody answers at the address.
	Unreachable Problem = "unreachable"
	// BadTLS: the certificate of the cluster is not trusted.
	BadTLS Problem = "tls"
	// TooSlow: the answer did not come in time.
	TooSlow Problem = "too-slow"
	// Failed: anything else that the cluster answered.
	Failed Problem = "failed"
)

// Error is a failed read. Its text is one line: the operation, what happened, what to do. It is [evidence.ErrAbsent]: the cluster
// is asked for what Argo CD does not have, so without it the evidence is as absent as before.
type Error struct {
	Problem   Problem
	Operation string // "read autoscalers in namespace shop"
	Err       error  // what the connection or the cluster said; nil where nobody was asked
	what      sanitize.Clean
	todo      sanitize.Clean
}

func (e *Error) Error() string {
	content := string(e.what)
	if e.Operation != "" {
		content = e.Operation + ": " + content
	}
	if e.todo != "" {
		content += "; " + string(e.todo)
	}
	return content
}

// Unwrap is what the connection or the cluster said.
func (e *Error) Unwrap() error { return e.Err }

// Is makes it an absence of evidence.
func (e *Error) Is(target error) bool { return target == evidence.ErrAbsent }

// during names the operation that an error ended. The error itself may be shared by several.
func during(operation string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", operation, err)
	}
	named := *e
	named.Operation = operation
	return &named
}

// Untouched reports whether an error says that the cluster has done nothing: it was not reached, or it refused. What was to be
// done there may be done in another way. Of what broke off in the middle nobody knows.
func Untouched(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Problem {
	case NoAccess, OtherCluster, NotLoggedIn, Forbidden, BadTLS:
		return true
	case Unreachable:
		return isDial(e.Err)
	default: // TooSlow, Failed
		return false
	}
}

// notTheirs hides a deadline of our own (dialTimeout, findTimeout) from the caller, who would take it for theirs.
func notTheirs(caller context.Context, err error) error {
	var e *Error
	if caller.Err() != nil || !errors.As(err, &e) || !errors.Is(e.Err, context.DeadlineExceeded) {
		return err
	}
	ours := *e
	ours.Err = nil
	return &ours
}

// fail says what went wrong with a request.
func (c *connection) fail(err error) error {
	e := &Error{Err: err}
	e.Problem, e.what, e.todo = c.classify(err)
	return e
}

// todoUnreachable is what to do about a cluster that nobody answers for.
const todoUnreachable = "check the address in the kubeconfig, the network and the VPN"

func (c *connection) classify(err error) (p Problem, what, todo sanitize.Clean) {
	var network *url.Error
	switch {
	case apierrors.IsForbidden(err):
		return Forbidden, refusal(err), ""
	case apierrors.IsUnauthorized(err):
		return NotLoggedIn, sanitize.Sprintf("%s: the credentials are not accepted or have expired", c.name), "log in to the cluster again"
	case isPluginFailure(err):
		return NotLoggedIn, sanitize.Sprintf("%s: %s", c.name, innermost(err)), "log in to the cluster again"
	case errors.Is(err, context.Canceled):
		return Failed, "cancelled", ""
	case isTLS(err):
		return BadTLS, sanitize.Sprintf("%s: the certificate of %s is not trusted (%s)", c.name, c.host, innermost(err)), "check certificate-authority-data in the kubeconfig"
	case isDial(err):
		return Unreachable, sanitize.Sprintf("%s (%s) does not answer%s", c.host, c.name, reason(err)), todoUnreachable
	case errors.Is(err, context.DeadlineExceeded), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		return TooSlow, sanitize.Sprintf("%s (%s) did not answer in time", c.host, c.name), "try again; if it stays slow, check the load of the API server"
	case errors.As(err, &network):
		return Unreachable, sanitize.Sprintf("%s (%s) does not answer (%s)", c.host, c.name, innermost(err)), todoUnreachable
	}
	return Failed, sanitize.Excerpt(err.Error()), ""
}

// forbidden takes apart what the API server says to an account that lacks a right.
var forbidden = regexp.MustCompile(`User "([^"]*)" cannot (\w+) resource "([^"]*)"(?: in API group "([^"]*)")?(?: in the namespace "([^"]*)")?`)

// refusal says who cannot do what.
func refusal(err error) sanitize.Clean {
	m := forbidden.FindStringSubmatch(err.Error())
	if m == nil {
		return sanitize.Excerpt(err.Error()) // another authorizer, other words
	}
	user, verb, whole, group, namespace := m[1], m[2], m[3], m[4], m[5]
	if group != "" { // the API server says "incidents/status"
		resource, subresource, _ := strings.Cut(whole, "/")
		whole = strings.TrimSuffix(resource+"."+group+"/"+subresource, "/")
	}
	content := sanitize.Sprintf("%s cannot %s %s", user, verb, whole)
	if namespace != "" {
		content += sanitize.Sprintf(" in namespace %s", namespace)
	}
	return content
}

// isPluginFailure: the program that the kubeconfig names for credentials failed. client-go has no type for it.
func isPluginFailure(err error) bool { return strings.Contains(err.Error(), "getting credentials: ") }

func isTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host)
}

func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// reason is why nobody answers, in brackets; nothing where it is not known.
func reason(err error) sanitize.Clean {
	var dns *net.DNSError
	var network net.Error
	switch {
	case errors.As(err, &dns):
		return " (no such host)"
	case errors.Is(err, syscall.ECONNREFUSED):
		return " (connection refused)"
	case errors.As(err, &network) && network.Timeout():
		return " (the connection timed out)"
	}
	return ""
}

// innermost is the error without the request that it ended.
func innermost(err error) string {
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	return err.Error()
}
