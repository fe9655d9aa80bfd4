#!/usr/bin/env python3
"""Runs the end-to-end tests: every `test_*(box)` of every `test_*.py` here, against each version of the client.

    tests/e2e/run.py [-k WORDS] [-j 2] [--client 2.1.325] [--no-build] [--browser]

Clients come from npm, once, into ${PLIMSOLL_E2E_CACHE:-~/.cache/plimsoll-e2e}. Needs git, node, npm and tmux, and for the
pages that people look at a Chromium; without one those tests are skipped by name. Screenshots go to target/e2e.
"""
import argparse
import glob
import importlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import browser  # noqa: E402
from client import PROGRAMS, Box, Skipped  # noqa: E402
from project import ROOT  # noqa: E402

VERSIONS = ("2.1.197", "2.1.325", "2.1.326")


def cache():
    return os.path.expanduser(os.environ.get("PLIMSOLL_E2E_CACHE") or "~/.cache/plimsoll-e2e")


def need(*command):
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError) as failure:
        sys.exit("the end-to-end tests need `%s`: %s" % (shlex.join(command), failure))


def client(version):
    """The program of that version, installed if it is not there yet."""
    home = os.path.join(cache(), version)
    pattern = os.path.join(glob.escape(home), "node_modules/@anthropic-ai/claude-code-*/claude")
    if not glob.glob(pattern):
        os.makedirs(cache(), exist_ok=True)
        # Renamed into place when complete: an interrupted download must not look like a client.
        with tempfile.TemporaryDirectory(dir=cache()) as fresh:
            need("npm", "install", "--loglevel=error", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts",
                 "--prefix", fresh, "@anthropic-ai/claude-code@" + version)
            shutil.rmtree(home, ignore_errors=True)
            os.mkdir(home)
            os.rename(os.path.join(fresh, "node_modules"), os.path.join(home, "node_modules"))
    found = glob.glob(pattern)
    if not found:
        sys.exit("npm installed Claude Code %s, but it has no program for this platform" % version)
    return found[0]


def tests(words):
    for path in sorted(glob.glob(os.path.join(HERE, "test_*.py"))):
        name = os.path.basename(path)[:-3]
        for function, value in vars(importlib.import_module(name)).items():
            if function.startswith("test_") and callable(value) and words in name + "." + function:
                yield name, function


def run(module, function, program, version):
    """One test in a box of its own: its seconds, why it was skipped, and the transcript if it failed."""
    started, skipped, failure = time.monotonic(), None, None
    box = Box(program, version)
    try:
        getattr(importlib.import_module(module), function)(box)
    except Skipped as reason:
        skipped = str(reason)
    except Exception:
        failure = traceback.format_exc() + "\n" + box.transcript()
    finally:
        box.close()
    return time.monotonic() - started, skipped, failure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", metavar="WORDS", default="", help="only tests whose module.function contains this")
    parser.add_argument("-j", metavar="N", type=int, default=2, help="tests at a time (default 2)")
    parser.add_argument("--client", action="append", metavar="VERSION", help="default: %s" % ", ".join(VERSIONS))
    parser.add_argument("--no-build", action="store_true", help="use the binaries that are in build/")
    parser.add_argument("--browser", action="store_true", help="a missing browser is an error, not a skip")
    options = parser.parse_args()

    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        sys.exit("the end-to-end tests need " + ", ".join(missing))
    if options.browser and not browser.program():
        sys.exit("the end-to-end tests need " + browser.MISSING)
    if not options.no_build:
        need(os.path.join(ROOT, "install.sh"), "--plugin")
    clients = [(client(version), version) for version in options.client or VERSIONS]

    failed = passed = left_out = 0
    with ProcessPoolExecutor(options.j) as pool:
        jobs = {pool.submit(run, module, function, *one): "%s %s.%s" % (one[1], module, function)
                for module, function in tests(options.k) for one in clients}
        for job in as_completed(jobs):
            seconds, skipped, failure = job.result()
            print("%s %5.1f s  %s" % ("FAIL" if failure else "skip" if skipped else "ok  ", seconds, jobs[job]), flush=True)
            if skipped:
                left_out += 1
                print("    " + skipped, flush=True)
            elif failure:
                failed += 1
                print("    " + failure.rstrip().replace("\n", "\n    "), flush=True)
            else:
                passed += 1
    print("%d passed, %d failed" % (passed, failed) + (", %d skipped" % left_out if left_out else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
