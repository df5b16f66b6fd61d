#!/usr/bin/env python3
"""Checks the size budgets of files and functions (see CONTRIBUTING.md)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGETS = {".cpp": 400, ".c": 400, ".td": 500, ".h": 200, ".mlir": 300}
FUNCTION_BUDGET = 60
# path (or path:function): reason
ALLOWED = {
    "runtime/include/hgc_rt.h": "one public header, so that users include one file",
    "runtime/include/hgc_rt_abi.h": "one contract, with its static assertions beside each struct",
}


def functions(lines):
    """Yields (name, first line, length) of top-level function bodies, by LLVM formatting."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and re.match(r"^[A-Za-z_~].*\)( const| noexcept| override)*(\s*:.*)? \{$", line) and "namespace" not in line:
            name = re.search(r"([\w:~]+)\(", line)
            start = (name.group(1) if name else line, number)
        elif start and line == "}":
            yield start[0], start[1], number - start[1] + 1
            start = None


def main():
    bad = []
    for top in ("dialects", "include", "lib", "runtime", "tools", "test", "unittests"):
        for source in sorted((ROOT / top).rglob("*")):
            budget = BUDGETS.get(source.suffix)
            if budget is None or not source.is_file():
                continue
            name = source.relative_to(ROOT).as_posix()
            lines = source.read_text(errors="replace").splitlines()
            if len(lines) > budget and name not in ALLOWED:
                bad.append(f"{name}: {len(lines)} lines, budget {budget}")
            if source.suffix in (".cpp", ".c"):
                for function, line, length in functions(lines):
                    if length > FUNCTION_BUDGET and f"{name}:{function}" not in ALLOWED:
                        bad.append(f"{name}:{line}: function '{function}' has {length} lines, budget {FUNCTION_BUDGET}")
    print("\n".join(bad) or "sizes: ok")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
