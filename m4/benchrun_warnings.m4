dnl SPDX-License-Identifier: Apache-2.0
dnl Adds to WARN_CFLAGS every warning flag that the compiler knows; --enable-werror makes them errors.
AC_DEFUN([BENCHRUN_TRY_CFLAG], [
  benchrun_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_MSG_CHECKING([whether $CC understands $1])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
    [AC_MSG_RESULT([yes]); WARN_CFLAGS="$WARN_CFLAGS $1"],
    [AC_MSG_RESULT([no])])
  CFLAGS=$benchrun_saved_CFLAGS
])

AC_DEFUN([BENCHRUN_WARNINGS], [
  WARN_CFLAGS=
  m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes
                        -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wlogical-op -Wduplicated-cond -Wnull-dereference],
    [BENCHRUN_TRY_CFLAG([flag])])
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make compiler warnings errors])],
    [AS_IF([test "$enableval" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])])
  AC_SUBST([WARN_CFLAGS])
])
