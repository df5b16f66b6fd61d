"""Checks that the messages a page explains are those of the sources.

usage: check_messages.py PAGE.md SOURCE_DIR

A message is code in the first column of a table; of it, the longest part without
names, numbers and '…' must occur in a string of the sources.
"""
import pathlib
import re
import sys


# Said by MLIR and by the dynamic linker.
FOREIGN = ("custom op", "undefined symbol")


def strings(root):
    """All string literals, those that follow each other joined."""
    for folder in ("dialects", "lib", "tools", "runtime", "python/hgc"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".cpp", ".h", ".hpp", ".py", ".td"):
                yield re.sub(r'"\s*f?"', "", path.read_text()).replace('\\"', '"')


def main():
    page, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = "\n".join(strings(root))
    missing, count = [], 0
    for cell in re.findall(r"^\| (`.*?) \|", page.read_text(), flags=re.M):
        for message in re.findall(r"`([^`]+)`", cell):
            if any(words in message for words in FOREIGN):
                continue
            # Sources quote names as well, so that quotes are no part of the words.
            part = max((p.strip(" ':;") for p in re.split(r"…|'[^' ]*'|'[./]+|\S*\d\S*", message)), key=len)
            count += 1
            if part not in text:
                missing.append(f"{page.name}: no source says '{part}' of '{message}'")
    print("\n".join(missing) or f"{page.name}: {count} messages ok")
    return 1 if missing or not count else 0


if __name__ == "__main__":
    sys.exit(main())
