{{- define "argo-why.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "argo-why.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "argo-why.selector" -}}
app.kubernetes.io/name: {{ include "argo-why.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* The metadata of an object. Takes a list: the context, the name, the namespace ("" for none), annotations and, if there are any,
       labels. */}}
{{- define "argo-why.metadata" -}}
{{- $ := index . 0 -}}
name: {{ index . 1 }}
{{- with index . 2 }}
namespace: {{ . }}
{{- end }}
labels:
  helm.sh/chart: {{ printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
  {{- include "argo-why.selector" $ | nindent 2 }}
  app.kubernetes.io/version: {{ $.Chart.AppVersion | quote }}
  app.kubernetes.io/part-of: argo-why
  app.kubernetes.io/managed-by: {{ $.Release.Service }}
  {{- with merge (dict) (ternary (last .) dict (eq (len .) 5)) $.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (index . 3) $.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "argo-why.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "argo-why.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "argo-why.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}
{{- end }}

{{- /* Where the journal is: the namespace of the release, unless the configuration says otherwise. */}}
{{- define "argo-why.journalNamespace" -}}
{{ dig "journal" "namespace" "" .Values.config | default .Release.Namespace }}
{{- end }}

{{- /* The Leases by which replicas agree who leads, as a YAML list; internal/kube has their names. */}}
{{- define "argo-why.leases" -}}
{{- $names := list "argo-why" }}
{{- if eq (dig "journal" "leaders" "one" .Values.config) "per-argocd" }}
{{- range .Values.config.argocd }}
{{- $names = append $names (printf "argo-why-%s" .name) }}
{{- end }}
{{- end }}
{{ $names | toJson }}
{{- end }}

{{- /* The port in an address such as ":8080" of the configuration. Takes a list: the address, and its default. */}}
{{- define "argo-why.port" -}}
{{ regexFind "[0-9]+$" (default (index . 1) (index . 0)) }}
{{- end }}

{{- define "argo-why.webhookPort" -}}
{{ include "argo-why.port" (list (dig "http" "listen" "" .Values.config) ":8080") }}
{{- end }}

{{- define "argo-why.metricsPort" -}}
{{ include "argo-why.port" (list (dig "http" "metrics" "" .Values.config) ":9090") }}
{{- end }}

{{- /* The roleRef and the subjects of a binding. Takes a list: the context, the kind of the role, its name. */}}
{{- define "argo-why.binds" -}}
{{- $ := index . 0 -}}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ index . 1 }}
  name: {{ index . 2 }}
subjects:
  - kind: ServiceAccount
    namespace: {{ $.Release.Namespace }}
    name: {{ include "argo-why.serviceAccountName" $ }}
{{- end }}

{{- /* A role with its binding, in each of some namespaces, or in the whole cluster if there are none. Takes a dict: context, name, says, file
       (its rules, in files/rules), namespaces. */}}
{{- define "argo-why.role" -}}
{{- $ := .context }}
{{- $scope := ternary "" "Cluster" (not (empty .namespaces)) }}
{{- $name := printf "%s-%s" (include "argo-why.fullname" $) .name }}
{{- $rules := $.Files.Get (printf "files/rules/%s.yaml" .name) | required (printf "the chart has no file for role %s" .name) }}
{{- $says := .says }}
{{- range .namespaces | default (list "") }}
---
# {{ $says }}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $scope }}Role
metadata:
  {{- include "argo-why.metadata" (list $ $name . dict) | nindent 2 }}
rules:
  {{- $rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $scope }}RoleBinding
metadata:
  {{- include "argo-why.metadata" (list $ $name . dict) | nindent 2 }}
{{ include "argo-why.binds" (list $ (printf "%sRole" $scope) $name) }}
{{- end }}
{{- end }}
