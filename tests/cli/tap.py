# SPDX-License-Identifier: Apache-2.0
"""TAP for tests in Python: ok() for each assertion, finish() at the end."""
import sys

results = []


def ok(good, sentence, *seen):
    """One assertion; `seen` is printed when it does not hold."""
    results.append(bool(good))
    print("ok" if good else "not ok", len(results), "-", sentence)
    for thing in () if good else seen:
        print("#", str(thing).replace("\n", "\n# "))


def finish():
    print(f"1..{len(results)}")
    sys.exit(not all(results))
