#!/usr/bin/env python3
"""Tests the tests: every pass must have a test that fails when the pass does
nothing, and every diagnostic in the sources must occur in a test.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ["dialects", "lib", "tools", "runtime/src"]
TESTS = ["test", "unittests"]
# Diagnostics that no input can provoke, with the reason.
UNREACHABLE_LIST = ROOT / "test" / "untested-diagnostics.txt"


def passes():
    for td in sorted((ROOT / "include" / "hgc").rglob("Passes.td")):
        yield from re.findall(r'Pass<"(hgc-[\w-]+)"', td.read_text())


def lit_path(build):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("HGC_LIT:"):
            return line.split("=", 1)[1]
    sys.exit("error: no lit in the build's cache")


def check_pass(build, lit, name):
    """A complaint, or None when skipping the pass breaks one of its tests."""
    tests = [t for t in (ROOT / "test").rglob("*.mlir")
             if re.search(r"RUN:.*--" + re.escape(name) + r"\b(?!-)", t.read_text())]
    if not tests:
        return f"pass '{name}' has no test that runs it with --{name}"
    env = dict(os.environ, HGC_SKIP_PASS=name)
    names = [str(build / "test" / t.relative_to(ROOT / "test")) for t in tests]
    done = subprocess.run([lit, "-q", "-j1", *names], env=env, capture_output=True, text=True)
    if done.returncode == 0:
        return f"pass '{name}' may do nothing and its tests still pass: {', '.join(t.name for t in tests)}"
    return None


def strip_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def diagnostics():
    """Yields (file, words) for the longest literal of each diagnostic."""
    call = re.compile(r"\b(emitError|emitOpError|emitOptionalError|emitWithHint|makeError|usageError|hgc_rt_set_error|"
                      r"rt_error|hgc_rt_error|error)\s*\(")
    for top in SOURCES:
        for source in sorted((ROOT / top).rglob("*")):
            if source.suffix not in (".cpp", ".c"):
                continue
            text = strip_comments(source.read_text())
            for match in call.finditer(text):
                tail = text[match.end():match.end() + 600]
                end = tail.find(";")
                literals = re.findall(r'"((?:[^"\\]|\\.)*)"', tail[:end if end >= 0 else None])
                # Everything up to the hint is the message; take its longest constant part.
                parts = [p for lit in literals for p in re.split(r"%[\w.*]+|\{\d[^}]*\}|\\n", lit)]
                parts = [p.strip(" ,:;'\\") for p in parts if not p.startswith("hint")]
                words = max(parts, key=len, default="")
                if len(words) >= 10:
                    yield source.relative_to(ROOT).as_posix(), words


def check_diagnostics():
    tests = "\n".join(p.read_text(errors="replace") for top in TESTS for p in (ROOT / top).rglob("*")
                      if p.is_file() and p.suffix in (".mlir", ".test", ".cpp", ".c", ".py", ".txt"))
    tests = tests.replace('\\"', '"').replace('"\n', "").replace("\\", "")
    allowed = set()
    if UNREACHABLE_LIST.exists():
        allowed = {line.split(" # ")[0].strip() for line in UNREACHABLE_LIST.read_text().splitlines()}
    seen = set()
    for source, words in diagnostics():
        plain = words.replace('\\"', '"').replace("\\", "")
        if plain in seen or plain in tests or plain in allowed:
            continue
        seen.add(plain)
        yield f"{source}: no test expects the diagnostic '{plain}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    args = parser.parse_args()
    lit = lit_path(args.build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [p for p in pool.map(lambda name: check_pass(args.build, lit, name), passes()) if p]
    problems += check_diagnostics()
    print("\n".join(problems) or "tests of the tests: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
