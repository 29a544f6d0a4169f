/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

/*
 * SIGINT, SIGTERM and SIGHUP ask the program to end early: the first sets a flag that every loop and wait looks at
 * (each wait lasts at most 100 ms; one for an answer to set-up or clean-up goes on for some seconds), the second ends
 * the process at once. One that was ignored when the program began (nohup, a background job of a script) stays ignored.
 * SIGPIPE and SIGXFSZ are ignored: the write fails, and its error is handled.
 */
void interrupt_install(void);
/* Of these SIGXFSZ alone: a file that grows beyond the limit is an error of the write, and no end without a word. */
void interrupt_ignore_file_limit(void);
/* The signal that came, 0 while none has. Any thread. */
int interrupt_signal(void);
/* Ends the process as the signal would have: raises it again with its default action, so that a shell sees it; as
 * process 1, where that does nothing, exits with 128 + signal. Does nothing when no signal came. */
void interrupt_raise_again(void);

#endif
