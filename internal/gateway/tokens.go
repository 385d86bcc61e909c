package gateway

import (
	"context"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Tokens are those that Argo CD issued and that the account may see. If they can be read only in part, it returns these with the error.
func (in *Instance) Tokens(ctx context.Context) ([]evidence.Token, error) {
	return in.conn.Argo.Tokens(ctx)
}
