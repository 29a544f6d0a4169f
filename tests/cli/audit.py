# SPDX-License-Identifier: Apache-2.0
"""Calls benchcompare --verify on the text of a table."""
import json
import os
import subprocess

program = os.path.join(os.path.abspath(os.environ.get("builddir", ".")), "benchcompare")

# Of a published comparison by YCSB: the latency of E at 1 thread has the percentage of D, and 31766.2 is there twice.
YCSB = """metric,unit,workload,threads,baseline,speedus,published_pct
throughput,ops/s,C,4,21249.47,31766.2,49.50
throughput,ops/s,C,16,31766.2,37678.98,18.60
throughput,ops/s,D,1,8329.17,15489.47,86.00
throughput,ops/s,E,1,2489.30,3059.79,22.90
throughput,ops/s,F,8,16265.45,21213.41,30.40
latency,us,C,4,173.9,108.08,-37.90
latency,us,C,16,468.14,389.84,-16.70
latency,us,D,1,113.27,57.96,-48.80
latency,us,E,1,394.72,319.68,-48.80
latency,us,F,8,396.43,296.46,-25.20
"""


def run(text, *words):
    """The finished process; the table comes from standard input."""
    text = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([program, "--verify", "-", *words], input=text, capture_output=True, check=False)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def report(text, *words):
    """The JSON report; the message instead where there is none."""
    done = run(text, "--format", "json", *words)
    return json.loads(done.stdout) if done.stdout else done.stderr


def kinds(text, *words):
    """Line and kind of every finding, in the order of the report."""
    found = report(text, *words)
    return found if isinstance(found, str) else [(f["line"], f["kind"]) for f in found["findings"]]
