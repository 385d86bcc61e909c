package kube

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/argo-why/argo-why/internal/sanitize"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/homedir"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

// Options say how to reach clusters.
type Options struct {
	// Kubeconfig is a file, Context one of the contexts in it. Empty: those of kubectl, and inside a pod its own account.
	Kubeconfig, Context string
	UserAgent           string
}

// Clusters are those that the kubeconfig, or the pod that this runs in, gives access to. It is safe for parallel use.
type Clusters struct {
	options Options
	// podAccount is replaced in tests: client-go reads it from fixed paths.
	podAccount func() (*rest.Config, error)
	// podNamespace is such a path.
	podNamespace string

	mu          sync.Mutex
	config      *api.Config // nil before it is read
	connections map[string]*connection
}

// Open reads neither the disk nor the network.
func Open(o Options) *Clusters {
	return &Clusters{options: o, podAccount: rest.InClusterConfig, podNamespace: podNamespace, connections: map[string]*connection{}}
}

// Check finds what is wrong with a file or a context that was named, before anything is asked. Without a name, none is needed.
func (c *Clusters) Check() error {
	if !c.named() {
		return nil
	}
	file := "the kubeconfig"
	if c.options.Kubeconfig != "" {
		file = "--kubeconfig " + c.options.Kubeconfig
	}
	config, err := c.kubeconfig()
	if err != nil {
		return fmt.Errorf("%s %w", file, err)
	}
	if name := c.options.Context; name != "" && config.Contexts[name] == nil {
		return fmt.Errorf("--kube-context %s not found: %s", name, known(name, config))
	}
	if len(config.Contexts) == 0 {
		return fmt.Errorf("%s has no contexts; use the file that kubectl uses", file)
	}
	return nil
}

func (c *Clusters) named() bool { return c.options.Kubeconfig != "" || c.options.Context != "" }

// known are the contexts that exist, for somebody who mistyped one.
func known(name string, config *api.Config) string {
	const limit = 5
	names := slices.Sorted(maps.Keys(config.Contexts))
	if meant := near.Nearest(name, names); meant != "" {
		return "did you mean " + meant + "?"
	}
	if len(names) == 0 {
		return "the kubeconfig has no contexts"
	}
	return "the kubeconfig has " + text.List(names, limit)
}

// notFound says where a file was looked for, if its name does not.
func notFound(file string) error {
	where, err := filepath.Abs(file)
	if err != nil || where == file {
		return errors.New("not found: check the path")
	}
	return errors.New("not found: looked for " + where)
}

// kubeconfig reads the files that kubectl would read. None is an empty one. Its errors are the end of a sentence that begins with the file.
func (c *Clusters) kubeconfig() (*api.Config, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.config != nil {
		return c.config, nil
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.options.Kubeconfig
	rules.WarnIfAllMissing = false // it logs; the report says what is missing
	rules.MigrationRules = nil     // it would copy a file of ten years ago to its present place: nothing is written here
	if len(rules.Precedence) == 1 && rules.Precedence[0] == clientcmd.RecommendedHomeFile {
		// client-go looked up the home directory when the process began; it counts where it is now.
		rules.Precedence[0] = filepath.Join(homedir.HomeDir(), clientcmd.RecommendedHomeDir, clientcmd.RecommendedFileName)
	}
	config, err := rules.Load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, notFound(c.options.Kubeconfig)
	case errors.Is(err, fs.ErrPermission):
		return nil, errors.New("cannot be read: permission denied; let your user read it")
	case err != nil:
		return nil, errors.New(string("is not a kubeconfig (" + sanitize.Excerpt(err.Error()) + "); use the file that kubectl uses"))
	}
	c.config = config
	return config, nil
}

// connect is the connection of a context; "" is the pod's own account. Connections are kept: several applications share a
// cluster.
func (c *Clusters) connect(e endpoint) (*connection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if conn := c.connections[e.context]; conn != nil {
		return conn, nil
	}
	conn, err := c.dial(e, flowcontrol.NewTokenBucketRateLimiter(readsPerSecond, readBurst))
	if err != nil {
		return nil, err
	}
	c.connections[e.context] = conn
	return conn, nil
}

// dial makes a connection, with a limit of requests of its own.
func (c *Clusters) dial(e endpoint, limit flowcontrol.RateLimiter) (*connection, error) {
	config, err := c.restConfig(e)
	if err != nil {
		return nil, unusable(e, err)
	}
	conn, err := newConnection(e.String(), config, c.options.UserAgent, limit)
	if err != nil {
		return nil, unusable(e, err)
	}
	return conn, nil
}

// restConfig is what client-go connects to an endpoint with.
func (c *Clusters) restConfig(e endpoint) (*rest.Config, error) {
	if e.pod != nil {
		return e.pod, nil
	}
	return clientcmd.NewNonInteractiveClientConfig(*c.config, e.context, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
}

func unusable(e endpoint, err error) *Error {
	return &Error{Problem: NoAccess, what: sanitize.Sprintf("%s cannot be used: %s", e, err), Err: err}
}
