package argo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/policy"
	"github.com/argo-why/argo-why/internal/sanitize"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"
)

// fail turns what a request ended with into an *Error; nil stays nil.
func (c *Client) fail(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if foreign.IsTooLarge(err) { // about the application, and no problem of Argo CD
		return fmt.Errorf("%s: %w", operation, err)
	}
	e := &Error{Operation: operation, Err: err}
	limit := limitOf(ctx)
	switch code := code(err); {
	case code == codes.DeadlineExceeded && limit != nil:
		e.Problem, e.what, e.todo = c.classifyLimit(limit)
	default:
		e.Problem, e.what, e.todo = c.classify(code, message(err))
	}
	if (e.Problem == BadTLS || e.Problem == WrongServer) && c.mayBeWeb(message(err)) {
		c.askTheWeb(ctx, e)
	}
	return e
}

// code is the gRPC code, also of a context's own error.
func code(err error) codes.Code {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return codes.Canceled
	}
	return status.Code(err)
}

// message is the text without gRPC's "rpc error: code = …" around it.
func message(err error) string {
	if s, ok := status.FromError(err); ok {
		return s.Message()
	}
	return err.Error()
}

// classify says which problem it is, what happened and what to do. gRPC keeps no error types of the connection, only
// their text; the texts are those of grpc-go 1.68, crypto/tls and net.
func (c *Client) classify(code codes.Code, msg string) (p Problem, what, todo sanitize.Clean) {
	if strings.Contains(msg, "unexpected HTTP status code") || strings.Contains(msg, "failed with status code") {
		return c.classifyHTTP(msg)
	}
	switch code {
	case codes.Unauthenticated:
		return c.classifyLogin(msg)
	case codes.PermissionDenied:
		return c.classifyPermission(msg)
	case codes.NotFound:
		if isUnknownApplication(msg) {
			return UnknownApplication, c.server() + " has no such application in this project", "check its name, namespace and project"
		}
	case codes.Unimplemented:
		if strings.Contains(msg, "unknown service") && c.login.grpcWebRootPath != "" {
			return c.classifyWebPage()
		}
		if strings.Contains(msg, "unknown service") {
			return WrongServer, c.server() + " speaks gRPC but is not an Argo CD API server", "use the address of argocd-server, not of another component"
		}
	case codes.DeadlineExceeded:
		// Without a connection it is not Argo CD that is slow: nobody answers.
		if !c.connected() {
			return Unreachable, c.server() + " does not answer (the connection timed out)", todoUnreachable
		}
		return TooSlow, c.server() + " did not answer in time", "try again; if it stays slow, check the load of argocd-server and its Redis"
	case codes.Canceled:
		return Failed, "cancelled", ""
	default:
	}
	if c.isOurs(code, msg) {
		return c.classifyConnection(msg)
	}
	if c.conn == nil && msg == io.ErrUnexpectedEOF.Error() {
		return c.classifyWebPage()
	}
	return Failed, sanitize.Excerpt(msg), ""
}

// connected reports whether the connection is up; over gRPC-web there is none to ask.
func (c *Client) connected() bool { return c.conn == nil || c.conn.GetState() == connectivity.Ready }

// isOurs distinguishes a problem of our connection from one that Argo CD has with others (its Redis, a cluster) and reports in the
// same words.
func (c *Client) isOurs(code codes.Code, msg string) bool {
	if c.conn == nil {
		return strings.HasPrefix(msg, `Post "`) // from the HTTP client of gRPC-web
	}
	return code == codes.Unavailable && (!c.connected() || strings.HasPrefix(msg, "error reading from server"))
}

// classifyLimit is for a request that the caller's own time-out ended.
func (c *Client) classifyLimit(limit *Limit) (p Problem, what, todo sanitize.Clean) {
	if !c.connected() {
		todo := sanitize.Sprintf("%s, or %s", todoUnreachable, limit.Raise)
		if limit.After < time.Second { // too short even for a good network
			todo = sanitize.Sprintf("%s, or %s", limit.Raise, todoUnreachable)
		}
		return Unreachable, sanitize.Sprintf("no connection to %s within %s", c.server(), limit.String()), todo
	}
	return TooSlow, sanitize.Sprintf("%s did not answer within %s", c.server(), limit.String()), sanitize.Line(limit.Raise) + "; if it stays slow, check the load of argocd-server and its Redis"
}

// classifyWebPage is for a good answer that is not gRPC-web.
func (c *Client) classifyWebPage() (p Problem, what, todo sanitize.Clean) {
	if c.login.grpcWebRootPath == "" {
		return WrongServer, c.server() + " answers, but not as an Argo CD API server", "check the address; if Argo CD is served under a path, add --grpc-web-root-path PATH"
	}
	return WrongServer, c.webAddress() + " is not the address of an Argo CD API server", "remove the path from the address, or give the path that Argo CD is served under with --grpc-web-root-path"
}

func (c *Client) classifyLogin(msg string) (Problem, sanitize.Clean, sanitize.Clean) {
	todo := sanitize.Sprintf("run argocd login %s or set ARGOCD_AUTH_TOKEN", c.login.server)
	switch lower := strings.ToLower(msg); {
	case c.login.token == "":
		return NotLoggedIn, "not logged in to " + c.server(), todo
	case strings.Contains(lower, "expired"):
		return NotLoggedIn, "the token has expired", todo
	default:
		return NotLoggedIn, sanitize.Sprintf("%s does not accept the token (%s)", c.server(), strings.TrimPrefix(msg, "invalid session: ")), todo
	}
}

