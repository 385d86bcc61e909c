//go:build live

package node

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/test/cluster"
)

// prepare makes the root of a pod: the program, and its volumes where they are mounted.
func (n *Node) prepare(ctx context.Context, pod *corev1.Pod, ip string) (*Pod, error) {
	root := filepath.Join(n.t.TempDir(), "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		return nil, err
	}
	p := &Pod{
		Name: pod.Name, IP: ip, Door: cluster.NewDoor(n.t, n.apiServer), node: n, uid: pod.UID, spec: pod, root: root,
		stopped: make(chan struct{}), gone: make(chan struct{}),
	}
	if err := p.openLog(); err != nil {
		return nil, err
	}
	if err := p.environment(); err != nil { // before the program is copied: a pod that cannot begin is tried again and again
		return nil, err
	}
	if err := copyFile(filepath.Join(root, "argo-why"), n.program(p.Image()), 0o755); err != nil {
		return nil, err
	}
	for _, mount := range pod.Spec.Containers[0].VolumeMounts {
		if err := p.mount(ctx, mount); err != nil {
			return nil, fmt.Errorf("mount %s: %w", mount.MountPath, err)
		}
	}
	return p, nil
}

func (p *Pod) environment() error {
	host, port, err := net.SplitHostPort(p.Door.Address())
	if err != nil {
		return err
	}
	p.env = []string{"PATH=/", "HOSTNAME=" + p.Name, "KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port}
	container := p.spec.Spec.Containers[0]
	for _, e := range container.Env {
		value := e.Value
		if from := e.ValueFrom; from != nil {
			if from.ResourceFieldRef == nil || from.ResourceFieldRef.Resource != "limits.memory" {
				return fmt.Errorf("variable %s: this node only knows values and limits.memory", e.Name)
			}
			value = strconv.FormatInt(container.Resources.Limits.Memory().Value(), 10)
		}
		p.env = append(p.env, e.Name+"="+value)
	}
	return nil
}

// mount writes the files of a volume.
func (p *Pod) mount(ctx context.Context, m corev1.VolumeMount) error {
	for i := range p.spec.Spec.Volumes {
		v := &p.spec.Spec.Volumes[i]
		if v.Name != m.Name {
			continue
		}
		files, mode, err := p.contents(ctx, &v.VolumeSource)
		if err != nil {
			return err
		}
		at := filepath.Join(p.root, m.MountPath)
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		for name, content := range files {
			if err := p.write(filepath.Join(at, name), content, mode); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("there is no volume %s", m.Name)
}

// write gives the file to the group of the pod, as a kubelet does.
func (p *Pod) write(file string, content []byte, mode int32) error {
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return err
	}
	if err := os.Chown(file, 0, int(p.fsGroup())); err != nil {
		return err
	}
	return os.Chmod(file, os.FileMode(mode)|0o040)
}

// contents are the files of a volume, and their mode.
func (p *Pod) contents(ctx context.Context, v *corev1.VolumeSource) (files map[string][]byte, mode int32, err error) {
	files = map[string][]byte{}
	switch {
	case v.ConfigMap != nil:
		return files, *v.ConfigMap.DefaultMode, p.fromConfigMap(ctx, files, v.ConfigMap.Name)
	case v.Projected != nil:
		for i := range v.Projected.Sources {
			if err := p.project(ctx, files, &v.Projected.Sources[i]); err != nil {
				return nil, 0, err
			}
		}
		return files, *v.Projected.DefaultMode, nil
	}
	return nil, 0, fmt.Errorf("this node does not know such a volume: %s", v)
}

func (p *Pod) project(ctx context.Context, files map[string][]byte, from *corev1.VolumeProjection) error {
	core := p.node.client.CoreV1()
	switch {
	case from.Secret != nil:
		secret, err := core.Secrets(p.node.namespace).Get(ctx, from.Secret.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for name, content := range secret.Data {
			files[name] = content
		}
	case from.ConfigMap != nil:
		return p.fromConfigMap(ctx, files, from.ConfigMap.Name)
	case from.DownwardAPI != nil: // the namespace, beside the token
		files[from.DownwardAPI.Items[0].Path] = []byte(p.node.namespace)
	case from.ServiceAccountToken != nil:
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
			ExpirationSeconds: from.ServiceAccountToken.ExpirationSeconds,
			BoundObjectRef:    &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: p.Name, UID: p.uid},
		}}
		token, err := core.ServiceAccounts(p.node.namespace).CreateToken(ctx, p.spec.Spec.ServiceAccountName, request, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		files[from.ServiceAccountToken.Path] = []byte(token.Status.Token)
	default:
		return fmt.Errorf("this node does not know such a source: %s", from)
	}
	return nil
}

func (p *Pod) fromConfigMap(ctx context.Context, files map[string][]byte, name string) error {
	from, err := p.node.client.CoreV1().ConfigMaps(p.node.namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for name, content := range from.Data {
		files[name] = []byte(content)
		if name != "config.yaml" {
			continue
		}
		if files[name], err = p.alone([]byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// alone has the bot listen on the address of its pod only: where there are no containers, all listen on one machine.
func (p *Pod) alone(configuration []byte) ([]byte, error) {
	var c map[string]any
	if err := yaml.Unmarshal(configuration, &c); err != nil {
		return nil, err
	}
	c["http"] = map[string]any{"listen": fmt.Sprintf("%s:%d", p.IP, p.port("webhooks")), "metrics": fmt.Sprintf("%s:%d", p.IP, p.port("metrics"))}
	return yaml.Marshal(c)
}

func (p *Pod) user() (user, group uint32) {
	s := p.spec.Spec.SecurityContext
	return uint32(*s.RunAsUser), uint32(*s.RunAsGroup)
}

func (p *Pod) fsGroup() uint32 { return uint32(*p.spec.Spec.SecurityContext.FSGroup) }

func copyFile(to, from string, mode os.FileMode) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, mode)
}

// Tag is what follows the last colon of an image.
func Tag(image string) string { return image[strings.LastIndex(image, ":")+1:] }
