/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/support.h"

#include <stddef.h>

/*
 * The codes of MongoDB's error_codes.yml, as its own versions and compatible servers use them for a request that is
 * right elsewhere. Not here, though they come in a set-up: 13 and 18 (rights), 11000 and 121 (the data), 48 and 85
 * (what is there already), 26 (what is not), 50 and 91 (time).
 */
static const int32_t missing[] = {
    2,     /* BadValue: an operator or a value that this version does not know, such as $jsonSchema before 3.6 */
    9,     /* FailedToParse: the same, found earlier */
    14,    /* TypeMismatch: a field that took another type in this version */
    20,    /* IllegalOperation: not on this kind of deployment */
    59,    /* CommandNotFound */
    67,    /* CannotCreateIndex: an index type or option that is not known */
    72,    /* InvalidOptions: of create */
    73,    /* InvalidNamespace: a name longer than this version takes */
    115,   /* CommandNotSupported */
    166,   /* CommandNotSupportedOnView */
    168,   /* InvalidPipelineOperator */
    197,   /* InvalidIndexSpecificationOption */
    238,   /* NotImplemented */
    303,   /* FeatureNotSupported, DocumentDB's word for it */
    323,   /* APIStrictError */
    352,   /* UnsupportedOpQueryCommand */
    8000,  /* AtlasError: what a hosted service keeps to itself */
    17381, /* a name longer than 120 bytes, as servers up to 4.2 refuse it */
    40324, /* unrecognised pipeline stage */
    40415, /* unknown field of a command */
};

bool support_is_missing(int32_t code)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        if (missing[i] == code)
            return true;
    }
    return false;
}
