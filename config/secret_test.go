package config_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/config"
)

// TestASecretWithoutEndIsRefused: a configuration that somebody hands over can name any file, as /dev/zero.
func TestASecretWithoutEndIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, bytes.Repeat([]byte("x"), 64<<10+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (config.Secret{File: file}).Read(); err == nil || !strings.Contains(err.Error(), "is larger than 64 KiB") {
		t.Errorf("read: %v", err)
	}
}
