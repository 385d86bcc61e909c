//go:build live

// Package node runs pods as processes, as a kubelet does with containers: what the API server has of a pod decides its arguments, environment,
// user, files and token, and what becomes of the process is written into the status of the pod. So a Deployment starts, rolls and stops as it does
// in a cluster, without a container runtime.
//
// The root of a process has nothing but the program and the volumes of the pod. What differs from a container: it shares the network and
// the name of this machine. Therefore each pod has a loopback address of its own, which is written into the bot's configuration, and reaches
// the API server through a [cluster.Door]. There is no liveness probe, and no limit of memory.
//
// It needs Linux and root, for chroot, and a cluster whose own node leaves pods with the label lab.io/behave=process alone, as the lab does.
package node

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Label marks the pods that are run as processes, with the value process.
const Label = "lab.io/behave"

// Node runs the pods of a namespace.
type Node struct {
	t         *testing.T
	client    kubernetes.Interface
	apiServer string
	namespace string
	// program is the file that an image consists of.
	program func(image string) string

	mu   sync.Mutex
	pods []*Pod
	made int
	over bool
}

// Run runs the pods of a namespace, with the right to do so, until the test ends. An image is one file, which program returns the path of.
func Run(t *testing.T, config *rest.Config, namespace string, program func(image string) string) *Node {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("needs root: pods run in a root directory of their own")
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{t: t, client: client, apiServer: server.Host, namespace: namespace, program: program}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		for again := time.NewTicker(200 * time.Millisecond); ; {
			if err := n.sync(ctx); err != nil && ctx.Err() == nil {
				t.Errorf("the node: %v", err)
			}
			select {
			case <-ctx.Done():
				return
			case <-again.C:
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		running.Wait()
		n.endAll()
	})
	return n
}

// sync starts what is new, and stops what is to be deleted.
func (n *Node) sync(ctx context.Context) error {
	list, err := n.client.CoreV1().Pods(n.namespace).List(ctx, metav1.ListOptions{LabelSelector: Label + "=process"})
	if err != nil {
		return fmt.Errorf("list pods: %w", err)
	}
	there := map[types.UID]bool{}
	for i := range list.Items {
		pod := &list.Items[i]
		there[pod.UID] = true
		known := n.of(pod.UID)
		switch {
		case known == nil && pod.DeletionTimestamp == nil && pod.Spec.NodeName != "":
			if err := n.start(ctx, pod); err != nil {
				return fmt.Errorf("start pod %s: %w", pod.Name, err)
			}
		case known == nil && pod.DeletionTimestamp != nil: // never started
			if err := n.remove(ctx, pod); err != nil {
				return fmt.Errorf("delete pod %s: %w", pod.Name, err)
			}
		case known != nil && pod.DeletionTimestamp != nil:
			known.stop()
		}
	}
	for _, p := range n.Pods() {
		if !there[p.uid] {
			p.Kill()
			p.stop()
		}
	}
	return nil
}

// remove is the last step of a deletion: it is the node that takes it.
func (n *Node) remove(ctx context.Context, pod *corev1.Pod) error {
	now := int64(0)
	err := n.client.CoreV1().Pods(n.namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &pod.UID},
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) { // it is gone, and perhaps another one has its name
		return nil
	}
	return err
}

func (n *Node) of(uid types.UID) *Pod {
	for _, p := range n.Pods() {
		if p.uid == uid {
			return p
		}
	}
	return nil
}

// Pods are those that run, also while they start and stop, the oldest first.
func (n *Node) Pods() []*Pod {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.pods)
}

func (n *Node) start(ctx context.Context, pod *corev1.Pod) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.over {
		return nil
	}
	n.made++
	p, err := n.prepare(ctx, pod, fmt.Sprintf("127.0.1.%d", n.made))
	if err != nil {
		return err
	}
	n.pods = append(n.pods, p)
	go func() {
		p.live()
		n.mu.Lock()
		n.pods = slices.DeleteFunc(n.pods, func(o *Pod) bool { return o == p })
		n.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err := n.remove(ctx, pod); err != nil {
			n.t.Errorf("delete pod %s: %v", pod.Name, err)
		}
		close(p.gone)
	}()
	return nil
}

func (n *Node) endAll() {
	n.mu.Lock()
	n.over = true
	n.mu.Unlock()
	for _, p := range n.Pods() {
		p.stop()
		p.Kill()
		<-p.gone
	}
}
