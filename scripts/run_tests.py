#!/usr/bin/env python3
"""Runs every test of a build tree and ends with 'N passed, N failed, N skipped'.

Skips must be on the committed list test/expected-skips.txt (one name a line);
any other skip counts as a failure.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Status of a script that lacks what it needs.
SKIPPED = 77


class Tally:
    """Counts of all suites together."""

    def __init__(self):
        self.passed, self.failed, self.skipped = [], [], []

    def add(self, suite, name, outcome):
        {"pass": self.passed, "fail": self.failed, "skip": self.skipped}[outcome].append(f"{suite}: {name}")


def run(command, **kwargs):
    print("==>", " ".join(str(c) for c in command), flush=True)
    start = time.time()
    done = subprocess.run([str(c) for c in command], cwd=ROOT, **kwargs)
    print(f"    {time.time() - start:.1f} s", flush=True)
    return done


def find_lit(build):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("HGC_LIT:"):
            return line.split("=", 1)[1]
    sys.exit("error: lit was not found when the build was configured\nhint: install llvm-22-tools and configure again")


def run_lit(build, tally, env):
    results = build / "lit-results.json"
    results.unlink(missing_ok=True)
    run([find_lit(build), "-sv", f"-j{os.cpu_count()}", "--output", results, build / "test"], env=env)
    if not results.exists():
        tally.add("lit", "the test runner itself", "fail")
        return
    for test in json.loads(results.read_text())["tests"]:
        code = test["code"]
        outcome = "pass" if code in ("PASS", "XFAIL", "FLAKYPASS") else "skip" if code in ("UNSUPPORTED", "SKIPPED") else "fail"
        tally.add("lit", test["name"], outcome)


def run_ctest(build, tally, env):
    report = build / "ctest-results.xml"
    report.unlink(missing_ok=True)
    run(["ctest", "--test-dir", build, "-E", "^lit$", "-j2", "--output-on-failure", "--output-junit", report.resolve()],
        env=env, stdout=subprocess.DEVNULL)
    if not report.exists():
        tally.add("ctest", "the test runner itself", "fail")
        return
    for case in xml.parse(report).getroot().iter("testcase"):
        outcome = {"run": "pass", "notrun": "skip", "disabled": "skip"}.get(case.get("status"), "fail")
        tally.add("ctest", case.get("name"), outcome)
        if outcome == "fail":
            print(case.findtext("system-out") or "")


def run_script(tally, script, *args, folder="scripts"):
    done = run([sys.executable, ROOT / folder / script, *args])
    if done.returncode == SKIPPED:
        tally.add(folder, script, "skip")
        return
    tally.add(folder, " ".join([script, *map(str, args)]), "pass" if done.returncode == 0 else "fail")


def run_onnx(tally, build, full):
    """Test cases of the onnx package and whole models."""
    folder = "test/onnx"
    run_script(tally, "harness_test.py", build, folder=folder)
    run_script(tally, "schemas.py", "--build", build, "--check", folder=folder)
    for device, count in (("cpu", 400), ("emulated", 400)):
        run_script(tally, "run_backend_suite.py", "--build", build, "--device", device,
                   *([] if full else ["--sample", count]), folder=folder)
    if full:
        run_script(tally, "run_models.py", "--build", build, folder=folder)
        if (build / "onnx-models").is_dir():
            run_script(tally, "run_models.py", build / "onnx-models", "--build", build, folder=folder)
        for device, count in (("cpu", 200), ("emulated", 40)):
            run_script(tally, "run_random_models.py", "--build", build, "--device", device, "--count", count,
                       folder=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--full", action="store_true", help="also the long suites")
    args = parser.parse_args()
    build = (ROOT / args.build).resolve()
    env = {name: value for name, value in os.environ.items() if name != "HGC_TEST_FULL"}
    if args.full:
        env["HGC_TEST_FULL"] = "1"
    tally = Tally()

    run_script(tally, "check_layers.py")
    run_script(tally, "check_sizes.py")
    run_ctest(build, tally, env)
    run_lit(build, tally, env)
    run_script(tally, "gen_docs.py", "--check", "--build", build)
    run_script(tally, "check_tests.py", "--build", build)
    run_script(tally, "check_kernels.py", "--build", build, "--install")
    run_script(tally, "random_graphs.py", "--build", build, "--count", 5000 if args.full else 300)
    run_script(tally, "random_graphs.py", "--build", build, "--count", 2000 if args.full else 150, "--device",
               "emulated", "--assemble")
    run_script(tally, "random_graphs.py", "--build", build, "--count", 1000 if args.full else 100, "--device",
               "emulated", "--placed")
    run_script(tally, "random_graphs.py", "--build", build, "--count", 1000 if args.full else 40, "--grad")
    run_script(tally, "random_graphs.py", "--build", build, "--count", 300 if args.full else 10, "--grad", "--device",
               "emulated")
    run_script(tally, "check_cross.py", "--build", build, "--count", 400 if args.full else 20)
    run_script(tally, "fail_driver_calls.py", "--build", build, *([] if args.full else ["--count", 12]))
    run_script(tally, "fuzz_models.py", "--build", build, "--count", 3000 if args.full else 150)
    run_script(tally, "fuzz_models.py", "--build", build, "--kind", "onnx", "--count", 2000 if args.full else 60)
    run_onnx(tally, build, args.full)
    if args.full:
        run_script(tally, "placement_results.py", "--build", build, "--check")
        run_script(tally, "check_sanitizers.py")
        run_script(tally, "build_site.py", "--build", build)
        run_script(tally, "check_wheel.py", "--build", build)

    listed = ROOT / "test" / "expected-skips.txt"
    expected = {line.strip() for line in listed.read_text().splitlines() if line.strip() and not line.startswith("#")}
    for name in tally.skipped:
        print("skipped:", name)
        if name not in expected:
            print("  not on test/expected-skips.txt: counts as failed")
            tally.failed.append(name)
    for name in tally.failed:
        print("FAILED:", name)
    print(f"{len(tally.passed)} passed, {len(tally.failed)} failed, {len(tally.skipped)} skipped")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
