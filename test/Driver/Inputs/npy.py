"""npy.py FILE DTYPE SHAPE VALUE: writes a .npy (or .npz, key x) whose elements
are all VALUE, without NumPy. `--cut N` at the end keeps the first N bytes only.
DTYPE is NumPy's, such as <f4; SHAPE is 2x3."""
import io
import struct
import sys
import zipfile

path, dtype, shape, value = sys.argv[1:5]
extents = [int(e) for e in shape.split("x")] if shape else []
count = 1
for extent in extents:
    count *= extent
code = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|u1": "B", "|b1": "?", "<f2": "e"}[dtype]
header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (dtype, "".join("%d, " % e for e in extents))
header = header.ljust(117) + "\n"
number = float(value) if code in "fde" else int(value)
data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<" + code, number) * count
if path.endswith(".npz"):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("x.npy", data)
    data = archive.getvalue()
if "--cut" in sys.argv:
    data = data[:int(sys.argv[sys.argv.index("--cut") + 1])]
with open(path, "wb") as out:
    out.write(data)
