# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# TAP for tests in shell: source it, call ok, check, run and friends, end with done_testing.
srcdir=$(cd "${srcdir:-.}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
BENCHRUN=$builddir/benchrun
n=0
failed=0

# A scratch folder, gone at the end.
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99

# What a developer has set must not decide a test.
unset MONGODB_URI MONGODB_PASSWORD MONGOD BENCHRUN_DATADIR ARGP_HELP_FMT

ok() { # status, sentence
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        failed=1
        echo "not ok $n - $2"
    fi
}

# What a command prints, and what programs printed before, is shown when the command does not succeed.
check() { # sentence, command...
    sentence=$1
    shift
    if "$@" >"$scratch/said" 2>&1; then
        ok 0 "$sentence"
    else
        ok 1 "$sentence"
        echo "# failed: $*"
        cat "$scratch/said" calls out err 2>/dev/null | sed 's/^/# /'
    fi
}
not() { ! "$@"; }

# Runs a program with no terminal; what it printed is in out and err, its exit code in status.
run_program() {
    status=0
    "$@" </dev/null >out 2>err || status=$?
}

run() { # benchrun's words
    run_program "$BENCHRUN" "$@"
}

exits() { # expected, sentence
    [ "$status" -eq "$1" ]
    ok $? "$2"
    [ "$status" -eq "$1" ] || { echo "# exit code $status, expected $1"; sed 's/^/# /' err; }
}

holds() { # file, text, sentence
    grep -qF -- "$2" "$1"
    ok $? "$3"
    grep -qF -- "$2" "$1" || { echo "# $1 does not hold: $2"; sed 's/^/# /' "$1"; }
}

is_empty() { # file, sentence
    [ ! -s "$1" ]
    ok $? "$2"
    [ ! -s "$1" ] || sed 's/^/# /' "$1"
}

# Said first where a test may have to stop early: what it did not come to is then known.
plan() { # how many tests there will be
    planned=$1
    echo "1..$planned"
}

done_testing() {
    if [ -z "${planned:-}" ]; then
        echo "1..$n"
    elif [ "$n" -ne "$planned" ]; then
        echo "# $n tests ran, $planned were planned"
        failed=1
    fi
    exit "$failed"
}
