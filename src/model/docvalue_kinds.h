/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DOCVALUE_KINDS_H
#define MODEL_DOCVALUE_KINDS_H

#include "model/docvalue.h"

/* One kind of generator. `compile` gets the operator's argument, which operator.h has checked; what it leaves in the
 * value, `release` frees (NULL: nothing but children). `append` is as docvalue_append(). */
struct docvalue_kind {
    void (*compile)(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope);
    bool (*append)(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                   struct error *err);
    void (*release)(struct docvalue *value);
};

extern const struct docvalue_kind docvalue_kind_constant;     /* docvalue.c */
extern const struct docvalue_kind docvalue_kind_document;     /* docvalue.c */
extern const struct docvalue_kind docvalue_kind_list;         /* docvalue.c */
extern const struct docvalue_kind docvalue_kind_index;        /* docvalue_index.c */
extern const struct docvalue_kind docvalue_kind_rand_int;     /* docvalue_random.c */
extern const struct docvalue_kind docvalue_kind_rand_double;  /* docvalue_random.c */
extern const struct docvalue_kind docvalue_kind_shuffled_int; /* docvalue_random.c */
extern const struct docvalue_kind docvalue_kind_rand_string;  /* docvalue_text.c */
extern const struct docvalue_kind docvalue_kind_concat;       /* docvalue_text.c */
extern const struct docvalue_kind docvalue_kind_pad;          /* docvalue_text.c */
extern const struct docvalue_kind docvalue_kind_oid;          /* docvalue_identity.c */
extern const struct docvalue_kind docvalue_kind_cur_date;     /* docvalue_identity.c */
extern const struct docvalue_kind docvalue_kind_cycle;        /* docvalue_list.c */
extern const struct docvalue_kind docvalue_kind_array;        /* docvalue_list.c */

#endif
