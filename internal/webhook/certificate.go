package webhook

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Files are a certificate, with those that lead to its authority, and its key: PEM.
type Files struct{ Cert, Key string }

// lookAgain is how long a certificate is taken for granted before its files are read again. cert-manager replaces one weeks before it expires,
// and the kubelet brings it into the pod within minutes.
const lookAgain = time.Minute

// certificate is what the server shows. It is read again when its files change; while they cannot be read, or do not belong together because
// they are being replaced, the one before it stays.
type certificate struct {
	files Files
	log   *slog.Logger

	mu    sync.Mutex
	now   *tls.Certificate
	pems  [2][]byte
	looks time.Time
}

func newCertificate(f Files, log *slog.Logger) (*certificate, error) {
	c := &certificate{files: f, log: log}
	if err := c.read(); err != nil {
		return nil, fmt.Errorf("webhook: http.tls: %w", err)
	}
	c.looks = time.Now()
	return c, nil
}

// read takes in the files, if they are others than before.
func (c *certificate) read() error {
	cert, err := os.ReadFile(c.files.Cert)
	key, unread := os.ReadFile(c.files.Key)
	if err := errors.Join(err, unread); err != nil {
		return fmt.Errorf("read the certificate: %w", err)
	}
	if bytes.Equal(cert, c.pems[0]) && bytes.Equal(key, c.pems[1]) {
		return nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("certificate %s and key %s: %w", c.files.Cert, c.files.Key, err)
	}
	c.now, c.pems = &pair, [2][]byte{cert, key}
	return nil
}

// current implements tls.Config.GetCertificate.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looks) >= lookAgain {
		c.looks = time.Now()
		before := c.now
		switch err := c.read(); {
		case err != nil:
			c.log.Warn("certificate not read again, keeping the one before", "error", err)
		case c.now != before:
			c.log.Info("certificate replaced", "file", c.files.Cert)
		}
	}
	return c.now, nil
}

// config is how the server speaks TLS: HTTP/1.1 alone, in which a connection has one request at a time.
func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.current, NextProtos: []string{"http/1.1"}}
}
