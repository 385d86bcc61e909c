package argo

import (
	"cmp"
	"crypto/tls"
	"encoding/base64"
	"fmt"

	"github.com/argoproj/argo-cd/v2/util/config"
	"github.com/argoproj/argo-cd/v2/util/localconfig"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/text"
)

// fromConfigFile fills in the login of the argocd command, as far as it is needed and belongs to the server.
func (l *login) fromConfigFile(o Options) error {
	path := cmp.Or(o.ConfigPath, config.GetFlag("config", ""))
	if path == "" {
		var err error
		if path, err = localconfig.DefaultLocalConfigPath(); err != nil {
			return nil //nolint:nilerr // no home directory: then there is no such file
		}
	}
	file, err := localconfig.ReadLocalConfig(path)
	if err != nil {
		return fmt.Errorf("read the argocd login in %s: %s: run argocd login again, or name a server", path, whyUnreadable(err))
	}
	found, err := findContext(file, o.Context, l.server)
	if err != nil {
		return fmt.Errorf("read the argocd login in %s: %w", path, err)
	}
	if found == nil {
		return nil
	}
	if found.Server.Core {
		return fmt.Errorf("read the argocd login in %s: context %q uses Kubernetes directly, without an Argo CD server (--core): name a server with --server, or use 'kubectl get application APP -o yaml | %s why -f -'", path, found.Name, program.Name())
	}
	if l.server != "" && !sameServer(found, l.server) {
		return fmt.Errorf("connect to Argo CD: context %q is a login to %s, not to %s: name one of the two", found.Name, found.Server.Server, l.server)
	}
	return l.take(found, path)
}

// take fills in a context of the configuration file.
func (l *login) take(c *localconfig.Context, path string) error {
	l.server = cmp.Or(l.server, c.Server.Server)
	l.insecure = l.insecure || c.Server.Insecure && !l.off.Insecure
	l.plainText = l.plainText || c.Server.PlainText && !l.off.PlainText && !l.tls
	l.grpcWebRootPath = cmp.Or(l.grpcWebRootPath, c.Server.GRPCWebRootPath)
	l.grpcWeb = l.grpcWeb || c.Server.GRPCWeb && !l.off.GRPCWeb
	l.configPath, l.context = path, c.Name
	if l.token == "" {
		l.token = c.User.AuthToken
		l.refreshable = c.User.RefreshToken != "" && expired(&c.User)
	}
	var err error
	if l.authority, err = base64.StdEncoding.DecodeString(c.Server.CACertificateAuthorityData); err != nil {
		return fmt.Errorf("read the argocd login in %s: certificate-authority-data of %s is not base64: run argocd login again", path, c.Name)
	}
	if c.Server.ClientCertificateData == "" {
		return nil
	}
	cert, err1 := base64.StdEncoding.DecodeString(c.Server.ClientCertificateData)
	key, err2 := base64.StdEncoding.DecodeString(c.Server.ClientCertificateKeyData)
	pair, err := tls.X509KeyPair(cert, key)
	if err1 != nil || err2 != nil || err != nil {
		return fmt.Errorf("read the argocd login in %s: the client certificate of %s does not match its key: run argocd login again", path, c.Name)
	}
	l.clientCert = &pair
	return nil
}

// findContext is the context by name, else the one of the server, else the current one; nil when there is none.
func findContext(file *localconfig.LocalConfig, name, server string) (*localconfig.Context, error) {
	if file == nil {
		if name != "" {
			return nil, fmt.Errorf("context %q not found: the file does not exist; run argocd login HOST first", name)
		}
		return nil, nil
	}
	if name == "" && server != "" {
		return contextOf(file, server), nil
	}
	if name == "" && file.CurrentContext == "" {
		return nil, nil
	}
	found, err := file.ResolveContext(name)
	if err != nil && name != "" {
		var known []string
		for _, c := range file.Contexts {
			known = append(known, c.Name)
		}
		if meant := near.Nearest(name, known); meant != "" {
			return nil, fmt.Errorf("no context is named %q; did you mean %s?", name, meant)
		}
		return nil, fmt.Errorf("no context is named %q; use %s", name, text.Or(known))
	}
	return found, err
}

// contextOf is the context whose server is the one given (as host:port), preferring the current one.
func contextOf(file *localconfig.LocalConfig, server string) *localconfig.Context {
	var found *localconfig.Context
	for _, ref := range file.Contexts {
		c, err := file.ResolveContext(ref.Name)
		if err != nil || c.Server.Server == "" {
			continue
		}
		if sameServer(c, server) && (found == nil || ref.Name == file.CurrentContext) {
			found = c
		}
	}
	return found
}

// expired reports whether the token says so itself; one that cannot be read is the server's to judge.
func expired(u *localconfig.User) bool {
	claims, err := u.Claims()
	return err == nil && claims.Valid() != nil
}
