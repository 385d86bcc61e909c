# The token of the bot's account in Argo CD, unless there is one, and the Secret with all tokens. Written by argo-why init; run it again after you
# changed a token. It changes what kubectl is connected to now.
set -eu
umask 077
cd "$(dirname "$0")"

if ! test -s tokens/argocd-token; then
  sh account.sh > tokens/argocd-token
fi
# The certificate of argocd-server: your own, else the one that Argo CD made. Delete the file and run this again after it has changed.
if ! test -s tokens/argocd.crt; then
  for from in 'argocd-server-tls ca.crt' 'argocd-server-tls tls.crt' 'argocd-secret tls.crt'; do
    kubectl -n argocd get secret "${from%% *}" --ignore-not-found \
      -o go-template="{{with index .data \"${from##* }\"}}{{base64decode .}}{{end}}" > tokens/argocd.crt
    if test -s tokens/argocd.crt; then break; fi
  done
fi
if ! test -s tokens/argocd.crt; then
  echo 'Neither argocd-server-tls nor argocd-secret in namespace argocd has a certificate: run argo-why init again with --argocd-tls' >&2
  exit 1
fi
kubectl create namespace argo-why --dry-run=client -o yaml | kubectl apply --server-side -f -
kubectl -n argo-why create secret generic argo-why --dry-run=client -o yaml \
  --from-file=tokens/slack-bot-token \
  --from-file=tokens/slack-app-token \
  --from-file=tokens/argocd-token \
  --from-file=tokens/argocd.crt |
  kubectl apply --server-side --force-conflicts -f -
