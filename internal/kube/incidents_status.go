package kube

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxStatus is the size of a status, in bytes of JSON. etcd takes 1.5 MiB for a whole request, object and bookkeeping:
	// https://etcd.io/docs/v3.5/dev-guide/limit/#request-size-limit
	maxStatus = 1_000_000
	// packAbove is the size from which on the members are kept packed: about 500 of them. etcd keeps every state of the last
	// minutes, and an outage changes often.
	packAbove = 128 << 10
	// plainMembers is how many of packed members are also there in plain text.
	plainMembers = 20
	// maxUnpacked is more than members can be; what unpacks to more was not packed here.
	maxUnpacked = 64 << 20
)

// status is what the custom resource contains: the incident, and what kubectl shows of it.
type status struct {
	*incident.Incident
	// Members are the incident's; only the first where there are PackedMembers.
	Members []incident.Member `json:"members"`
	// PackedMembers are all members, as JSON, through gzip.
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

// encodeStatus is the status of an incident. If it is too large, the members are packed; if that is not enough, texts that
// the next diagnosis brings again are left out, and the status says which. No member is ever left out.
func encodeStatus(i *incident.Incident) (map[string]any, error) {
	s := &status{Incident: i, Members: i.Members, Summary: summary{appColumn(i.Members), len(i.Failing())}}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	steps := []func(*status) error{(*status).pack, (*status).cutHeadlines, (*status).cutReport}
	for limit := packAbove; len(raw) > limit && len(steps) > 0; limit, steps = maxStatus, steps[1:] {
		if err := steps[0](s); err != nil {
			return nil, err
		}
		if raw, err = json.Marshal(s); err != nil {
			return nil, err
		}
	}
	if len(raw) > maxStatus {
		return nil, &Error{
			Problem: Failed, what: fmt.Sprintf("it has %d bytes with %d applications, and the limit of a custom resource is %d", len(raw), len(i.Members), maxStatus),
			todo: "keep the journal in a file (journal.kind: file)",
		}
	}
	var object map[string]any
	return object, utiljson.Unmarshal(raw, &object) // whole numbers stay whole
}

func appColumn(members []incident.Member) string {
	switch len(members) {
	case 0:
		return ""
	case 1:
		return members[0].App.Name
	}
	return members[0].App.Name + " and " + text.More(len(members)-1)
}

func (s *status) pack() error { return s.packAll(s.Incident.Members) }

func (s *status) packAll(members []incident.Member) error {
	raw, err := json.Marshal(members)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(raw); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	s.PackedMembers = packed.Bytes()
	s.Members = members[:min(len(members), plainMembers)]
	return nil
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

func (s *status) cutHeadlines() error {
	bare := make([]incident.Member, 0, len(s.Incident.Members))
	for _, m := range s.Incident.Members {
		m.Headline = ""
		bare = append(bare, m)
	}
	s.Cut = append(s.Cut, "the headlines of the members")
	return s.packAll(bare)
}

func (s *status) cutReport() error {
	without := *s.Incident
	without.Report = nil
	s.Incident = &without
	s.Cut = append(s.Cut, "the report")
	return nil
}
