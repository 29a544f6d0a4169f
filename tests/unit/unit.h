/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

/* What cmocka wants to be included before it. Test names are sentences: NAMED_TEST(function, "what holds"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NAMED_TEST(function, sentence)                                                                                 \
    {                                                                                                                  \
        (sentence), (function), NULL, NULL, NULL                                                                       \
    }

#endif
