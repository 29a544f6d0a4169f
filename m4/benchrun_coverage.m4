dnl SPDX-License-Identifier: Apache-2.0
dnl --enable-coverage: count which lines run; `make coverage` shows how many, by folder.
AC_DEFUN([BENCHRUN_COVERAGE], [
  AC_ARG_ENABLE([coverage],
    [AS_HELP_STRING([--enable-coverage], [count which lines the tests run, for make coverage (gcc's gcov)])],
    [], [enable_coverage=no])
  AS_IF([test "$enable_coverage" != no],
    [COVERAGE_CFLAGS="--coverage -fprofile-update=atomic"; CFLAGS="$CFLAGS -O0"])
  AC_SUBST([COVERAGE_CFLAGS])
])
