package main

import (
	"bytes"
	"encoding/pem"
	"fmt"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// rootsFile is where Go and most other programs look for root certificates first. Those of a company go beside it, in files of
// their own: Go reads the whole directory.
const rootsFile = "etc/ssl/certs/ca-certificates.crt"

// rootsModule is where they come from: Mozilla's list as the Go project publishes it, pinned in go.sum. Another machine has the same,
// which cannot be said of a distribution's package.
const rootsModule = "golang.org/x/crypto/x509roots/fallback"

// roots are the certificates as a PEM file. A root that Mozilla trusts only up to a date is left out: the file cannot say so.
func roots() ([]byte, error) {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, fmt.Errorf("write root certificates: %w", err)
		}
	}
	return b.Bytes(), nil
}
