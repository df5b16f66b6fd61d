#!/usr/bin/env python3
"""Checks that no source includes a header of a later layer (see docs/architecture.md)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# In pipeline order; a folder may include itself and what stands before it.
LAYERS = [
    "dialects/Graph", "dialects/Exec", "dialects/Graph/Eval", "lib/Support", "lib/Data", "lib/Target",
    "lib/Frontend",
    "lib/Analysis", "lib/Autodiff", "lib/Placement", "lib/Transforms", "lib/Conversion", "lib/CodeGen/Common",
    "lib/CodeGen/CPU", "lib/CodeGen/GPU", "lib/Link", "lib/Report", "lib/Pipeline", "lib/Tuning", "tools",
]
# Code generation sees dialects, support and tables, never the passes before it; devices do not see each other.
PASSES = {"lib/Analysis", "lib/Autodiff", "lib/Placement", "lib/Transforms", "lib/Conversion", "lib/Frontend"}
FORBIDDEN = {
    "lib/CodeGen/Common": PASSES,
    "lib/CodeGen/CPU": PASSES,
    "lib/CodeGen/GPU": PASSES | {"lib/CodeGen/CPU"},
}


def layer_of(path):
    """Longest layer that is a prefix of the path; include/hgc/X counts as lib/X."""
    path = path.replace("include/hgc/", "lib/", 1) if path.startswith("include/hgc/") else path
    path = "lib/" + path[4:] if path.startswith("hgc/") else path
    found = [layer for layer in LAYERS if path == layer or path.startswith(layer + "/")]
    return max(found, key=len) if found else None


def main():
    bad = []
    for top in ("dialects", "include", "lib", "tools"):
        for source in sorted((ROOT / top).rglob("*")):
            if source.suffix not in (".h", ".cpp", ".td", ".c"):
                continue
            name = source.relative_to(ROOT).as_posix()
            layer = layer_of(name)
            for number, line in enumerate(source.read_text().splitlines(), 1):
                match = re.match(r'\s*#?include "((?:hgc|dialects|runtime)/[^"]+)"', line)
                if not match or match.group(1).endswith(".inc"):
                    continue
                other = layer_of(match.group(1))
                if other is None or layer is None:
                    continue
                later = LAYERS.index(other) > LAYERS.index(layer)
                if later or other in FORBIDDEN.get(layer, ()):
                    bad.append(f"{name}:{number}: {layer} must not include {match.group(1)} ({other})")
    for source in sorted((ROOT / "runtime").rglob("*.[ch]")):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if re.match(r'\s*#include ["<](llvm|mlir|hgc|dialects)/', line):
                bad.append(f"{source.relative_to(ROOT)}:{number}: the runtime knows nothing of the compiler")
    print("\n".join(bad) or "layers: ok")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
