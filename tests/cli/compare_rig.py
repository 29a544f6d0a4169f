# SPDX-License-Identifier: Apache-2.0
"""What tests of benchcompare share: result files made here, in a scratch folder that the program runs in, and TAP."""
import json
import os
import subprocess
import sys
import tempfile

program = os.path.join(os.path.abspath(os.environ.get("builddir", ".")), "benchcompare")
os.environ.pop("NO_COLOR", None)
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
RUNGS = [1, 2, 4, 8, 16, 32, 64, 128]
outcomes = []


def ok(good, sentence, *more):
    outcomes.append(good)
    print("ok" if good else "not ok", len(outcomes), "-", sentence)
    if not good:
        for thing in more:
            print("#", str(thing).replace("\n", "\n# "))


def cell(values, errors=0):
    numbers = [v for v in values if v is not None]
    return {"ops_per_sec": sum(numbers) / len(numbers) if numbers else None, "ops_per_sec_values": values,
            "error_values": [errors] * len(values)}


def around(mean, trials=3):
    """Trials close to the mean, never two alike."""
    around.turn += 1
    return [mean * (1 + ((k * 7 + around.turn * 3) % 11 - 5) / 1000) for k in range(trials)]


around.turn = 0


def test(name, cells, **more):
    rungs = {str(r): cells(r) for r in more.pop("rungs", RUNGS)}
    return {"name": name, **more, "results": {**rungs, "start": "2017-08-02T10:44:11.130Z", "end": "2017-08-02T10:45:00.000Z"}}


def write(path, tests, version="3.4.1", **more):
    whole = {"basicFields": {"version": version, "crudOptions": {"writeConcern": {"j": False}}},
             "storageEngine": "wiredTiger", "start": "2017-08-02T10:44:11.123Z", "results": tests, "errors": [], **more}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(whole, file)


def run(*words, **more):
    return subprocess.run([program, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **more)


def compare(a, b, *words, **more):
    write("a.json", a)
    write("b.json", b)
    return run("a.json", "b.json", *words, **more)


def as_json(a, b, *words):
    done = compare(a, b, "--format", "json", *words)
    return json.loads(done.stdout)["comparisons"][0], done.returncode


def verdict(a, b, *words):
    whole, code = as_json([test("t", a)], [test("t", b)], *words)
    return whole["tests"][0]["verdict"], code


flat = lambda r: cell(around(1000 * r ** 0.5))


def done_testing():
    print(f"1..{len(outcomes)}")
    sys.exit(not all(outcomes))
