package config_test

import "testing"

// TestSeveralArgoCDsOfOneHost: another port or another path is another Argo CD.
func TestSeveralArgoCDsOfOneHost(t *testing.T) {
	parse(t, minimal+`  - {name: by-port, server: "argocd.example.com:8443", token: {env: TOKEN}}
  - {name: by-path, server: argocd.example.com, grpcWebRootPath: /b, token: {env: TOKEN}}
  - {name: by-namespace, server: argocd-server.a.svc, url: "https://a.example.com", token: {env: TOKEN}}
  - {name: by-namespace-2, server: argocd-server.b.svc, url: "https://b.example.com", token: {env: TOKEN}}
`)
}
