//go:build live

package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/argo-why/argo-why/test/cluster"
)

// Pod is one that runs.
type Pod struct {
	// Name is that of the pod, IP its address.
	Name, IP string
	// Door is its way to the API server.
	Door *cluster.Door

	node *Node
	uid  types.UID
	spec *corev1.Pod
	root string
	env  []string
	log  *os.File
	// stopped is closed when the process is to end, gone when it has ended and the pod is deleted.
	stopping      sync.Once
	stopped, gone chan struct{}

	mu       sync.Mutex
	process  *os.Process
	restarts int32
	ready    bool
}

// command is the program in the root of the pod, with its user and environment.
func (p *Pod) command(args ...string) *exec.Cmd {
	c := exec.Command("/argo-why", args...) //nolint:noctx // it ends when the pod does
	c.Dir, c.Env = "/", p.env
	user, group := p.user()
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: p.root, Credential: &syscall.Credential{Uid: user, Gid: group, Groups: []uint32{p.fsGroup()}}, Pdeathsig: syscall.SIGKILL}
	return c
}

// live runs the process, again when it ends, until the pod is to be deleted.
func (p *Pod) live() {
	runtime.LockOSThread() // a process is killed with the thread that began it: the test leaves none behind, even if it is killed
	defer runtime.UnlockOSThread()
	for {
		c := p.command(p.spec.Spec.Containers[0].Args...)
		c.Stdout, c.Stderr = p.log, p.log
		if err := c.Start(); err != nil {
			p.node.t.Errorf("pod %s: %v", p.Name, err)
			<-p.stopped
			return
		}
		p.mu.Lock()
		p.process = c.Process
		p.mu.Unlock()
		ended := make(chan struct{})
		probing := make(chan struct{})
		go func() { p.probe(ended); close(probing) }()
		go p.endWith(c.Process, ended)
		_ = c.Wait() // how it ended stands in its log
		close(ended)
		<-probing
		select {
		case <-p.stopped:
			return
		case <-time.After(time.Second):
		}
		p.mu.Lock()
		p.restarts++
		p.mu.Unlock()
	}
}

// endWith asks the process to end when the pod is to be deleted. One that is still there when its time is over is a failure of the test.
func (p *Pod) endWith(process *os.Process, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-p.stopped:
	}
	_ = process.Signal(syscall.SIGTERM) // it may have ended
	grace := time.Duration(*p.spec.Spec.TerminationGracePeriodSeconds) * time.Second
	select {
	case <-ended:
	case <-time.After(grace):
		p.node.t.Errorf("pod %s has not ended %s after it was asked to", p.Name, grace)
		_ = process.Kill()
	}
}

func (p *Pod) stop() { p.stopping.Do(func() { close(p.stopped) }) }

// Kill ends the process without a warning. It is started again, unless the pod is deleted.
func (p *Pod) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process != nil {
		_ = p.process.Kill() // it may have ended
	}
}

// probe writes into the status of the pod what its readiness probe says, until the process has ended.
func (p *Pod) probe(ended <-chan struct{}) {
	defer func() { p.report(false) }()
	url := fmt.Sprintf("http://%s:%d%s", p.IP, p.port("metrics"), p.spec.Spec.Containers[0].ReadinessProbe.HTTPGet.Path)
	p.report(false)
	for again := time.NewTicker(200 * time.Millisecond); ; {
		select {
		case <-ended:
			return
		case <-again.C:
		}
		_, err := get(url)
		if ready := err == nil; ready != p.Ready() {
			p.report(ready)
		}
	}
}

// Ready reports what the readiness probe last said.
func (p *Pod) Ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ready
}

// Metrics are those that Prometheus would read.
func (p *Pod) Metrics() (string, error) {
	return get(fmt.Sprintf("http://%s:%d/metrics", p.IP, p.port("metrics")))
}

// Leads reports whether the process says that it leads.
func (p *Pod) Leads() bool {
	metrics, err := p.Metrics()
	return err == nil && strings.Contains(metrics, "\nargo_why_leading 1\n")
}

// Image is that of its container.
func (p *Pod) Image() string { return p.spec.Spec.Containers[0].Image }

// Exec is `kubectl exec`: the program with other arguments beside the one that runs. It returns what it printed.
func (p *Pod) Exec(args ...string) (string, error) {
	out, err := p.command(args...).CombinedOutput()
	return string(out), err
}

// Log is what the process and those before it have written.
func (p *Pod) Log() string {
	text, err := os.ReadFile(p.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (p *Pod) port(name string) int32 {
	for _, port := range p.spec.Spec.Containers[0].Ports {
		if port.Name == name {
			return port.ContainerPort
		}
	}
	return 0
}

func get(url string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	return string(text), err
}

// openLog is in the directory of the pod, outside of its root.
func (p *Pod) openLog() error {
	var err error
	p.log, err = os.Create(filepath.Join(filepath.Dir(p.root), "log"))
	return err
}
