"""A chart of the ratios as SVG: one bar for each model and peer."""
from typing import Dict, List, Sequence
from xml.sax.saxutils import escape

COLOURS = ["#3b6fb6", "#d1813a", "#4f9d69", "#9a5fb0", "#b04a5a", "#777777"]
LEFT, WIDTH, BAR, GAP, TOP = 130, 760, 11, 10, 56
# Bars end here; what is longer says so in figures.
MOST = 8.0


def draw(results: Sequence[dict], peers: Sequence[str], title: str) -> str:
    """Time of each peer over that of hgc; the line at 1 is hgc."""
    scale = (WIDTH - LEFT - 60) / MOST
    colours: Dict[str, str] = {peer: COLOURS[i % len(COLOURS)] for i, peer in enumerate(peers)}
    body: List[str] = []
    for i, peer in enumerate(peers):
        x = LEFT + 120 * i
        body.append(f'<rect x="{x}" y="30" width="10" height="10" fill="{colours[peer]}"/>'
                    f'<text x="{x + 14}" y="39">{escape(peer)}</text>')
    y = TOP
    for result in results:
        ratios = {ratio["peer"]: ratio["median"] for ratio in result["ratios"]}
        body.append(f'<text x="{LEFT - 6}" y="{y + BAR * len(peers) / 2 + 4:.0f}" text-anchor="end">'
                    f'{escape(result["model"])}</text>')
        for peer in peers:
            if peer in ratios:
                length = min(ratios[peer], MOST) * scale
                body.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 1}" fill="{colours[peer]}"/>'
                            f'<text x="{LEFT + length + 4:.1f}" y="{y + BAR - 2}" class="n">{ratios[peer]:.2f}</text>')
            else:
                body.append(f'<text x="{LEFT + 4}" y="{y + BAR - 2}" class="n">{escape(peer)} did not run</text>')
            y += BAR
        y += GAP
    one = LEFT + scale
    body.append(f'<line x1="{one:.1f}" y1="{TOP - 6}" x2="{one:.1f}" y2="{y}" stroke="#222" stroke-dasharray="4 3"/>'
                f'<text x="{one:.1f}" y="{y + 14}" text-anchor="middle">1 = hgc</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 24}" font-family="sans-serif" '
            f'font-size="11"><style>.n{{font-size:9px;fill:#444}}</style>'
            f'<rect width="100%" height="100%" fill="white"/>'
            f'<text x="{LEFT}" y="18" font-size="13">{escape(title)}</text>{"".join(body)}</svg>\n')
