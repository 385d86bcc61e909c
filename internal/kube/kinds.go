package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/argo-why/argo-why/internal/foreign"
)

// errUnknownKind: the cluster has no such kind of object, so it has no such object.
var errUnknownKind = errors.New("the cluster does not know the kind")

// kinds says under which path the API server keeps a kind. It asks for one API group at a time: a cluster may have hundreds
// of them, and one that is broken (an aggregated API whose server is down) must not hide the others. client-go's own
// discovery knows neither that nor a context.
type kinds struct {
	api rest.Interface

	mu     sync.Mutex
	groups map[string]discovered
}

// discovered is what a group had at a moment.
type discovered struct {
	mapper meta.RESTMapper
	at     time.Time
}

// rediscover is how old it may be before a kind that it does not contain is looked for again: a CustomResourceDefinition may
// have been installed in the meantime. A kind that many applications ask for in vain costs no more than that.
const rediscover = time.Minute

func newKinds(api rest.Interface) *kinds {
	return &kinds{api: api, groups: map[string]discovered{}}
}

func (k *kinds) find(ctx context.Context, kind schema.GroupKind) (*meta.RESTMapping, error) {
	k.mu.Lock() // parallel reads mostly ask for one group
	defer k.mu.Unlock()
	known, ok := k.groups[kind.Group]
	if ok {
		mapping, err := known.mapper.RESTMapping(kind)
		if !meta.IsNoMatchError(err) {
			return mapping, err
		}
		if time.Since(known.at) < rediscover {
			return nil, errUnknownKind
		}
	}
	resources, err := k.discover(ctx, kind.Group)
	if err != nil {
		return nil, err
	}
	known = discovered{restmapper.NewDiscoveryRESTMapper([]*restmapper.APIGroupResources{resources}), time.Now()}
	k.groups[kind.Group] = known
	mapping, err := known.mapper.RESTMapping(kind)
	if meta.IsNoMatchError(err) {
		return nil, errUnknownKind
	}
	return mapping, err
}

// installed reports whether the cluster knows a kind: of the kinds of an API group it may have some and lack others.
func (k *kinds) installed(ctx context.Context, kind schema.GroupKind) (bool, error) {
	_, err := k.find(ctx, kind)
	if errors.Is(err, errUnknownKind) {
		return false, nil
	}
	return err == nil, err
}

func (k *kinds) discover(ctx context.Context, group string) (*restmapper.APIGroupResources, error) {
	// The core API has one version and no group document.
	core := metav1.GroupVersionForDiscovery{GroupVersion: "v1", Version: "v1"}
	described := metav1.APIGroup{Versions: []metav1.GroupVersionForDiscovery{core}, PreferredVersion: core}
	root := "/api/"
	if group != "" {
		root = "/apis/"
		err := k.get(ctx, root+group, &described)
		if apierrors.IsNotFound(err) {
			return nil, errUnknownKind
		}
		if err != nil {
			return nil, err
		}
	}
	found := &restmapper.APIGroupResources{Group: described, VersionedResources: map[string][]metav1.APIResource{}}
	for _, version := range described.Versions {
		var list metav1.APIResourceList
		if err := k.get(ctx, root+version.GroupVersion, &list); err != nil {
			return nil, err
		}
		found.VersionedResources[version.Version] = list.APIResources
	}
	return found, nil
}

func (k *kinds) get(ctx context.Context, path string, into any) error {
	raw, err := k.api.Get().AbsPath(path).Do(ctx).Raw()
	if err != nil {
		return err
	}
	if err := foreign.Answer.JSON(raw, into); err != nil {
		return fmt.Errorf("%s does not describe an API: %w", path, err)
	}
	return nil
}
