# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Null servers for command-line tests: sourced after tap.sh. What it starts ends with the test.
null_pids=()
end_servers() {
    [ ${#null_pids[@]} -eq 0 ] || kill "${null_pids[@]}" 2>/dev/null
    [ ${#null_pids[@]} -eq 0 ] || wait "${null_pids[@]}" 2>/dev/null
    null_pids=()
}
trap 'end_servers; rm -rf "$scratch"' EXIT

start() { # program and its words: $pid, and in $said the first line that it prints
    : >said
    "$@" >said 2>said.err &
    pid=$!
    null_pids+=("$pid")
    local tries=0
    until [ -s said ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] && kill -0 "$pid" 2>/dev/null || { echo "Bail out! $1: $(cat said.err)"; exit 1; }
        sleep 0.05
    done
    said=$(head -n 1 said)
}

null_server() { # its words: $pid and $address
    start "$builddir/nullserver" "$@"
    address=$said
}

free_ports() { # how many
    python3 -c 'import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*[s.getsockname()[1] for s in sockets])' "$1"
}

measure() { # more words
    run_program timeout -k 5 60 "$BENCHRUN" -f "$srcdir/testcases/simple_insert.json" --includeFilter Insert.Empty -t 1 \
        --trialTime 0.1 --out result.json "$@"
}
