package kube

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/pager"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/parts"
)

// memberParts are the members of large incidents: IncidentMembers objects, which are created and deleted and never changed. The status of
// an incident names those that are its members now, so that a replacement of the status replaces all of them at once.
//
// Each has a name of its own, and only a writer whose status was taken deletes what that no longer names. So no other status can
// name what is deleted, whoever else writes.
type memberParts struct {
	store
	mu sync.Mutex
	// known are the parts of each incident as it was last read or written.
	known map[string]knownParts
}

// knownParts are those of one version of an incident.
type knownParts struct {
	version string
	owner   metav1.OwnerReference
	parts   []partRef
}

// partRef is how a status names a part.
type partRef struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`
	Members int    `json:"members"`
	Bytes   int    `json:"bytes,omitempty"`
}

// partsSize is the size of all of them.
func partsSize(all []partRef) (bytes int) {
	for _, ref := range all {
		bytes += ref.Bytes
	}
	return bytes
}

const (
	membersKind = "IncidentMembers"
	// labelIncident is the incident that a part belongs to.
	labelIncident = "argo-why.dev/incident"
	// readAgain is how often an incident is read whose parts are replaced meanwhile.
	readAgain = 3
)

func newMemberParts(conn *connection, namespace string) *memberParts {
	return &memberParts{store: newStore(conn, namespace, membersKind, "incidentmembers", memberRights()...), known: map[string]knownParts{}}
}

// memberRights are those of deploy/rbac/journal.yaml.
func memberRights() []right { return []right{{verb: "list"}, {verb: "create"}, {verb: "delete"}} }

func (p *memberParts) of(id string) knownParts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[id]
}

// note remembers the parts of a version.
func (p *memberParts) note(id string, now knownParts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(now.parts) == 0 {
		delete(p.known, id)
		return
	}
	p.known[id] = now
}

// write creates the parts that an incident does not have yet, and returns all that it has then. Along with an error it returns those that
// were created.
func (p *memberParts) write(ctx context.Context, was knownParts, split []parts.Part) (now []partRef, err error) {
	has := map[string]partRef{}
	for _, ref := range was.parts {
		has[ref.Digest] = ref
	}
	for _, part := range split {
		ref, known := has[part.Digest]
		if !known {
			ref = partRef{Name: was.owner.Name + "-" + strings.ToLower(rand.Text()[:10]), Digest: part.Digest, Members: part.Members}
			if ref.Bytes, err = p.create(ctx, was.owner, ref, part); err != nil {
				return now, fmt.Errorf("%w: %w", errOfParts, err)
			}
		}
		now = append(now, ref)
	}
	return now, nil
}

// create returns how many bytes it is.
func (p *memberParts) create(ctx context.Context, owner metav1.OwnerReference, ref partRef, part parts.Part) (int, error) {
	packed, err := part.Pack()
	if err != nil {
		return 0, err
	}
	o := emptyObject(membersKind, ref.Name)
	o.SetLabels(map[string]string{labelIncident: labelValue(owner.Name)})
	o.SetOwnerReferences([]metav1.OwnerReference{owner}) // goes with the incident, also if a person deletes that
	o.Object["count"] = int64(part.Members)
	o.Object["packed"] = base64.StdEncoding.EncodeToString(packed)
	_, err = p.objects.Create(ctx, o, metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
	return base64.StdEncoding.EncodedLen(len(packed)), err
}

// ownerOf is how a part refers to its incident.
func ownerOf(o *unstructured.Unstructured) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: group.String(), Kind: incidentKind, Name: o.GetName(), UID: o.GetUID()}
}

// remove deletes the parts that are not to be kept, which nothing refers to. What is left of them List finds.
func (p *memberParts) remove(ctx context.Context, these, keep []partRef) {
	kept := map[string]bool{}
	for _, ref := range keep {
		kept[ref.Name] = true
	}
	for _, ref := range these {
		if !kept[ref.Name] {
			_ = p.objects.Delete(ctx, ref.Name, metav1.DeleteOptions{}) // an error changes nothing for anybody: it is only no longer needed
		}
	}
}

// errOfParts: an error is about parts, and not about the incident.
var errOfParts = errors.New("write its members")

// errPartMissing: a status names a part that is not there: it is damaged, or has been replaced since it was read.
var errPartMissing = errors.New("some of its members are missing")

// stored are parts by name.
type stored map[string]*storedPart

// storedPart is a part that was read.
type storedPart struct {
	// object is what it is packed in, nil once it is unpacked.
	object  *unstructured.Unstructured
	members []incident.Member
}

// readAll reads the parts of all incidents.
func (p *memberParts) readAll(ctx context.Context) (stored, error) {
	return p.list(ctx, metav1.ListOptions{})
}

// read reads the parts of one incident, those that it names and others.
func (p *memberParts) read(ctx context.Context, id string, _ []partRef) (stored, error) {
	return p.list(ctx, metav1.ListOptions{LabelSelector: labelIncident + "=" + labelValue(id)})
}

func (p *memberParts) list(ctx context.Context, options metav1.ListOptions) (stored, error) {
	options.Limit = pageSize
	found := stored{}
	err := pager.New(p.page).EachListItem(ctx, options, func(o runtime.Object) error {
		object, ok := o.(*unstructured.Unstructured)
		if !ok {
			return fmt.Errorf("the answer contains a %T", o)
		}
		found[object.GetName()] = &storedPart{object: object}
		return nil
	})
	return found, err
}

// of are the members of an incident that has these parts.
func (s stored) of(refs []partRef) ([]incident.Member, error) {
	var all []incident.Member
	for _, ref := range refs {
		part := s[ref.Name]
		if part == nil {
			return nil, errPartMissing
		}
		if err := part.unpack(); err != nil {
			return nil, err
		}
		all = append(all, part.members...)
	}
	return all, nil
}

// unpack is done once, and lets go of the object.
func (p *storedPart) unpack() error {
	if p.object == nil {
		return nil
	}
	text, _, err := unstructured.NestedString(p.object.Object, "packed")
	if err != nil {
		return err
	}
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return fmt.Errorf("unpack its members: %w", err)
	}
	if p.members, err = parts.Unpack(packed); err != nil {
		return err
	}
	p.object = nil
	return nil
}

// sweep deletes the parts that no incident refers to and that are so old that nobody is about to refer to them.
func (p *memberParts) sweep(ctx context.Context, found stored, referred map[string]bool) error {
	for name, part := range found {
		if referred[name] || time.Since(part.object.GetCreationTimestamp().Time) < abandoned {
			continue
		}
		uid := types.UID(cmp.Or(string(part.object.GetUID()), name))
		err := p.objects.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
		if err != nil && !apierrors.IsConflict(err) && !p.gone(err) {
			return err
		}
	}
	return nil
}
