# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# tap.sh for benchparse: source it instead.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:-.}/tests/cli/tap.sh"
export BENCHRUN_DATADIR="$srcdir"
# shellcheck disable=SC2034 # used by those who source it
results=$srcdir/tests/data/results

parse() { run_program "$builddir/benchparse" "$@"; }

is() { # file, expected text, sentence
    printf '%s' "$2" | cmp -s - "$1"
    ok $? "$3"
    printf '%s' "$2" | diff - "$1" | sed 's/^/# /'
}

# A gnuplot that is not the real one, first on PATH.
stand_in_gnuplot() { # shell text
    mkdir -p stand-in
    printf '#!/bin/sh\n%s\n' "$1" >stand-in/gnuplot
    chmod +x stand-in/gnuplot
}

needs_gnuplot() {
    if ! command -v gnuplot >/dev/null || ! gnuplot -e 'set terminal png' 2>/dev/null; then
        echo '1..0 # SKIP needs a gnuplot that draws PNG'
        exit 0
    fi
}
