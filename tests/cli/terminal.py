# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a terminal of its own: answers each question, which ends in ": ", with the first argument, prints
all that was shown, and ends as the program does."""
import os
import pty
import sys

answer, program = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(program[0], program)
seen, answered = b"", 0
try:
    while chunk := os.read(terminal, 1024):
        seen += chunk
        if seen[answered:].endswith(b": "):
            answered = len(seen)
            os.write(terminal, answer.encode() + b"\n")
except OSError:  # the end of the terminal
    pass
os.write(1, seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
