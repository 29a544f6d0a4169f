/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERDICTS_H
#define PARSE_VERDICTS_H

#include "parse/compare.h"
#include "parse/pairing.h"
#include "parse/side.h"

/* What benchcompare says of the rates of each deployment against the first, at its defaults. */
struct verdicts {
    size_t deployments;
    struct side *sides;
    struct comparison *comparisons;    /* of the first with the second, the third, ... */
    const struct compare_case **cases; /* a row of `deployments` for each row of the pairing; NULL: none */
};

/* The pairing's dataset must outlive them. */
void verdicts_make(struct verdicts *verdicts, const struct pairing *pairing);
void verdicts_release(struct verdicts *verdicts);
/* By what factor a cell's rate exceeds that of the first deployment, and the interval; all NAN where it is not known.
 */
struct ratio_interval verdicts_interval(const struct verdicts *verdicts, size_t row, size_t deployment,
                                        unsigned threads);
/* "faster", "these runs differ: B faster", ...; NULL for the first deployment and where one of the two does not have
 * the test. */
const char *verdicts_name(const struct verdicts *verdicts, size_t row, size_t deployment);
/* "1.098 (1.08 to 1.12)": by what factor the rates of the test case exceed those of the first deployment, and the
 * interval of that where there is one; the caller frees. NULL as above. */
char *verdicts_ratio_words(const struct verdicts *verdicts, size_t row, size_t deployment);
/* With what belongs to it: "too few trials (4 more would do in this table)"; the caller frees. NULL as above. */
char *verdicts_words(const struct verdicts *verdicts, size_t row, size_t deployment);

/* What they are, for the head of a report; the caller frees. */
char *verdicts_explain(const struct verdicts *verdicts);

#endif
