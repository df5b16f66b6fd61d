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
SOURCES = ["dialects", "lib", "tools", "runtime/src", "runtime/devices"]
TESTS = ["test", "unittests"]
# Diagnostics that no input can provoke, with the reason.
UNREACHABLE_LIST = ROOT / "test" / "untested-diagnostics.txt"


def passes():
    for td in sorted((ROOT / "include" / "hgc").rglob("*Passes.td")):
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
    done = subprocess.run([lit, "-q", "-j1", "--max-failures=1", *names], env=env, capture_output=True, text=True)
    if done.returncode == 0:
        return f"pass '{name}' may do nothing and its tests still pass: {', '.join(t.name for t in tests)}"
    return None


def strip_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def arguments(text):
    """Splits what follows an opening parenthesis at its top-level commas."""
    parts, depth, start, quoted, i = [], 0, 0, False, 0
    while i < len(text):
        c = text[i]
        if quoted:
            i += c == "\\"
            quoted = c != '"' or text[i] != '"'
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
        i += 1
    return parts + [text[start:i]], text[i + 1:]


# Functions whose last argument is the hint, that take a stream of parts, or whose second argument is the hint.
HINTED = r"\b(emitWithHint|makeError|usageError|fail|error|invalid|unsupported)\("
STREAMED = r"\b(emitError|emitOpError|emitOptionalError|require)\("
IN_RUNTIME = r"\bhgc_rti_error\("


def longest_words(code):
    literals = [lit for lit in re.findall(r'"((?:[^"\\]|\\.)*)"', code) if not lit.startswith("hint")]
    pieces = [piece.strip(" ,:;'\\") for lit in literals for piece in re.split(r"%[\w.*]+|\{\d[^}]*\}|\\n", lit)]
    return max(pieces, key=len, default="")


def diagnostics():
    """Yields (file, words): the longest constant part of each message."""
    for source in sorted(f for top in SOURCES for f in (ROOT / top).rglob("*") if f.suffix in (".cpp", ".c")):
        text = strip_comments(source.read_text())
        found = []
        for match in re.finditer(HINTED, text):
            args, _ = arguments(text[match.end():])
            found.append(longest_words(" ".join(args[:-1] if len(args) > 1 else args)))
        for match in re.finditer(STREAMED, text):
            args, rest = arguments(text[match.end():])
            found.append(longest_words(" ".join(args) + rest[:rest.find(";")]))
        for match in re.finditer(IN_RUNTIME, text):
            args, _ = arguments(text[match.end():])
            found.append(longest_words(" ".join(args[2:])))
        yield from ((source.relative_to(ROOT).as_posix(), words) for words in found if len(words) >= 10)


def check_diagnostics():
    tests = "\n".join(p.read_text(errors="replace") for top in TESTS for p in (ROOT / top).rglob("*")
                      if p.is_file() and p.suffix in (".mlir", ".test", ".cpp", ".c", ".py", ".txt", ".txtpb"))
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
