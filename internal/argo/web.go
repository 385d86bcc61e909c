package argo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// webTimeout is for one question to a server that has answered already, only not as gRPC.
const webTimeout = 2 * time.Second

// mayBeWeb: what broke the connection also happens between us and a web server without TLS.
func (c *Client) mayBeWeb(text string) bool {
	return c.conn != nil && (c.isBrokenPreface(text) || isPlaintextAnswer(text) || c.login.plainText && isHTTP1(text))
}

// isBrokenPreface: the server does not answer plaintext HTTP/2 with the same.
func (c *Client) isBrokenPreface(text string) bool {
	return c.login.plainText && strings.Contains(text, "error reading server preface")
}

func isPlaintextAnswer(text string) bool {
	return strings.Contains(text, "first record does not look like a TLS handshake")
}

func isHTTP1(text string) bool { return strings.Contains(text, "looked like an HTTP/1.1 header") }

// askTheWeb replaces advice about TLS, which is a guess, by what the server says about itself in plain HTTP. It asks for the
// version, without the token. When the answer decides nothing (a login page, a proxy's error), the guess stays.
func (c *Client) askTheWeb(ctx context.Context, e *Error) {
	status, body := c.getVersion(ctx)
	var version struct{ Version string }
	switch {
	case status == 0, status >= 300 && status < 400, status == http.StatusUnauthorized, status == http.StatusForbidden, status >= 502:
	case status == http.StatusBadRequest && strings.Contains(string(body), "HTTPS"):
		// How servers answer that speak TLS.
	case status == http.StatusOK && foreign.Field.JSON(body, &version) == nil && version.Version != "":
		if c.login.plainText {
			e.Problem, e.what, e.todo = WrongServer, c.server()+" is an Argo CD behind a proxy without HTTP/2", "add --grpc-web"
		}
	default:
		e.Problem, e.what = WrongServer, sanitize.Sprintf("%s is a web server, not an Argo CD API server (it answers HTTP %d to /api/version)", c.server(), status)
		e.todo = "check the address and the port"
	}
}

// getVersion asks as a browser would. The status is 0 when there is no HTTP to talk to.
func (c *Client) getVersion(ctx context.Context) (status int, body []byte) {
	ctx, cancel := context.WithTimeout(ctx, webTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.login.server+"/api/version", http.NoBody)
	if err != nil {
		return 0, nil
	}
	request.Header.Set("User-Agent", c.login.userAgent)
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil
	}
	const enough = 64 << 10
	body, err = io.ReadAll(io.LimitReader(answer.Body, enough))
	if errors.Join(err, answer.Body.Close()) != nil {
		return 0, nil
	}
	return answer.StatusCode, body
}

// webAddress is where gRPC-web is looked for.
func (c *Client) webAddress() sanitize.Clean {
	if c.login.grpcWebRootPath == "" {
		return c.server()
	}
	return sanitize.Sprintf("%s/%s", c.server(), strings.Trim(c.login.grpcWebRootPath, "/"))
}
