dnl SPDX-License-Identifier: Apache-2.0
dnl --enable-sanitize=address,undefined or thread: compile and link with these sanitizers.
AC_DEFUN([BENCHRUN_SANITIZE], [
  AC_ARG_ENABLE([sanitize],
    [AS_HELP_STRING([--enable-sanitize=LIST], [build with sanitizers: address,undefined or thread])],
    [AS_IF([test "$enableval" != no],
      [benchrun_sanitizers=$enableval
       SANITIZE_CFLAGS="-fsanitize=$enableval -fno-omit-frame-pointer -fno-sanitize-recover=all"])])
  AC_SUBST([SANITIZE_CFLAGS])
])
