package argo

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/v2/util/config"
	"github.com/argoproj/argo-cd/v2/util/localconfig"

	"github.com/argo-why/argo-why/internal/sanitize"
)

// Options say which Argo CD to talk to, and as whom. What is left empty is looked up, in this order: the flags in
// ARGOCD_OPTS, the variables ARGOCD_SERVER and ARGOCD_AUTH_TOKEN, the login of the argocd command.
type Options struct {
	// Server is host, host:port (443 if left out) or the address in the browser; http:// means PlainText.
	Server string
	// ServerFromPage: Server is part of an address that may have come from anybody, in a chat. A token of the environment is not sent to
	// it, unless the environment names the same server.
	ServerFromPage bool
	AuthToken      string
	// Insecure: TLS without verification. PlainText: no TLS at all.
	Insecure, PlainText bool
	// GRPCWeb is for proxies in front of Argo CD that do not pass HTTP/2 on. A root path implies it.
	GRPCWeb         bool
	GRPCWebRootPath string
	// ConfigPath is the file of the argocd command, Context one of the logins in it. Empty: its defaults. A named context
	// goes before the environment.
	ConfigPath, Context string
	// ServerCrt is a PEM file with the authority of the server's certificate.
	ServerCrt string
	UserAgent string
	// Off are switches that the caller turns off, whatever ARGOCD_OPTS and the login of the argocd command say.
	Off Off
	// ConnectTimeout is how long one attempt to connect may take, if that is more than 10 seconds.
	ConnectTimeout time.Duration
}

// Off are switches that are turned off on purpose, as opposed to left alone.
type Off struct{ Insecure, PlainText, GRPCWeb bool }

// login is where to connect and as whom, once everything is looked up.
type login struct {
	server          string // host:port
	token           string
	insecure        bool
	plainText       bool
	grpcWeb         bool
	grpcWebRootPath string
	authority       []byte // PEM
	clientCert      *tls.Certificate
	headers         []string
	userAgent       string
	serverCrt       string
	// configPath and context are set when the login of the argocd command is used, and refreshable when that login can be
	// renewed without a browser.
	configPath, context string
	refreshable         bool
	// off are the switches that stay off; tls is what the address asks for with https://.
	off            Off
	tls            bool
	connectTimeout time.Duration
}

// resolve looks up what the options leave open. The order is that of the argocd command, with one difference: a token of
// the configuration file goes only to the server it was issued by, never to another one named beside it.
func resolve(o Options) (*login, error) {
	server := fromEnvironment(o, config.GetFlag("server", ""), os.Getenv("ARGOCD_SERVER"))
	token := fromEnvironment(o, config.GetFlag("auth-token", ""), os.Getenv("ARGOCD_AUTH_TOKEN"))
	if o.ServerFromPage && !SameServer(Options{Server: server, PlainText: o.PlainText || config.GetBoolFlag("plaintext")}, o) {
		token = ""
	}
	l := &login{
		server: cmp.Or(o.Server, server),
		token:  cmp.Or(o.AuthToken, token),
		// These only ever switch on, so the order does not matter, except for those that the caller switches off.
		insecure:        o.Insecure || !o.Off.Insecure && config.GetBoolFlag("insecure"),
		plainText:       o.PlainText || !o.Off.PlainText && config.GetBoolFlag("plaintext"),
		grpcWeb:         o.GRPCWeb || !o.Off.GRPCWeb && config.GetBoolFlag("grpc-web"),
		grpcWebRootPath: cmp.Or(o.GRPCWebRootPath, config.GetFlag("grpc-web-root-path", "")),
		serverCrt:       cmp.Or(o.ServerCrt, config.GetFlag("server-crt", "")),
		headers:         config.GetStringSliceFlag("header", nil),
		userAgent:       cmp.Or(o.UserAgent, "argo-why"),
		off:             o.Off,
		connectTimeout:  o.ConnectTimeout,
	}
	if err := l.normalize(); err != nil {
		return nil, err
	}
	if err := l.fromConfigFile(o); err != nil {
		return nil, err
	}
	if l.server == "" {
		return nil, &Error{Problem: NotConfigured, Operation: "connect to Argo CD", Err: errNotConfigured}
	}
	if err := l.normalize(); err != nil { // the address of the file, too
		return nil, err
	}
	if l.serverCrt != "" {
		pem, err := os.ReadFile(l.serverCrt)
		if err != nil {
			return nil, fmt.Errorf("read the server's certificate %s: %s: check the path", l.serverCrt, whyUnreadable(err))
		}
		l.authority = pem
	}
	l.token = strings.TrimSpace(l.token) // a token pasted or mounted with its line end
	return l, nil
}

