"""check_page.py PAGE PNG [--dark] [--search TEXT] [--hidden ID,...]: opens a report in headless Chromium and looks at
it: no script fails, every part is there, and no part of the picture is blank."""
import argparse
import collections
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

PARTS = ["cards", "alternatives", "reasons", "graph", "canvas", "timeline", "memory", "ops", "transfers", "kernels"]
# Run behind the page's own script; says where the parts are.
PROBE = """
<script>
addEventListener("load", () => {
  const root = document.documentElement;
  if ("THEME" && root.dataset.theme !== "THEME") document.getElementById("theme").click();
  if ("SEARCH") {
    document.getElementById("search").value = "SEARCH";
    document.getElementById("search").dispatchEvent(new Event("input"));
    document.getElementById("search").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  }
  document.querySelector("#ops th").click();
  const boxes = {};
  for (const id of PARTS) {
    const box = document.getElementById(id).getBoundingClientRect();
    boxes[id] = [box.left, box.top + scrollY, box.width, box.height].map(Math.round);
  }
  root.dataset.matches = document.getElementById("matches").textContent;
  root.dataset.sorted = document.querySelector("#ops th").getAttribute("aria-sort");
  root.dataset.boxes = JSON.stringify(boxes);
});
</script>
</body>"""
SIZE = 1400, 3600
# Pixels of the picture per pixel of the page: fewer are read faster.
SCALE = 0.5


def browse(*arguments):
    name = next(filter(shutil.which, ["chromium", "chromium-browser", "google-chrome"]))
    with tempfile.TemporaryDirectory() as profile:
        command = [name, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
                   f"--window-size={SIZE[0]},{SIZE[1]}", f"--force-device-scale-factor={SCALE}", "--virtual-time-budget=5000", "--run-all-compositor-stages-before-draw",
                   *arguments]
        environment = dict(os.environ, HOME=profile)
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, env=environment).stdout.decode()


def read_png(path):
    """Rows of (r, g, b) bytes of an 8-bit PNG without interlacing."""
    data = open(path, "rb").read()
    at, pixels = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6) and body[12] == 0, "an unusual PNG"
        elif kind == b"IDAT":
            pixels += body
        at += length + 12
    step = 3 if color == 2 else 4
    raw, rows, last = zlib.decompress(pixels), [], bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        row = bytearray(raw[start + 1:start + 1 + width * step])
        unfilter(raw[start], row, last, step)
        rows.append(row)
        last = row
    return rows, step


def unfilter(kind, row, last, step):
    for i in range(len(row)) if kind else ():
        left = row[i - step] if i >= step else 0
        up, corner = last[i], last[i - step] if i >= step else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + up) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        else:
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
            row[i] = (row[i] + nearest[2]) & 255


def colors(rows, step, box):
    left, top, width, height = (round(n * SCALE) for n in box)
    counts = collections.Counter()
    for row in rows[top:top + height]:
        counts.update(zip(*(row[left * step + c:(left + width) * step:step] for c in range(3))))
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("png")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--search", default="")
    parser.add_argument("--hidden", default="", help="parts that this page does not have")
    args = parser.parse_args()
    hidden = args.hidden.split(",")
    probe = PROBE.replace("THEME", "dark" if args.dark else "light").replace("SEARCH", args.search).replace("PARTS", json.dumps(PARTS))
    probed = args.page + ".probe.html"
    with open(args.page) as source, open(probed, "w") as target:
        target.write(source.read().replace("</body>", probe))
    url = "file://" + os.path.abspath(probed)
    dom = browse("--dump-dom", url)
    root = dict(re.findall(r'data-(\w+)="([^"]*)"', re.search(r"<html[^>]*>", dom).group(0)))
    if root.get("ready") != "yes" or "error" in root or "boxes" not in root:
        sys.exit(f"the page's script failed: {root.get('error', 'it did not finish')}")
    if root["sorted"] != "ascending" and root["sorted"] != "descending":
        sys.exit("the table of ops does not sort")
    if args.search:
        print("search:", root["matches"])
    boxes = json.loads(root["boxes"].replace("&quot;", '"'))
    browse(f"--screenshot={os.path.abspath(args.png)}", url)
    rows, step = read_png(args.png)
    bad = 0
    for name, box in boxes.items():
        if name in hidden:
            if box[2] * box[3]:
                sys.exit(f"{name}: shown, expected to be hidden")
            continue
        counts = colors(rows, step, box)
        total = sum(counts.values())
        share = counts.most_common(1)[0][1] / total if total else 1
        # Text alone brings some hundred shades of its colour.
        if total < 20000 * SCALE * SCALE or share > 0.995 or len(counts) < 30:
            print(f"{name}: blank or too small: {box}, {len(counts)} colours, {share:.3f} of it one")
            bad += 1
    if boxes["kernels"][1] + boxes["kernels"][3] > len(rows) / SCALE:
        sys.exit("the picture ends before the page does")
    print(f"{len(boxes) - len(hidden) + (hidden == [''])} parts, {bad} blank")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
