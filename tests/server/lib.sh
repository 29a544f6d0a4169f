# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the live tests: starts and stops throw-away servers on loopback.
#
#   server_start KIND DIR [ARG...]   KIND is mongod, embedded or ferretdb; sets SERVER_PID, SERVER_PORT, SERVER_URI
#   server_stop                      ends the one that server_start has started; also done at exit
#
# The embedded server is looked for where tools/fetch-server puts it, FerretDB where tools/fetch-ferretdb does, mongod in
# MONGOD and on PATH.

SERVER_PID=

server_binary() {
    case $1 in
    mongod) command -v "${MONGOD:-mongod}" ;;
    embedded)
        local cache=${XDG_CACHE_HOME:-$HOME/.cache}/benchrun binary
        for binary in "$cache"/secantusdb-*/secantusdb.scripts/secantusd-rs; do
            [ -x "$binary" ] && echo "$binary" && return 0
        done
        return 1
        ;;
    ferretdb)
        local program
        for program in "${XDG_CACHE_HOME:-$HOME/.cache}"/benchrun/ferretdb-*/ferretdb; do
            [ -x "$program" ] && echo "$program" && return 0
        done
        return 1
        ;;
    esac
}

server_free_port() {
    python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

server_accepts() { # port
    (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

server_wait_for_port() { # PORT FILE: until somebody listens there; the file is the server's log
    local tries=0
    until server_accepts "$1"; do
        tries=$((tries + 1))
        if [ $tries -gt 300 ] || ! kill -0 "$SERVER_PID" 2>/dev/null; then
            echo "Bail out! the server did not come up: $(tail -n 3 "$2")"
            return 1
        fi
        sleep 0.1
    done
}

server_wait() { # PATTERN FILE: until the file holds it
    local tries=0
    until grep -q "$1" "$2" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 300 ] || ! kill -0 "$SERVER_PID" 2>/dev/null; then
            echo "Bail out! the server did not come up: $(tail -n 3 "$2")"
            return 1
        fi
        sleep 0.1
    done
}

server_start() {
    local kind=$1 dir=$2 binary
    shift 2
    binary=$(server_binary "$kind") || return 1
    mkdir -p "$dir/data"
    : >"$dir/empty.toml"
    : >"$dir/log" # what the server before this one has said must not be taken for its word
    case $kind in
    embedded)
        "$binary" --config "$dir/empty.toml" --host 127.0.0.1 --port 0 --storage-path "$dir/data" \
            --log-file-max 128MB --cache-size 256M "$@" >"$dir/log" 2>&1 &
        SERVER_PID=$!
        server_wait 'listening on 127[.]0[.]0[.]1:[0-9]' "$dir/log" || return 1
        SERVER_PORT=$(sed -n 's/.*listening on 127\.0\.0\.1:\([0-9]*\).*/\1/p' "$dir/log" | tail -n 1)
        ;;
    mongod)
        SERVER_PORT=$(server_free_port)
        "$binary" --bind_ip 127.0.0.1 --port "$SERVER_PORT" --dbpath "$dir/data" "$@" >"$dir/log" 2>&1 &
        SERVER_PID=$!
        server_wait '[Ww]aiting for connections' "$dir/log" || return 1
        ;;
    ferretdb)
        SERVER_PORT=$(server_free_port)
        "$binary" --handler=sqlite --sqlite-url="file:$dir/data/" --state-dir="$dir/data" \
            --listen-addr="127.0.0.1:$SERVER_PORT" --debug-addr=- --telemetry=disable --log-level=ERROR \
            --repl-set-name=rs0 "$@" >"$dir/log" 2>&1 &
        SERVER_PID=$!
        server_wait_for_port "$SERVER_PORT" "$dir/log" || return 1
        ;;
    esac
    SERVER_URI=mongodb://127.0.0.1:$SERVER_PORT
}

server_stop() {
    [ -n "$SERVER_PID" ] || return 0
    kill "$SERVER_PID" 2>/dev/null
    wait "$SERVER_PID" 2>/dev/null
    SERVER_PID=
}
