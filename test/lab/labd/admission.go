package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
)

// review is what is read and written of an AdmissionReview.
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
type review struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Request    *struct {
		UID    string `json:"uid"`
		Object struct {
			Metadata struct {
				Name        string            `json:"name"`
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
			Spec struct {
				Template struct {
					Spec struct {
						Tolerations []toleration `json:"tolerations"`
						Containers  []struct {
							Image string `json:"image"`
						} `json:"containers"`
					} `json:"spec"`
				} `json:"template"`
			} `json:"spec"`
		} `json:"object"`
	} `json:"request,omitempty"`
	Response *response `json:"response,omitempty"`
}

type toleration struct {
	Key      string `json:"key"`
	Operator string `json:"operator"`
}

type response struct {
	UID     string  `json:"uid"`
	Allowed bool    `json:"allowed"`
	Status  *status `json:"status,omitempty"`
	// PatchType is that of Patch: JSONPatch.
	PatchType string `json:"patchType,omitempty"`
	Patch     []byte `json:"patch,omitempty"`
}

type status struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func requireOwner(w http.ResponseWriter, r *http.Request) {
	answer(w, r, func(in *review, out *response) error {
		object := in.Request.Object.Metadata
		out.Allowed = object.Annotations["owner"] != ""
		if !out.Allowed {
			out.Status = &status{Code: http.StatusForbidden, Message: "policy require-owner: " + object.Name + " must carry an owner annotation"}
		}
		return nil
	})
}

// inject changes what a mesh or a mirror would: the registry of each image, and a toleration if the pods have any.
func inject(w http.ResponseWriter, r *http.Request) {
	type change struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	answer(w, r, func(in *review, out *response) (err error) {
		const pod = "/spec/template/spec"
		var changes []change
		spec := in.Request.Object.Spec.Template.Spec
		for i, c := range spec.Containers {
			if image, ok := strings.CutPrefix(c.Image, "registry.example/"); ok {
				changes = append(changes, change{"replace", fmt.Sprintf("%s/containers/%d/image", pod, i), "mirror.example/" + image})
			}
		}
		mesh := toleration{Key: "mesh.lab.io/node", Operator: "Exists"}
		if len(spec.Tolerations) > 0 && !slices.Contains(spec.Tolerations, mesh) {
			changes = append(changes, change{"add", pod + "/tolerations/-", mesh})
		}
		out.Allowed, out.PatchType = true, "JSONPatch"
		out.Patch, err = json.Marshal(changes)
		return err
	})
}

// answer decodes a review and sends what decide makes of it.
func answer(w http.ResponseWriter, r *http.Request, decide func(*review, *response) error) {
	var in review
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Request == nil {
		http.Error(w, "not an AdmissionReview", http.StatusBadRequest)
		return
	}
	out := response{UID: in.Request.UID}
	if err := decide(&in, &out); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(review{APIVersion: in.APIVersion, Kind: in.Kind, Response: &out}); err != nil {
		slog.Error("cannot answer an admission review", "err", err)
	}
}
