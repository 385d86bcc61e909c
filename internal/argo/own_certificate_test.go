package argo_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/simulator"
)

// selfSigned is a certificate as Argo CD makes it for itself: signed by itself, and by its own word no authority.
func selfSigned(t *testing.T) (shown tls.Certificate, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{Organization: []string{"Argo CD"}}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "argocd.crt")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// TestTheCertificateThatArgoCDMadeIsVerified: a copy of it is enough, over HTTP and gRPC, and one that somebody else has signed in the same way
// is not taken for it.
func TestTheCertificateThatArgoCDMadeIsVerified(t *testing.T) {
	shown, own := selfSigned(t)
	_, another := selfSigned(t)
	s, err := simulator.New(simulator.Options{Token: argotest.Token, TLS: &tls.Config{Certificates: []tls.Certificate{shown}, MinVersion: tls.VersionTLS12}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	client := open(t, argo.Options{Server: s.Address(), AuthToken: argotest.Token, ServerCrt: own})
	if _, err := client.List(t.Context()); err != nil {
		t.Errorf("over HTTP: %v", err)
	}
	if _, err := client.Whoami(t.Context()); problemOf(err) == argo.BadTLS {
		t.Errorf("over gRPC: %v", err)
	}
	if _, err := open(t, argo.Options{Server: s.Address(), AuthToken: argotest.Token, ServerCrt: another}).List(t.Context()); problemOf(err) != argo.BadTLS {
		t.Errorf("another certificate: %v", err)
	}
}
