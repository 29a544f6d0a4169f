# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What live tests share: TAP, a real server, and commands to it. SERVER_KIND is "embedded", "mongod" or "ferretdb"; with
# "mongod" MONGOD says which, here and for `benchrun --local`. A live test says its plan first.
top=$(cd "${srcdir:-.}" && pwd)
mongod=${MONGOD:-}
# shellcheck source=tests/cli/tap.sh
. "$top/tests/cli/tap.sh"
# shellcheck source=tests/server/lib.sh
. "$top/tests/server/lib.sh"
trap 'server_stop; rm -rf "$scratch"' EXIT
trap 'exit 143' INT TERM HUP

: "${SERVER_KIND:=embedded}"
[ -z "$mongod" ] || export MONGOD="$mongod"
definitions=$top/testcases

# The server of this test, fresh.
server() {
    server_start "$SERVER_KIND" "$scratch/server" "$@" || { echo "Bail out! no $SERVER_KIND server${MONGOD:+ ($MONGOD)}"; exit 1; }
}

command_on() { # database, command
    "$builddir/tests/live/command" "${SERVER_ADMIN_URI:-$SERVER_URI}" "$1" "$2"
}

collections() { # database: their names, one a line
    command_on "$1" '{"listCollections": 1, "nameOnly": true}' | jq -r '.cursor.firstBatch[].name' | grep -v '^system[.]' | sort
}

count() { # database, collection
    command_on "$1" "{\"count\": \"$2\"}" | jq .n
}

# The jq expression is true of the result file.
result_says() { # expression, sentence
    jq -e "$1" result.json >/dev/null 2>&1
    ok $? "$2"
}
