# The steps of which `run` and `fix` are made. $NAME is the scenario, and with it the first of its applications and their
# directory in Git. A step that waits fails when it waited in vain.
. "$LAB_DIR/env"
STATE=$LAB_DIR/state

argocd_api() { # METHOD PATH [BODY]
  curl -sS -X "$1" -H "Authorization: Bearer $ARGOCD_AUTH_TOKEN" -H "Content-Type: application/json" \
    "http://$ARGOCD_SERVER/api/v1/$2" ${3:+-d "$3"}
}

# --- Git

in_git() ( # COMMAND...: in the working copy, and nobody else is in it; then it is pushed
  exec 9>"$STATE/git.lock"
  flock 9
  cd "$GIT_WORK"
  "$@"
  git add -A
  git commit -q --allow-empty -m "$NAME"
  git push -q origin HEAD
)

commit() { # PATH DIRECTORY: from now on Git has the files of that directory at that path; @NAME@ in them is the scenario
  in_git replace "$1" "$PWD/$2"
}
replace() {
  rm -rf "./$1"
  cp -r "$2" "./$1"
  find "./$1" -type f -exec sed -i "s|@NAME@|$NAME|g; s|@GIT_URL@|$GIT_URL|g; s|@CHARTS_URL@|$CHARTS_URL|g" {} +
}

edit() { # FILE SED: a change of one file in Git
  in_git sed -i "$2" "$1"
}

well_behaved() { # FILE: its pods are well from now on
  edit "$1" 's/, lab.io.behave: [a-z]*//; /^ *lab.io.behave: /d'
}

publish() { # DIRECTORY: as a chart, in the Helm repository @CHARTS_URL@/NAME
  mkdir -p "$STATE/charts/$NAME"
  helm package "$1" --destination "$STATE/charts/$NAME"
  helm repo index "$STATE/charts/$NAME"
}

# --- applications

start_over() { # APPLICATION...: they are not there, and the namespace of each, s-APPLICATION, is empty
  local app
  remove_apps "$@"
  for app in "$@"; do
    # A hook that was running keeps its finalizer when its application is gone: nobody is left to remove it.
    kubectl -n "s-$app" get jobs -o name | xargs -r -n 1 kubectl -n "s-$app" patch --type merge -p '{"metadata": {"finalizers": null}}'
    kubectl delete namespace "s-$app" --ignore-not-found --timeout 300s
    kubectl create namespace "s-$app"
    pod_logs "s-$app" <(echo started)
  done
}

remove_apps() { # APPLICATION...: without what they own
  local app
  for app in "$@"; do
    kubectl -n argocd get application "$app" -o name --ignore-not-found | grep -q . || continue
    kubectl -n argocd patch application "$app" --type merge -p '{"metadata": {"finalizers": null}, "operation": null}'
    kubectl -n argocd delete application "$app" --timeout 300s
  done
}

create_app() { # NAME PATH [JQ]: the last changes the Application before it is created
  jq -n --arg name "$1" --arg path "$2" --arg namespace "s-$1" --arg url "$GIT_URL" '{
    apiVersion: "argoproj.io/v1alpha1", kind: "Application", metadata: {name: $name, namespace: "argocd"},
    spec: {project: "default", source: {repoURL: $url, targetRevision: "main", path: $path},
      destination: {server: "https://kubernetes.default.svc", namespace: $namespace}}}' | jq "${3:-.}" | kubectl apply -f -
}

patch_app() { # NAME JSON
  kubectl -n argocd patch application "$1" --type merge -p "$2"
}

refresh() { # NAME: and wait until it is done
  kubectl -n argocd annotate application "$1" argocd.argoproj.io/refresh=hard --overwrite
  await "$1" '.metadata.annotations["argocd.argoproj.io/refresh"] == null and .status.reconciledAt != null'
}

sync() { # NAME [BODY]: as a person does, and wait for its end and for the look that Argo CD takes afterwards
  start_sync "$@"
  await "$1" '.operation == null and (.status.operationState.phase | IN("Succeeded", "Failed", "Error"))
    and .status.reconciledAt >= .status.operationState.finishedAt'
}

start_sync() { # NAME [BODY]: auto-sync may be faster; then ours comes after it
  local answer i
  for ((i = 0; i < 300; i++)); do
    answer=$(argocd_api POST "applications/$1/sync" "${2:-"{}"}")
    if ! jq -e '.message // "" | test("another operation is already in progress")' <<<"$answer" >/dev/null; then break; fi
    sleep 1
  done
  jq -er 'if .metadata.name then "sync of \(.metadata.name)" else error(.message) end' <<<"$answer"
}

