#!/usr/bin/env python3
"""Builds the documentation as a site: scripts/build_site.py, then open build/site/index.html.

Pages are the Markdown files of the repository, with the same links. MkDocs comes
from PyPI into the build tree; any broken link or anchor fails the build. Exits
with 77 where PyPI cannot be reached.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = ROOT / "docs" / "site"
sys.path.insert(0, str(ROOT / "test" / "onnx"))
import environment  # noqa: E402

LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^```.*?^```$", flags=re.S | re.M)


def fence(text):
    """A block without the marks for the tests; a file's name becomes its title."""
    text = re.sub(r"^```(\w+) file=(\S+)$", r'```\1 title="\2"', text, flags=re.M)
    return re.sub(r"^```(\w+) (?!title=).*$", r"```\1", text, flags=re.M)


def prose(text):
    """Lists and tables begin a paragraph of their own, as MkDocs wants it."""
    return re.sub(r"^(?!\s*[-|] ?|\d+\. |#)(.*\S.*)\n(?=(?:- |\d+\. |\|.*\|$))", r"\1\n\n", text, flags=re.M)


def stage(page, source):
    """Copies a page and what it links to that is no page; folders mean their README.md."""
    def link(match):
        target = (page.parent / match[2]).resolve()
        if target.is_dir():
            return f"{match[1]}{match[2].rstrip('/')}/README.md{match[3]}"
        if target.is_file() and target.suffix != ".md":
            copy = source / target.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copy)
        return match[0]

    # MkDocs takes a title from the first line only.
    text, parts, at = re.sub(r"^<!--.*-->\s+", "", page.read_text()), [], 0
    for block in FENCE.finditer(text):
        parts += [prose(LINK.sub(link, text[at:block.start()])), fence(block[0])]
        at = block.end()
    parts.append(prose(LINK.sub(link, text[at:])))
    copy = source / page.relative_to(ROOT)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text("".join(parts))


def pages():
    yield from sorted(ROOT.glob("*.md"))
    for folder in ("docs", "examples", "python", "benchmarks", "runtime"):
        yield from sorted((ROOT / folder).rglob("*.md"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="build tree that the site goes to")
    build = (ROOT / parser.parse_args().build).resolve()
    environment.ensure(build, SITE / "requirements.txt", "site")
    source = build / "site-source"
    shutil.rmtree(source, ignore_errors=True)
    for page in pages():
        stage(page, source)
    (source / "docs" / "site").mkdir()
    shutil.copyfile(SITE / "site.css", source / "docs" / "site" / "site.css")
    env = dict(os.environ, HGC_SITE_SOURCE=str(source), HGC_SITE_OUTPUT=str(build / "site"), NO_MKDOCS_2_WARNING="1")
    return subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--clean",
                           "-f", str(SITE / "mkdocs.yml")], env=env).returncode


if __name__ == "__main__":
    sys.exit(main())
