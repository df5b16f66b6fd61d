"""Checks that relative links of the repository's Markdown files lead somewhere.

usage: check_links.py SOURCE_DIR

A link must name a file or folder that exists; its fragment must be a heading of
that page. Links to the web are not looked at. The navigation of the site names
every page of docs/ and examples/, and nothing else.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda m: m.group(0).replace("[", " ").replace("]", " "), text)


def anchors(path):
    """Heading anchors as GitHub makes them; a repeated one gets a number."""
    seen, found = {}, set()
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.S | re.M)
    for heading in re.findall(r"^#+ (.*)$", text, flags=re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        number = seen.get(name, 0)
        seen[name] = number + 1
        found.add(f"{name}-{number}" if number else name)
    return found


def check_navigation(root, pages):
    names = set(re.findall(r"[\w./-]+\.md\b", (root / "docs" / "site" / "mkdocs.yml").read_text()))
    for name in sorted(names):
        if not (root / name.lstrip("/")).exists():
            yield f"docs/site/mkdocs.yml: '{name}' does not exist"
    for page in (p.relative_to(root).as_posix() for p in pages):
        if page.startswith(("docs/", "examples/")) and not {page, "/" + page} & names:
            yield f"{page}: is not in the navigation of docs/site/mkdocs.yml"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    bad, count = [], 0
    pages = [*root.glob("*.md"), *(p for d in ("docs", "examples", "python", "runtime", "benchmarks") for p in (root / d).rglob("*.md"))]
    for page in pages:
        for link in LINK.findall(without_code(page.read_text())):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            name, _, fragment = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists():
                bad.append(f"{page.relative_to(root)}: '{link}' does not exist")
            elif fragment and (target.suffix != ".md" or fragment not in anchors(target)):
                bad.append(f"{page.relative_to(root)}: '{link}' names no heading")
    bad += check_navigation(root, pages)
    print("\n".join(bad) or f"links: {count} ok in {len(pages)} pages")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