// rbacRefusal is what Argo CD's own RBAC says: "permission denied: applications, get, default/web, sub: ci, iat: …".
var rbacRefusal = regexp.MustCompile(`^permission denied: ([a-z]+), ([a-z]+), ([^,]+?)(?:, sub: ([^,]+))?(?:, iat: .*)?$`)

func (c *Client) classifyPermission(msg string) (Problem, sanitize.Clean, sanitize.Clean) {
	if msg == "permission denied" {
		return UnknownApplication, c.server() + " has no such application, or this account has no access to it",
			"check its name and namespace (-n), or get the right to get applications in its project"
	}
	if m := rbacRefusal.FindStringSubmatch(msg); m != nil {
		return Forbidden, sanitize.Sprintf("no permission to %s %s in %s", m[2], m[1], m[3]), sanitize.Line(policy.Grant(cmp.Or(m[4], "ACCOUNT"), m[1], m[2], m[3]))
	}
	return Forbidden, sanitize.Sprintf("no permission (%s)", msg), "grant the account the right in argocd-rbac-cm"
}

const (
	todoUnreachable = "check the address, the network and the proxy"
	todoPlaintext   = "add --plaintext"
)

func (c *Client) classifyConnection(msg string) (Problem, sanitize.Clean, sanitize.Clean) {
	host := c.server()
	switch {
	case isPlaintextAnswer(msg),
		strings.Contains(msg, "server gave HTTP response to HTTPS client"):
		return BadTLS, host + " speaks plaintext, not TLS", todoPlaintext
	case isTLS(msg) && isBrokenOff(msg), strings.Contains(msg, "https://") && isBrokenOff(msg):
		// argocd-server --insecure resets a connection that starts with TLS.
		return BadTLS, host + " ends the TLS handshake and probably speaks plaintext", "add --plaintext, or use the port that speaks TLS"
	case isHTTP1(msg),
		strings.Contains(msg, "missing selected ALPN"), strings.Contains(msg, "no application protocol"):
		return WrongServer, host + " does not speak HTTP/2, so it is not an Argo CD, or is behind a proxy", "check the address, or add --grpc-web"
	case strings.Contains(msg, "unknown authority"), strings.Contains(msg, "not trusted"):
		return BadTLS, "the certificate of " + host + " is signed by an unknown authority", "give the CA certificate with --server-crt FILE, or add --insecure"
	case isTLS(msg):
		return BadTLS, sanitize.Sprintf("TLS with %s failed (%s)", host, lastPart(msg)), "fix the certificate or the address, or add --insecure"
	case c.isBrokenPreface(msg):
		return BadTLS, host + " does not speak plaintext gRPC, but probably TLS", "leave --plaintext out"
	case strings.HasPrefix(msg, "error reading from server"):
		return Unreachable, host + " closed the connection", "try again"
	}
	return Unreachable, sanitize.Sprintf("%s does not answer (%s)", host, lastPart(msg)), todoUnreachable
}

var httpStatus = regexp.MustCompile(`status code(?: received from server:)? (\d{3})`)

func (c *Client) classifyHTTP(msg string) (Problem, sanitize.Clean, sanitize.Clean) {
	var number sanitize.Clean = "?"
	if m := httpStatus.FindStringSubmatch(msg); m != nil {
		number = sanitize.Line(m[1])
	}
	switch number {
	case "502", "503", "504":
		return Unreachable, "the proxy in front of " + c.server() + " does not reach Argo CD (HTTP " + number + ")", "check the pods of argocd-server, and the proxy"
	case "401", "403":
		return WrongServer, "a proxy in front of " + c.server() + " refuses the request (HTTP " + number + ")", "log in to the proxy, or use an address behind it"
	}
	return WrongServer, c.webAddress() + " answers, but not as an Argo CD API server (HTTP " + number + ")", "check the address; behind a proxy without HTTP/2 add --grpc-web, under a path --grpc-web-root-path PATH"
}

func isTLS(msg string) bool {
	return strings.Contains(msg, "authentication handshake failed") || strings.Contains(msg, "tls: ") || strings.Contains(msg, "x509: ")
}

func isBrokenOff(msg string) bool {
	return strings.Contains(msg, "connection reset") || strings.Contains(msg, "EOF")
}

// isUnknownApplication distinguishes a missing application from a missing resource, which comes with a prefix.
func isUnknownApplication(msg string) bool {
	return strings.HasPrefix(msg, "applications.argoproj.io ")
}

// lastPart is the reason at the end of a chain of errors, without the quotes gRPC puts around it.
func lastPart(msg string) string {
	msg = request.ReplaceAllString(strings.TrimSuffix(msg, `"`), "")
	for _, mark := range []string{"authentication handshake failed: ", "Error while dialing: ", "tls: ", "connect: "} {
		if i := strings.LastIndex(msg, mark); i >= 0 {
			msg = msg[i+len(mark):]
		}
	}
	return lookup.ReplaceAllString(msg, "")
}

// request is what the HTTP client of gRPC-web puts in front of its reason.
var request = regexp.MustCompile(`^Post "[^"]*": `)

// lookup is what the resolver puts in front of its reason: the name, which the error has already, and its own address.
var lookup = regexp.MustCompile(`^(?:dial tcp: )?lookup \S+(?: on \S+)?: `)
