/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/people_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void group_thousands(double value, char text[PEOPLE_NUMBER_SIZE])
{
    char digits[PEOPLE_NUMBER_SIZE];
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
}

void people_number(double value, char text[PEOPLE_NUMBER_SIZE])
{
    if (!isfinite(value) || value < 0)
        strcpy(text, "-");
    else if (value >= 1e15)
        snprintf(text, PEOPLE_NUMBER_SIZE, "%.3g", value);
    else if (value >= 99.95 || value == floor(value))
        group_thousands(value, text);
    else
        snprintf(text, PEOPLE_NUMBER_SIZE, "%.*f",
                 value >= 9.995     ? 1
                 : value >= 0.9995  ? 2
                 : value >= 0.09995 ? 3
                                    : 4,
                 value);
}
