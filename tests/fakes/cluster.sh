# cluster.sh - a real Slurm on this machine, for tests: a controller and two nodes of two processors each, which are
# processes of this user's in a folder of their own; the second has what is called a GPU there (partition cards). Sourced after tests/lib.sh.
#
# CLUSTER_PINNED=N: nodes of one processor, the N-th and the one after it (from 0), and bound to it.
#
#   cluster_why               why there can be none here, or nothing
#   cluster_start             brings it up; SLURM_CONF leads Slurm's commands to it. It ends with the script
#   controller_die, controller_live, node_die N, node_live N      at once, as when the power fails, and back again
#   nodes_ready               all nodes can take jobs
# shellcheck shell=sh
cluster=$work/slurm

cluster_why() {
    for _program in slurmctld slurmd munged sbatch squeue scancel sinfo; do
        PATH=$PATH:/usr/sbin command -v $_program >/dev/null || { echo "there is no $_program (.ci/setup cluster)"; return; }
    done
    # a node is a process tree that can be killed as a whole
    unshare --pid --fork --kill-child --mount-proc true 2>/dev/null || echo "no namespaces of processes, which the nodes are"
}

controller_live() {
    slurmctld -D >"$cluster/controller.said" 2>&1 &
    controller=$!
}
controller_die() { kill -KILL "$controller"; wait "$controller" 2>/dev/null; }
node_live() {
    ${CLUSTER_PINNED:+taskset -c $((${CLUSTER_PINNED:-0} + $1 - 1))} unshare --pid --fork --kill-child --mount-proc slurmd -D -N "n$1" >"$cluster/n$1.said" 2>&1 &
    eval "node_$1=\$!"
}
node_die() {
    eval "kill -KILL \$node_$1; wait \$node_$1" 2>/dev/null
}
nodes_ready() { [ "$(sinfo --noheader --Node --partition main --format %T 2>/dev/null | grep -cE '^(idle|mixed|allocated)$')" -eq 2 ]; }

cluster_stop() {
    scancel --quiet --user "$(id -u)" 2>/dev/null
    node_die 1
    node_die 2
    controller_die
    kill "$munge" 2>/dev/null
    wait "$munge" 2>/dev/null
}

cluster_start() {
    PATH=$PATH:/usr/sbin
    mkdir -p "$cluster/state" && chmod 755 "$work" "$cluster" || return 1
    head -c 1024 /dev/urandom >"$cluster/key" && chmod 600 "$cluster/key"
    cpus=${CLUSTER_PINNED:+1}
    me=$(id -un) port=$((20000 + $$ % 13000 * 3))
    cat >"$cluster/slurm.conf" <<END
ClusterName=threelane
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster/munge.socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool-%n
SlurmctldPidFile=$cluster/controller.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/controller.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MessageTimeout=5
BatchStartTimeout=2
SlurmdTimeout=10
SlurmctldTimeout=5
KillWait=2
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=${cpus:-2}
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=${cpus:-2} Gres=gpu:1
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
PartitionName=cards Nodes=n2 MaxTime=INFINITE State=UP
GresTypes=gpu
END
    echo 'NodeName=n2 Name=gpu File=/dev/zero' >"$cluster/gres.conf"
    export SLURM_CONF="$cluster/slurm.conf"
    munged --foreground --force --key-file="$cluster/key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munge.pid" --log-file="$cluster/munge.log" --seed-file="$cluster/seed" >"$cluster/munge.said" 2>&1 &
    munge=$!
    soon [ -S "$cluster/munge.socket" ] || return 1
    controller_live
    node_live 1
    node_live 2
    trap 'cluster_stop; umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
    _patience=$patience
    patience=60
    soon nodes_ready
    set -- $?
    patience=$_patience
    return "$1"
}
