# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# Sourced by quickstart and runtests: what must be on the machine, how to find out without asking a package manager, and
# how to get it on Debian.

: "${program:?the name of the script that sources this}" "${source:?the source folder}"
export DEBIAN_FRONTEND=noninteractive # apt-get asks nothing

have() {
    command -v "$1" >/dev/null 2>&1
}

# Says why nothing can be built here. configure refuses some characters, and a PATH (the tests have one of the build
# folder) cannot hold a colon.
check_source() {
    case $source in
    *[\\\"\#\$\&\'\`:]* | *"
"*)
        say_unusable "configure and make take no folder whose path has a line break or one of \\ \" # \$ & ' \` : in it. Move this folder, or clone it elsewhere."
        ;;
    *) [ -w "$source" ] || say_unusable "this user cannot write there. Clone it into a folder of your own." ;;
    esac
}

say_unusable() { # reason and remedy
    printf '%s: cannot build in %s: %s\n' "$program" "$source" "$1" >&2
    return 1
}

# A program's name stays, a path no longer depends on the working folder.
absolute() {
    case $1 in
    */*) realpath -m -- "$1" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

make_mongod_absolute() {
    [ -n "${MONGOD:-}" ] || return 0
    MONGOD=$(absolute "$MONGOD")
    export MONGOD
}

# As a shell reads it.
quoted() {
    case $1 in
    *[!A-Za-z0-9_./-]*) printf "'%s'\n" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

have_header() {
    have cc && echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1
}

have_library() {
    have pkg-config && pkg-config --exists "$1" 2>/dev/null
}

have_pip() {
    have pip || have pip3 || python3 -m pip --version >/dev/null 2>&1
}

# Debian's Python has Debian's modules; another one that comes first on PATH does not.
have_python_module() {
    python=$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)
    "$python" -c "import $1" >/dev/null 2>&1
}

# What localedef makes locales of.
have_charmaps() {
    locale -m 2>/dev/null | grep -qx UTF-8
}

# Prints the package's name when the probe that follows it fails.
unless() {
    package=$1
    shift
    "$@" || echo "$package"
}

missing_for_build() {
    unless build-essential have cc
    unless build-essential have make
    unless autoconf have autoreconf
    unless automake have automake
    unless pkg-config have pkg-config
    unless libmongoc-dev have_library 'libmongoc-1.0 >= 1.23'
    unless libbson-dev have_library 'libbson-1.0 >= 1.23'
    unless libssl-dev have_library 'libssl >= 3.0'
    unless libjansson-dev have_library 'jansson >= 2.14'
    unless libpcre2-dev have_library libpcre2-8
    unless libxxhash-dev have_library libxxhash
    unless librandom123-dev have_header Random123/philox.h
}

missing_for_fetch() {
    unless python3 have python3
    unless python3-pip have_pip
}

missing_for_plots() {
    unless gnuplot-nox have gnuplot
}

missing_for_tests() {
    unless libcmocka-dev have_library cmocka
    unless locales have_charmaps
    unless git have git
    unless jq have jq
    unless gnuplot-nox have gnuplot
    unless mandoc have mandoc
    unless openssl have openssl
    unless python3 have python3
    unless python3-jsonschema have_python_module jsonschema
    unless shellcheck have shellcheck
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

missing_for() { # list...
    for list in "$@"; do "missing_for_$list"; done | sort -u | tr '\n' ' '
}

# The programs that the named lists make sure of, whether they are here or not.
programs_of() { # list...
    (
        # shellcheck disable=SC2317 # missing_for calls it
        unless() { [ "$2" != have ] || echo "$3"; }
        missing_for "$@"
    )
}

# Their packages.
packages_of() { # list...
    (
        # shellcheck disable=SC2317 # missing_for calls it
        unless() { echo "$1"; }
        missing_for "$@"
    )
}

# Installs what the named lists (build, fetch, plots, tests) lack; returns 1 after saying what to do. With nothing missing it
# calls neither apt nor the network.
install_missing() {
    packages=$(missing_for "$@")
    packages=${packages% }
    [ -n "$packages" ] || return 0
    line="apt-get update && apt-get install -y --no-install-recommends $packages"
    if ! have apt-get || { [ "$(id -u)" != 0 ] && ! have sudo; }; then
        echo "$program: packages are missing, and there is neither root nor sudo here to install them. Run as root:" >&2
        echo "$line" >&2
        return 1
    fi
    echo "$program: installing $packages" >&2
    # shellcheck disable=SC2086 # packages are words
    if ! { as_root apt-get update && as_root apt-get install -y --no-install-recommends $packages; } >&2; then
        echo "$program: the step 'install packages' failed (reason above; is there a network?). What it ran, for root:" >&2
        echo "$line" >&2
        return 1
    fi
    packages=$(missing_for "$@")
    [ -z "$packages" ] || {
        echo "$program: still missing after the installation: $packages" >&2
        return 1
    }
}

# Runs a step with its output in a file; a failure shows the file's end and names the step.
run_step() { # name, log file, command...
    step=$1 log=$2
    shift 2
    echo "$program: $step" >&2
    "$@" >"$log" 2>&1 </dev/null && return 0
    tail -n 40 "$log" >&2
    echo "$program: the step '$step' failed; all of its output: $log" >&2
    return 1
}

# Configures a folder of the source folder, from a fresh clone or again. configure takes no path with a blank in it for
# its source, but does take "..".
configure_folder() { # folder's name, configure's arguments...
    folder=$source/$1
    shift
    [ -x "$source/configure" ] || (cd "$source" && autoreconf -fi) || return 1
    mkdir -p "$folder" || return 1
    [ -f "$folder/config.status" ] || (cd "$folder" && ../configure "$@")
}

configure_and_make() { # folder's name, configure's arguments...
    configure_folder "$@" && make -C "$folder" -j"$(nproc)"
}
