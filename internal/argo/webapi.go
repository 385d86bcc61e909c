package argo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// webAPI is the HTTP API that Argo CD's own web page uses, on the same port. Unlike gRPC it can leave fields of an application out.
// Not everybody reaches it: a proxy may let only gRPC through, or have a login page of its own in front of it.
type webAPI struct {
	client *http.Client
	base   string // "https://argocd.example.com:443/root"
	header http.Header
}

// newWebAPI takes apiclient's own HTTP client, so that TLS, client certificates, additional headers and proxies are those of the argocd
// command. It does not connect.
func newWebAPI(l *login) (*webAPI, error) {
	o := l.clientOptions()
	o.GRPCWeb = true // else apiclient asks the server for its version first, without a time-out
	api, err := apiclient.NewClient(o)
	if err != nil {
		return nil, err
	}
	client, err := api.HTTPClient()
	if err != nil {
		return nil, err
	}
	// A redirect leads to a login page or to another server, and neither is to see the token.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	w := &webAPI{client: client, base: "https://" + l.server, header: http.Header{}}
	if l.plainText {
		w.base = "http://" + l.server
	}
	if root := strings.Trim(l.grpcWebRootPath, "/"); root != "" {
		w.base += "/" + root
	}
	switch {
	case l.token == "":
	case namesHeader(l.headers, "Authorization"): // that one is for the proxy, so the token goes where a browser has it
		w.header.Set("Cookie", "argocd.token="+l.token)
	default:
		w.header.Set("Authorization", "Bearer "+l.token)
	}
	return w, nil
}

func namesHeader(headers []string, name string) bool {
	for _, h := range headers {
		if given, _, _ := strings.Cut(h, ":"); strings.EqualFold(strings.TrimSpace(given), name) {
			return true
		}
	}
	return false
}

// errNotTheAPI is an answer that is not Argo CD's.
var errNotTheAPI = errors.New("not Argo CD's HTTP API")

// get asks for JSON (accept) or events. The error of an answer that Argo CD gave is a gRPC status; of any other answer it is
// [errNotTheAPI]. The caller closes the body.
func (w *webAPI) get(ctx context.Context, path string, query url.Values, accept string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header = w.header.Clone()
	request.Header.Set("Accept", accept)
	answer, err := w.client.Do(request)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")) // one that cannot be parsed is none that we know
	if answer.StatusCode == http.StatusOK && kind == accept {
		return answer.Body, nil
	}
	const enough = 64 << 10 // of an error
	body, err := io.ReadAll(io.LimitReader(answer.Body, enough))
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	if refusal := webRefusal(body); refusal != nil {
		return nil, refusal
	}
	return nil, fmt.Errorf("%w: HTTP %d, %s", errNotTheAPI, answer.StatusCode, kindOf(kind))
}

func kindOf(contentType string) string {
	switch contentType {
	case "":
		return "without a content type"
	case "text/html":
		return "a web page"
	}
	return string(sanitize.Excerpt(contentType))
}

// webRefusal is the error that Argo CD gives over HTTP, as the gRPC status that it was; nil for any other text. A stream has it one
// level deeper, and as an event where those were asked for.
func webRefusal(body []byte) error {
	type refusal struct {
		Code     codes.Code `json:"code"`
		GRPCCode codes.Code `json:"grpc_code"` //nolint:tagliatelle // its name
		Message  string     `json:"message"`
	}
	if data, ok := cutData(body); ok {
		body = data
	}
	var flat refusal
	if foreign.Field.JSON(body, &flat) == nil && flat.Code != codes.OK {
		return status.Error(flat.Code, flat.Message)
	}
	var deep struct{ Error refusal }
	if foreign.Field.JSON(body, &deep) == nil && deep.Error.GRPCCode != codes.OK {
		return status.Error(deep.Error.GRPCCode, deep.Error.Message)
	}
	return nil
}

// isTooLarge: the applications together are more than Argo CD sends in one answer (ARGOCD_GRPC_MAX_SIZE_MB, 200 MB by default), also to
// its own web page.
func isTooLarge(err error) bool {
	return code(err) == codes.ResourceExhausted && strings.Contains(message(err), "larger than max")
}

// CheckWeb reports why the HTTP API cannot be used, so that whole applications have to be listed and watched over gRPC. It asks for an
// application that cannot exist, so that it costs as much with thousands.
func (c *Client) CheckWeb(ctx context.Context) error {
	web, err := c.web()
	if err != nil {
		return err
	}
	body, err := web.get(ctx, "/api/v1/applications", url.Values{"name": {"-"}, "fields": {"items.metadata.name"}}, "application/json")
	if err != nil {
		return err
	}
	return errors.Join(decodeItems(body, func(*v1alpha1.Application) error { return nil }), body.Close())
}
