//go:build live

package node

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// report writes whether the pod is ready into its status: the Deployment's controller goes by it.
func (p *Pod) report(ready bool) {
	p.mu.Lock()
	p.ready = ready
	restarts := p.restarts
	p.mu.Unlock()
	is, now := corev1.ConditionFalse, metav1.Now()
	if ready {
		is = corev1.ConditionTrue
	}
	condition := func(kind corev1.PodConditionType, is corev1.ConditionStatus) corev1.PodCondition {
		return corev1.PodCondition{Type: kind, Status: is, LastTransitionTime: now}
	}
	started := true
	status, err := json.Marshal(map[string]any{"status": corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: p.IP, PodIPs: []corev1.PodIP{{IP: p.IP}}, HostIP: "127.0.0.1", StartTime: &now,
		Conditions: []corev1.PodCondition{condition(corev1.PodInitialized, corev1.ConditionTrue), condition(corev1.PodReady, is), condition(corev1.ContainersReady, is)},
		ContainerStatuses: []corev1.ContainerStatus{{
			Name: p.spec.Spec.Containers[0].Name, Image: p.Image(), Ready: ready, Started: &started, RestartCount: restarts,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		}},
	}})
	if err != nil {
		p.node.t.Errorf("pod %s: %v", p.Name, err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = p.node.client.CoreV1().Pods(p.node.namespace).Patch(ctx, p.Name, types.StrategicMergePatchType, status, metav1.PatchOptions{}, "status")
	if err != nil && !apierrors.IsNotFound(err) {
		p.node.t.Errorf("status of pod %s: %v", p.Name, err)
	}
}
