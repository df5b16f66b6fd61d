"""Plants a bug in what hgc compiled: plant.py KIND NUMBER SOURCE TARGET.

barrier  blanks the NUMBER-th barrier of the PTX inside a library
store    widens the NUMBER-th scalar 32-bit store of the PTX to 64 bits
block    lets all blocks take themselves for the first, at the NUMBER-th place
wait     drops the NUMBER-th exec.wait of a program in text form
"""
import re
import sys

kind, number, source, target = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
data = open(source, "rb").read()
patterns = {
    "barrier": rb"bar\.sync[ \t]+0;",
    "store": rb"st\.global\.b32[ \t]+\[(%rd\d+)\], (%r\d+);",
    "block": rb"%ctaid\.x",
    "wait": rb"[^\n]*exec\.wait[^\n]*\n",
}
found = list(re.finditer(patterns[kind], data))
if not 1 <= number <= len(found):
    sys.exit(f"{source} has {len(found)} of '{kind}', wanted number {number}")
match = found[number - 1]
new = b""
if kind == "store":
    new = b"st.global.b64 [%s],%s;" % (match[1], match[1])
if kind == "block":
    new = b"%ctaid.z"
if kind != "wait":
    # A library keeps its layout.
    assert len(new) <= len(match[0]), match[0]
    new = new.ljust(len(match[0]))
open(target, "wb").write(data[:match.start()] + new + data[match.end():])
