# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of quickstart, runtests and tools/fetch-server: a copy of these scripts in a tree without
# sources, and a PATH that holds only what is put there. Stand-ins write their calls to $work/calls. TAP is tap.sh's.

# shellcheck source=tests/cli/tap.sh
. "${srcdir:-.}/tests/cli/tap.sh"
source_folder=$(realpath "$srcdir")
work=$scratch
bin=$work/bin tree="$work/a tree, with ä blank"
real_python=$(python3 -c 'import sys; print(sys.executable)')
# shellcheck disable=SC2034 # packages.sh reads them
declared=$(program=stand-ins source=$source_folder && . "$source_folder/tools/packages.sh" &&
    programs_of build fetch plots tests)

new_tree() {
    rm -rf "$bin" "$tree" "$work/cache" "$work/calls"
    mkdir -p "$bin" "$tree/tools" "$tree/testcases" "$work/cache"
    : >"$work/calls"
    cp "$source_folder/quickstart" "$source_folder/runtests" "$tree"
    cp "$source_folder/tools/fetch-server" "$source_folder/tools/packages.sh" "$source_folder/tools/secantusdb.txt" \
        "$tree/tools"
    : >"$tree/testcases/simple_insert.json"
    chmod -R u+w "$tree" # the copies of a read-only source are read-only
    for tool in awk basename cat chmod cp cut dirname env find grep ln mkdir mktemp mv nproc realpath rm sed \
        sha256sum sh sort tail tr; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
    for tool in $declared; do
        stand_in "$tool" ''
    done
    ln -sf "$real_python" "$bin/python3"
    stand_in id 'echo 1000'
    stand_in locale 'echo UTF-8'
    stand_in autoreconf "printf '#!/bin/sh\n: >config.status\n' >configure; chmod +x configure"
    stand_in make "$make_program"
    stand_in pip 'echo "no network" >&2; exit 1'
}

# A make that builds a benchrun and a benchparse that note their arguments.
# shellcheck disable=SC2016
make_program='
    printf "#!/bin/sh\necho benchrun \"\$@\" >>\"$calls\"\nexit \${BENCHRUN_STATUS:-0}\n" >"$2/benchrun"
    printf "#!/bin/sh\necho benchparse \"\$@\" >>\"$calls\"\nexit \${BENCHPARSE_STATUS:-0}\n" >"$2/benchparse"
    chmod +x "$2/benchrun" "$2/benchparse"'

stand_in() { # name, what it does
    rm -f "$bin/$1"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\ncalls=%s\necho "%s $*" >>"$calls"\n%s\n' "$work/calls" "$1" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# A root, a sudo and an apt-get that "installs" what removed() has taken away.
removed() { rm -f "$bin/$1"; }

# Runs with the PATH of this tree; sets $status, output in $work/out and $work/err.
run_there() {
    env -i PATH="$bin" HOME="$work" XDG_CACHE_HOME="$work/cache" TMPDIR="$work" ${extra:+"$extra"} "$@" \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

# In every folder that cannot be built in, the script says so, and does nothing.
refuses_folders() { # script
    # shellcheck disable=SC1003 # a backslash
    for odd in '\' '"' '#' '$' '&' "'" '`' ':' '
'; do
        new_tree
        mv "$tree" "$work/a${odd}b"
        run_there "$work/a${odd}b/$1"
        rm -rf "$work/a${odd}b"
        [ "$status" = 1 ] && said "cannot build in $work/a" && [ ! -s "$work/calls" ] || return 1
    done
}

called() { grep -q "^$1" "$work/calls"; }
said() { grep -qF -e "$1" "$work/err" "$work/out"; }
