"""Checks that every command and piece of code in the documentation is run by a test.

usage: check_snippets.py SOURCE_DIR

A fenced block of a page has a mark of run_snippets.py, which a test runs on that page; or is `text`,
without commands; or is on the list untested-snippets.txt by page and first line, with its reason. Pages that
scripts/gen_docs.py writes are left out: their declarations come from the sources, and
check_examples.py parses their examples.
"""
import pathlib
import re
import sys

from run_snippets import BLOCK

COMMAND = re.compile(r"^(\$ |hgc |build/|scripts/|\./|python3 |pip |cmake |cc |examples/\S+\.py|benchmarks/\S+\.py)", flags=re.M)


def pages(root):
    yield from sorted(root.glob("*.md"))
    for folder in ("docs", "examples", "python", "benchmarks", "runtime"):
        yield from sorted((root / folder).rglob("*.md"))


def read_list(path):
    """Pages and first lines that need not run."""
    lines = path.read_text().splitlines()
    entries = {}
    for above, line in zip([""] + lines, lines):
        if line and not line.startswith("#"):
            entries[tuple(line.split(": ", 1))] = above.startswith("#") or above in map(": ".join, entries)
    return entries


def tested_pages(root):
    """Pages that run_snippets.py is run on."""
    text = "\n".join(path.read_text() for path in sorted((root / "test").rglob("*.test")))
    names = re.findall(r"run_snippets\.py (?:--\S+ \S+ )?(%\S+\.md)", text)
    return {name.replace("%source/", "").replace("%examples/", "examples/") for name in names}


def check_block(name, block, listed, used):
    language, mark, text = block.group("language", "mark", "text")
    first = text.strip().splitlines()[0] if text.strip() else ""
    if mark is not None:
        return
    if not language:
        yield f"{name}: '{first}' says no language; 'text' if it is none"
    elif language == "text":
        if COMMAND.search(text):
            yield f"{name}: '{first}' is text, but has a command"
    elif (name, first) in listed:
        used.add((name, first))
    else:
        yield f"{name}: '{first}' ({language}) is neither run nor on untested-snippets.txt"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = read_list(root / "test" / "Docs" / "untested-snippets.txt")
    bad = [f"untested-snippets.txt: '{line}' of {page} has no reason" for (page, line), reason in listed.items() if not reason]
    tested, used, count = tested_pages(root), set(), 0
    for path in pages(root):
        text, name = path.read_text(), path.relative_to(root).as_posix()
        if text.startswith("<!-- Generated"):
            continue
        blocks = [block for block in BLOCK.finditer(text) if block["setup"] is None]
        count += len(blocks)
        for block in blocks:
            bad += check_block(name, block, listed, used)
        if any(block["mark"] for block in blocks) and name not in tested:
            bad.append(f"{name}: no test runs its snippets")
    bad += [f"untested-snippets.txt: '{line}' is not in {page}" for page, line in listed if (page, line) not in used]
    print("\n".join(bad) or f"snippets: {count} blocks, {count - len(used)} run or text, {len(used)} listed with a reason")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
