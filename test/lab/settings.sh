# Where the lab is and on which ports: sourced by the other scripts, with what starts and stops its processes.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB_DIR=${LAB_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/argo-why-lab}
BIN=$LAB_DIR/bin          # what was built; stays
STATE=$LAB_DIR/state      # everything else; `up` begins with an empty one
LOG=$STATE/log RUN=$STATE/run PKI=$STATE/pki ETC=$STATE/etc

# Sixteen ports in a row, all on 127.0.0.1, below those that the kernel hands out to clients; the last is for a bot.
LAB_PORT=${LAB_PORT:-21000}
P_API=$((LAB_PORT)) P_ARGOCD=$((LAB_PORT + 1)) P_GIT=$((LAB_PORT + 2)) P_ADMISSION=$((LAB_PORT + 3))
P_ETCD=$((LAB_PORT + 4)) P_ETCD_PEER=$((LAB_PORT + 5)) P_CONTROLLERS=$((LAB_PORT + 6)) P_SCHEDULER=$((LAB_PORT + 7))
P_KWOK=$((LAB_PORT + 8)) P_REDIS=$((LAB_PORT + 9)) P_REPO=$((LAB_PORT + 10))
P_METRICS_APPS=$((LAB_PORT + 11)) P_METRICS_SERVER=$((LAB_PORT + 12)) P_METRICS_REPO=$((LAB_PORT + 13))
P_METRICS_NOTIFICATIONS=$((LAB_PORT + 14)) P_BOT=$((LAB_PORT + 15))

# Which Argo CD: 2 or 3. Each has a module of its own, and its program and Helm are beside those of the other.
ARGOCD_MAJOR=${ARGOCD_MAJOR:-2}
case $ARGOCD_MAJOR in
2) ARGOCD_MODULE=argocd ARGOCD_BIN=$BIN ;;
3) ARGOCD_MODULE=argocd3 ARGOCD_BIN=$BIN/argocd3 ;;
*) echo "ARGOCD_MAJOR is $ARGOCD_MAJOR: the lab has Argo CD 2 and 3" >&2 && exit 1 ;;
esac
ARGOCD=github.com/argoproj/argo-cd/v$ARGOCD_MAJOR
export PATH=$ARGOCD_BIN:$BIN:$PATH

say() { printf '%(%H:%M:%S)T %s\n' -1 "$*" >&2; }
die() { say "$*"; exit 1; }

born() { # PID: when that process began, in ticks since boot: a number that is used again has another
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- ${stat##*) } # the command before it may hold spaces
  echo "${20}"
}

start() { # NAME COMMAND...: in the background, in a session of its own, with a log
  local name=$1
  shift
  (cd "$STATE" && exec setsid "$@" </dev/null >"$LOG/$name.log" 2>&1) &
  echo "$! $(born $!)" >"$RUN/$name.pid"
}

alive() { # NAME: the process that was started still runs
  local pid at
  read -r pid at <"$RUN/$1.pid" 2>/dev/null && [[ -n $at && $(born "$pid") == "$at" ]]
}

stop() { # NAME: ask it to end, and after five seconds do not ask any more
  local pid i
  if alive "$1"; then
    read -r pid _ <"$RUN/$1.pid"
    kill "$pid" 2>/dev/null || true
    for ((i = 0; i < 50; i++)); do
      alive "$1" || break
      sleep 0.1
    done
    if alive "$1"; then kill -9 "$pid" 2>/dev/null || true; fi
  fi
  rm -f "$RUN/$1.pid"
}

wait_for() { # SECONDS WHAT COMMAND...: until the command succeeds
  local seconds=$1 what=$2 i
  shift 2
  for ((i = 0; i < seconds * 4; i++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.25
  done
  die "$what is not there after $seconds s; logs: $LOG"
}
