/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VERSION_H
#define VERSION_H

#include <stdio.h>

/* --version: the program's version on the first line, then those of the libraries that it runs with. */
void version_print(FILE *out);

#endif
