/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

/* What benchrun's exit status says. --help prints the meanings; benchrun(1) has meanings and causes in the same words.
 */
enum exit_code { EXIT_GOOD = 0, EXIT_COULD_NOT_RUN = 1, EXIT_USAGE = 2, EXIT_CELLS_BAD = 3 };

#define EXIT_CAUSES_MAX 12

struct exit_status {
    const char *meaning;
    const char *causes[EXIT_CAUSES_MAX]; /* up to the first NULL; each has a row in tests/cli/exit-status.test */
};

/* By exit code. */
extern const struct exit_status exit_statuses[EXIT_CELLS_BAD + 1];

#endif
