package argo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// Tree reads the resource tree.
func (a *App) Tree(ctx context.Context) (*evidence.Tree, error) {
	answer, err := a.client.applications.ResourceTree(ctx, a.resourcesQuery())
	if answer == nil || a.Record != nil || len(answer.Nodes) < manyNodes {
		tree, err := take[*evidence.Tree](ctx, a, "resource tree", evidence.KindTree, "resourceTree", answer, err)
		return a.keepTree(tree, err)
	}
	tree, err := nodeByNode(answer)
	return a.keepTree(tree, err)
}

// manyNodes is from where on a tree is converted node by node: it is large three times over otherwise.
const manyNodes = 5000

// nodeByNode converts a tree and lets go of what it has converted.
func nodeByNode(answer *v1alpha1.ApplicationTree) (*evidence.Tree, error) {
	tree := &evidence.Tree{Nodes: make([]evidence.Node, len(answer.Nodes)), OrphanedNodes: make([]evidence.Node, len(answer.OrphanedNodes))}
	for _, list := range []struct {
		from []v1alpha1.ResourceNode
		to   []evidence.Node
	}{{answer.Nodes, tree.Nodes}, {answer.OrphanedNodes, tree.OrphanedNodes}} {
		for i := range list.from {
			raw, err := json.Marshal(&list.from[i])
			if err == nil {
				err = foreign.Field.JSON(raw, &list.to[i])
			}
			if err != nil {
				return nil, fmt.Errorf("read resource tree: %w", err)
			}
			list.from[i] = v1alpha1.ResourceNode{}
		}
	}
	return tree, nil
}

func (a *App) keepTree(tree *evidence.Tree, err error) (*evidence.Tree, error) {
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range tree.Nodes {
		a.uids[n.Ref()] = n.UID
	}
	return tree, nil
}
