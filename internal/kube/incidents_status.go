package kube

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/parts"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxStatus is the size of a status, in bytes of JSON. etcd takes 1.5 MiB for a whole request, object and bookkeeping:
	// https://etcd.io/docs/v3.5/dev-guide/limit/#request-size-limit
	maxStatus = 1_000_000
	// splitAbove is the size from which on the members are in parts: about 500 of them. etcd keeps every state of the last minutes, and an
	// outage changes often.
	splitAbove = 128 << 10
	// maxUnpacked is more than members can be; what unpacks to more was not packed here.
	maxUnpacked = 64 << 20
)

// status is what the custom resource contains: the incident, and what kubectl shows of it.
type status struct {
	*incident.Incident
	// Members are the incident's; only the first where there are Parts, or PackedMembers.
	Members []incident.Member `json:"members"`
	// Parts are the objects that have all members, in order.
	Parts []partRef `json:"parts,omitempty"`
	// PackedMembers are all members, as JSON, through gzip: versions before there were Parts wrote them.
	PackedMembers []byte  `json:"packedMembers,omitempty"`
	Summary       summary `json:"summary"`
	// Cut says what was left out to make it fit.
	Cut []string `json:"cut,omitempty"`
}

// summary is what a column cannot compute.
type summary struct {
	// App is "web", or "web and 4 more".
	App string `json:"app"`
	// Failing is how many of the members fail.
	Failing int `json:"failing"`
}

// encodeStatus is the status of an incident. If it is too large, the members are in parts of their own; if that is not enough, the report,
// which the next diagnosis brings again, is left out, and the status says so. No member is ever left out.
func encodeStatus(i *incident.Incident) (s *status, split []parts.Part, err error) {
	s = &status{Incident: i, Members: i.Members, Summary: summary{appColumn(i.Members), len(i.Failing())}}
	size, err := s.size()
	if err == nil && size > splitAbove && len(i.Members) > parts.Plain {
		s.Members = i.Members[:parts.Plain]
		if split, err = parts.Split(i.Members); err == nil {
			size, err = s.size()
		}
	}
	if err == nil && size > maxStatus {
		without := *i
		without.Report = nil
		s.Incident, s.Cut = &without, append(s.Cut, "the report")
		size, err = s.size()
	}
	if err != nil {
		return nil, nil, err
	}
	if size > maxStatus {
		return nil, nil, &Error{
			Problem: Failed, what: sanitize.Sprintf("it has %d bytes with %d applications, and the limit of a custom resource is %d", size, len(i.Members), maxStatus),
			todo: "keep the journal in a file (journal.kind: file)",
		}
	}
	return s, split, nil
}

func (s *status) size() (int, error) {
	raw, err := json.Marshal(s)
	return len(raw), err
}

// object is the status as the API server takes it, and the size of the entry with its parts.
func (s *status) object() (object map[string]any, size int, err error) {
	raw, err := json.Marshal(s)
	if err == nil {
		err = utiljson.Unmarshal(raw, &object) // whole numbers stay whole
	}
	return object, len(raw) + partsSize(s.Parts), err
}

func appColumn(members []incident.Member) string {
	switch len(members) {
	case 0:
		return ""
	case 1:
		return members[0].App.Label()
	}
	return members[0].App.Label() + " and " + text.More(len(members)-1)
}

func (s *status) unpack() error {
	if len(s.PackedMembers) == 0 {
		return nil
	}
	r, err := gzip.NewReader(bytes.NewReader(s.PackedMembers))
	if err != nil {
		return fmt.Errorf("unpack its members: %w", err)
	}
	raw, err := io.ReadAll(io.LimitReader(r, maxUnpacked))
	if err != nil {
		return fmt.Errorf("unpack its members: %w", err)
	}
	s.Members = nil
	if err := json.Unmarshal(raw, &s.Members); err != nil {
		return fmt.Errorf("unpack its members: %w", err)
	}
	return nil
}