terminate() { # NAME: ends the running sync; again if Argo CD wrote its own state at the same moment, which loses the request
  local i
  for ((i = 0; i < 60; i++)); do
    argocd_api DELETE "applications/$1/operation"
    if holds_soon "$1" '.operation == null and (.status.operationState.phase | IN("Running", "Terminating") | not)' 5; then return; fi
  done
  return 1
}

backdate() { # NAME MINUTES: its operation began that much earlier; again if Argo CD wrote its own state at the same moment
  local at
  at=$(date -u -d "-$2 min" +%FT%TZ)
  until [[ $(kubectl -n argocd get application "$1" -o jsonpath='{.status.operationState.startedAt}') == "$at" ]]; do
    patch_app "$1" '{"status": {"operationState": {"startedAt": "'"$at"'"}}}'
    refresh "$1"
  done
}

backdate_health() { # NAME MINUTES: its health has been what it is for so long
  patch_app "$1" '{"status": {"health": {"lastTransitionTime": "'"$(date -u -d "-$2 min" +%FT%TZ)"'"}}}'
}

status() { # NAMESPACE KIND/NAME STATUS: what its controller would write
  kubectl -n "$1" patch "${2%/*}" "${2#*/}" --subresource status --type merge --field-manager controller -p "{\"status\": $3}"
}

# --- waiting

await() { # NAME JQ: until that is true of the Application; in vain after five minutes, which only a step that will never come to an end takes
  if holds_soon "$1" "$2" 300; then return; fi
  echo "$1: waited in vain for $2"
  kubectl -n argocd get application "$1" -o json |
    jq '{sync: .status.sync.status, health: .status.health, operation: .status.operationState, conditions: .status.conditions}'
  return 1
}
holds_soon() { # NAME JQ SECONDS: within those, that is true of the Application
  local end=$((SECONDS + $3)) watch watching
  while ((SECONDS < end)); do # a watch needs an application that is there, and ends now and then
    exec {watch}< <(exec timeout $((end - SECONDS)) kubectl -n argocd get application "$1" -o json --watch 2>/dev/null)
    watching=$!
    if read -r _ < <(jq --unbuffered "select(try ($2) catch false) | true" <&$watch); then
      kill $watching 2>/dev/null || true
      exec {watch}<&-
      return
    fi
    exec {watch}<&-
    sleep 0.5
  done
  return 1
}
forgotten() { # APPLICATION KIND NAME: Argo CD has seen that this is gone; a hook that is made before that has the end of the old one
  local i
  for ((i = 0; i < 300; i++)); do
    if argocd_api GET "applications/$1/resource-tree" | jq -e "all(.nodes[]?; .kind != \"$2\" or .name != \"$3\")" >/dev/null; then return; fi
    sleep 1
  done
  return 1
}
await_sync_status() { await "$1" ".status.sync.status == \"$2\""; }
await_health() { await "$1" ".status.health.status == \"$2\""; }
await_condition() { await "$1" "any(.status.conditions[]?; .type == \"$2\")"; }
await_well() { await "$1" '.status.sync.status == "Synced" and .status.health.status == "Healthy"'; }

await_settled() { # NAME: well, and so was its last sync; Argo CD has looked again
  refresh "$1"
  await "$1" '.status.sync.status == "Synced" and .status.health.status == "Healthy" and .operation == null
    and ((.status.operationState.phase // "Succeeded") == "Succeeded") and ((.status.conditions // []) == [])'
}

recover() { # NAME: take what Git has now
  refresh "$1"
  sync "$1"
  await_well "$1"
}

pod_logs() { # NAMESPACE FILE: what every container of that namespace has written
  local log=$STATE/podlogs/$1.log line
  while IFS= read -r line; do printf '%s stdout F %s\n' "$(date -u +%FT%T.%NZ)" "$line"; done <"$2" >"$log"
  kubectl apply -f - <<X
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata: {name: $1}
spec:
  selector: {matchNamespaces: [$1]}
  logs: [{logsFile: $log, previousLogsFile: $log}]
X
}

# --- further clusters: this one under another URL, with the rights of one service account

cluster_url() { # NUMBER: as many zeros before the port, so that Argo CD takes it for another one
  kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}' | sed "s/:\([0-9]*\)$/:$(printf '%0*d' "$1" 0)\1/"
}

register_cluster() { # NAME URL: with the service account of that name in namespace argocd, if there is one
  local token config
  token=$(kubectl -n argocd create token "$1" --duration 24h || echo none)
  config=$(jq -nc --arg token "$token" --arg ca "$(base64 -w0 "$STATE/pki/ca.crt")" '{bearerToken: $token, tlsClientConfig: {caData: $ca}}')
  kubectl -n argocd create secret generic "cluster-$1" --dry-run=client -o json --from-literal=name="$1" --from-literal=server="$2" \
    --from-literal=config="$config" | jq '.metadata.labels = {"argocd.argoproj.io/secret-type": "cluster"}' | kubectl apply -f -
}
