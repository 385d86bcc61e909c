# The token of the bot's account in Argo CD, unless there is one, and the Secret with all tokens. Written by argo-why init; run it again after you
# changed a token. It changes what kubectl is connected to now.
set -eu
umask 077
cd "$(dirname "$0")"

if ! test -s tokens/argocd-token; then
  sh account.sh > tokens/argocd-token
fi
kubectl create namespace argo-why --dry-run=client -o yaml | kubectl apply --server-side -f -
kubectl -n argo-why create secret generic argo-why --dry-run=client -o yaml \
  --from-file=tokens/slack-bot-token \
  --from-file=tokens/slack-app-token \
  --from-file=tokens/argocd-token |
  kubectl apply --server-side --force-conflicts -f -
