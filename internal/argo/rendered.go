package argo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Rendered implements [evidence.Source]. Of several sources the revisions are joined by ", ". Argo CD masks the values of Secrets, so two commits that differ only in them would look the
// same.
func (a *App) Rendered(ctx context.Context, revision string) (string, error) {
	objects, err := a.Manifests(ctx, strings.Split(revision, ", ")...)
	if err != nil {
		return "", err
	}
	var all []string
	partly := ""
	for _, o := range objects {
		if ref := o.Ref(); ref.Kind == "Secret" && ref.Group == "" {
			partly = evidence.Partly
		}
		raw, err := json.Marshal(o)
		if err != nil {
			return "", fmt.Errorf("render the manifests of application %s: %w", a.Name(), err)
		}
		all = append(all, string(raw))
	}
	slices.Sort(all) // tools do not always give them in the same order
	sum := sha256.New()
	for _, text := range all {
		fmt.Fprintln(sum, text)
	}
	digest := hex.EncodeToString(sum.Sum(nil)[:12]) + partly
	a.Record.Rendered(revision, digest)
	return digest, nil
}
