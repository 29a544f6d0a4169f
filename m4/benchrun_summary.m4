dnl SPDX-License-Identifier: Apache-2.0
dnl What has been configured, after AC_OUTPUT; nothing with --quiet.
AC_DEFUN([BENCHRUN_VERSION_OF], [`$PKG_CONFIG --modversion $1 2>/dev/null || echo none`])

AC_DEFUN([BENCHRUN_SUMMARY], [
  benchrun_plots=`gnuplot --version 2>/dev/null || echo "no gnuplot: benchparse leaves its scripts undrawn"`
  benchrun_werror="no (--enable-werror)"
  AS_CASE(["$WARN_CFLAGS"], [*-Werror*], [benchrun_werror=yes])
  benchrun_coverage="make coverage"
  AS_IF([test "$enable_coverage" = no], [benchrun_coverage="no (--enable-coverage)"])
  dnl Such a name holds others, to be expanded.
  eval "benchrun_bindir=\"$bindir\" benchrun_datadir=\"$datadir/$PACKAGE\""
  eval "benchrun_bindir=\"$benchrun_bindir\" benchrun_datadir=\"$benchrun_datadir\""
  cat >&AS_MESSAGE_FD <<_BENCHRUN_EOF

$PACKAGE $VERSION
  compiler      $CC $CFLAGS
  libraries     libmongoc BENCHRUN_VERSION_OF([libmongoc-1.0]), libbson BENCHRUN_VERSION_OF([libbson-1.0]), OpenSSL BENCHRUN_VERSION_OF([libssl])
                jansson BENCHRUN_VERSION_OF([jansson]), PCRE2 BENCHRUN_VERSION_OF([libpcre2-8]), xxHash BENCHRUN_VERSION_OF([libxxhash])
  unit tests    cmocka BENCHRUN_VERSION_OF([cmocka])
  plots         $benchrun_plots
  -Werror       $benchrun_werror
  sanitizers    ${benchrun_sanitizers-none (--enable-sanitize)}
  coverage      $benchrun_coverage
  programs      $benchrun_bindir
  data folder   $benchrun_datadir
_BENCHRUN_EOF
])
