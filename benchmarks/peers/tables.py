"""What the comparison prints: Markdown tables, and their place in a page."""
from typing import Dict, List, Optional, Sequence

from . import stats


def format_time(seconds: float) -> str:
    """Three digits in ms or us."""
    value, unit = (seconds * 1e3, "ms") if seconds >= 1e-3 else (seconds * 1e6, "us")
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"


def format_bytes(count: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} B"


def error_text(entries: Dict[str, dict]) -> str:
    """Error of hgc, and the largest of the peers."""
    ours = entries["hgc"].get("error")
    peers = [entry["error"] for name, entry in entries.items() if name != "hgc" and "error" in entry]
    return f"{optional(ours, '{:.0e}')} / {optional(max(peers, default=None), '{:.0e}')}"


def optional(value: Optional[float], form: str) -> str:
    return "-" if value is None else form.format(value)


def rows_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def speed_table(results: Sequence[dict], contenders: Sequence[str]) -> str:
    """results: see measure.py."""
    rows = []
    for result in results:
        ratios = [stats.Ratio(**ratio) for ratio in result["ratios"]]
        cells = [result["model"]]
        for name in contenders:
            entry = result["contenders"][name]
            cells.append(format_time(entry["median"]) if "median" in entry else "-")
        cells += [ratios[0].peer if ratios else "-", optional(ratios[0].median if ratios else None, "{:.2f}"),
                  optional(stats.line_bound(ratios), "{:.2f}"), result["percent"], error_text(result["contenders"]),
                  "; ".join(result["misses"]) or "holds"]
        rows.append(cells)
    return rows_of(["model", *contenders, "best peer", "ratio", "95 % bound", "hgc of the limit", "error hgc / peers",
                    "verdict"], rows)


def mean_line(results: Sequence[dict]) -> str:
    values = [result["ratios"][0]["median"] for result in results if result["ratios"]]
    mean = stats.geometric_mean(values)
    if mean is None:
        return "No line has a ratio."
    left_out = len(results) - len(values)
    without = f", without {left_out} that have no ratio" if left_out else ""
    return f"Geometric mean of the ratios to the best peer, lines: {len(values)}{without}: {mean:.2f}."


def missing_lines(results: Sequence[dict]) -> List[str]:
    """One sentence for each line that does not show what it should, and each contender that did not run."""
    lines = [f"- {r['model']} misses: {'; '.join(r['misses'])}." for r in results if r["misses"]]
    for result in results:
        for name, entry in result["contenders"].items():
            if "reason" in entry:
                lines.append(f"- {name} on {result['model']} has no time: {entry['reason']}.")
    return lines


def startup_table(rows: Sequence[dict]) -> str:
    """rows: see startup.py."""
    return rows_of(
        ["model", "contender", "import", "load to first result", "memory", "artefact", "library", "compile"],
        [[row["model"], row["contender"], *(
            [format_time(row["import_seconds"]), format_time(row["load_seconds"]), format_bytes(row["memory_bytes"]),
             format_bytes(row["artefact_bytes"]), format_bytes(row["library_bytes"]),
             format_time(row["compile_seconds"]) if row["compile_seconds"] is not None else "part of load"]
            if "reason" not in row else [row["reason"], *["-"] * 5])] for row in rows])


def neighbour_table(results: Sequence[dict]) -> str:
    """results: see neighbours.py."""
    return rows_of(
        ["model", "hgc", "of the limit", "its line", "of the limit", "ratio", "verdict"],
        [[r["model"], *([format_time(r["seconds"]), f"{100 * r['share']:.0f} % of {r['limit'] / 1e9:.0f} GFLOP/s",
                         r["line"], f"{100 * r['line_share']:.0f} %", f"{r['ratio']:.2f}"]
                        if "ratio" in r else ["-", "-", r["line"], "-", "-"]), "; ".join(r["misses"]) or "holds"]
         for r in results])


def scaling_table(results: Sequence[dict]) -> str:
    """results: see scaling.py."""
    def verdict(result):
        return "; ".join(result["misses"]) or ("holds" if result["counts"] else "does not count")

    def bound(value):
        return "-" if value is None else f"{value:.2f}"
    return rows_of(
        ["model", "one thread", "all threads", "ratio", "95 % bound", "machine", "verdict"],
        [[r["model"], *([format_time(r["seconds"]["one"]), format_time(r["seconds"]["all"]), f"{r['ratio']:.2f}",
                         bound(r["bound"]), f"{r['machine']:.2f}"] if "ratio" in r else ["-"] * 5), verdict(r)]
         for r in results])


def markers(name: str, writer: str = "peers.py"):
    return f"<!-- {name}: written by {writer} -->", f"<!-- end of {name} -->"


def replace_part(page: str, name: str, text: str, writer: str = "peers.py") -> str:
    """The page with what is between the markers of this name replaced."""
    begin, end = markers(name, writer)
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise ValueError(f"the page must have '{begin}' and '{end}' once, in this order")
    head, rest = page.split(begin)
    return f"{head}{begin}\n{text.strip()}\n{end}{rest.split(end)[1]}"


def report(results: Sequence[dict], contenders: Sequence[str], about: Dict[str, str]) -> str:
    """The text of a run: how it was taken, table, mean, what misses."""
    lines = [f"{key}: {value}  " for key, value in about.items()]
    misses = missing_lines(results)
    settings = []
    for name in contenders:
        used = sorted({r["contenders"][name].get("settings", "") for r in results} - {""})
        settings.append(f"- {name}: {' | '.join(used) or 'did not run'}")
    return "\n".join([*lines, "", speed_table(results, contenders), "", mean_line(results), "",
                      "Settings that were used:", "", *settings, "",
                      *(["What misses:", "", *misses] if misses else ["Every line holds, and every contender ran."])])