// whyUnreadable says why a file could not be read; the caller names it.
func whyUnreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the file does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if strings.Contains(err.Error(), "incorrect permission flags") {
		return "its tokens are readable by others (chmod 600 it)"
	}
	return string(sanitize.Excerpt(err.Error()))
}

// fromEnvironment is the first value given in the environment. A context that the caller names goes before the environment.
func fromEnvironment(o Options, values ...string) string {
	if o.Context != "" {
		return ""
	}
	return cmp.Or(values...)
}

// normalize turns an address as people paste it into host:port.
func (l *login) normalize() error {
	if l.server == "" {
		return nil
	}
	if err := l.takeAddress(); err != nil {
		return err
	}
	l.grpcWeb = l.grpcWeb || l.grpcWebRootPath != ""
	if _, _, err := net.SplitHostPort(l.server); err != nil {
		port := "443"
		if l.plainText {
			port = "80"
		}
		l.server = net.JoinHostPort(strings.Trim(l.server, "[]"), port)
	}
	return nil
}

// takeAddress takes apart what may be copied from a browser: scheme, host and path.
func (l *login) takeAddress() error {
	given, address := l.server, l.server
	if strings.ContainsAny(given, " \t\n") {
		return fmt.Errorf("connect to Argo CD: %q is not an address: expected host, host:port or https://host", given)
	}
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil && address != given {
		return nil // as odd as that may be: the dialer's to judge
	}
	if err != nil || u.Host == "" {
		return fmt.Errorf("connect to Argo CD: %q is not an address: expected host, host:port or https://host", given)
	}
	switch {
	case u.Scheme == "http" && l.off.PlainText:
		return fmt.Errorf("connect to Argo CD: %s means plaintext, and --plaintext=false means TLS: leave one of the two out", given)
	case u.Scheme == "https" && l.plainText:
		return fmt.Errorf("connect to Argo CD: %s means TLS, and --plaintext (given, or in ARGOCD_OPTS) means none: leave --plaintext out, or add --plaintext=false", given)
	}
	l.plainText = l.plainText || u.Scheme == "http"
	l.tls = l.tls || u.Scheme == "https"
	l.grpcWebRootPath = cmp.Or(l.grpcWebRootPath, rootPath(u.Path))
	l.server = u.Host
	return nil
}

// pages are the first parts of the addresses that Argo CD's own user interface has.
var pages = []string{"applications", "login", "settings", "user-info", "help", "auth", "api", "swagger-ui", "terminal"}

// rootPath is what lies before Argo CD in the path of one of its pages: nothing, or where a proxy has put it.
func rootPath(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if i := slices.IndexFunc(parts, func(part string) bool { return slices.Contains(pages, part) }); i >= 0 {
		parts = parts[:i]
	}
	return strings.Join(parts, "/")
}

func sameServer(c *localconfig.Context, server string) bool {
	return strings.EqualFold(hostPort(Options{Server: c.Server.Server, PlainText: c.Server.PlainText}), server)
}

// SameServer reports whether two addresses lead to the same host and port, however they are written.
func SameServer(a, b Options) bool {
	server := hostPort(a)
	return server != "" && strings.EqualFold(server, hostPort(b))
}

// hostPort is the server as host:port; "" if it is not an address.
func hostPort(o Options) string {
	l := login{server: o.Server, plainText: o.PlainText}
	if l.normalize() != nil {
		return ""
	}
	return l.server
}
