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

# Below those that the system gives to whoever connects: one of them may be taken before its server is there.
free_ports() { # how many
    python3 -c 'import random, socket, sys
ports = []
while len(ports) < int(sys.argv[1]):
    port = random.randrange(15000, 32000)
    with socket.socket() as s:
        if port not in ports and s.connect_ex(("127.0.0.1", port)) != 0:
            ports.append(port)
print(*ports)' "$1"
}

measure() { # more words
    run_program timeout -k 5 60 "$BENCHRUN" -f "$srcdir/testcases/simple_insert.json" --includeFilter Insert.Empty -t 1 \
        --trialTime 0.1 --out result.json "$@"
}
