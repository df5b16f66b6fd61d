"""Small data sets in all formats: data.py FOLDER."""
import gzip
import pathlib
import struct
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(1)
rows = 61  # a prime: the last batch is never full
labels = rng.integers(0, 3, rows).astype(np.int64)
centres = np.array([[2, 0, 0, 1], [0, 2, 0, 1], [0, 0, 2, 1]], np.float32)
x = (centres[labels] + rng.normal(0, 0.5, (rows, 4))).astype(np.float32)
np.save(folder / "x.npy", x)
np.save(folder / "y.npy", labels)
np.savez(folder / "all.npz", x=x, y=labels)
np.savez_compressed(folder / "packed.npz", x=x.astype(np.float64), labels=labels.astype(np.float64))
with open(folder / "all.csv", "w") as f:
    f.write("a,b,c,d,label\n")
    for row, label in zip(x, labels):
        f.write(",".join(repr(float(v)) for v in row) + f",{label}\n")
images = np.clip(x * 60 + 60, 0, 255).astype(np.uint8).reshape(rows, 2, 2)
for name, array in (("images", images), ("labels", labels.astype(np.uint8))):
    data = struct.pack(">HBB", 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()
    (folder / f"{name}.idx").write_bytes(data)
    (folder / f"{name}.gz").write_bytes(gzip.compress(data))
# A few pictures of clothes, as far as their format goes.
kinds = np.arange(100) % 10
clothes = (rng.integers(0, 90, (100, 28, 28)) + 16 * kinds[:, None, None]).astype(np.uint8)
np.savez(folder / "clothes.npz", x=clothes, labels=kinds.astype(np.uint8))
# What goes wrong in practice.
(folder / "cut.gz").write_bytes(gzip.compress(images.tobytes())[:40])
bad = labels.copy()
bad[7] = 3
np.save(folder / "y-range.npy", bad)
np.save(folder / "y-float.npy", labels + 0.5)
np.save(folder / "y-short.npy", labels[:60])
np.save(folder / "x-wide.npy", np.zeros((rows, 5), np.float32))
np.save(folder / "x-none.npy", np.zeros((0, 4), np.float32))
np.save(folder / "number.npy", np.float32(1))
np.save(folder / "y-onehot.npy", np.eye(3, dtype=np.float32)[labels])
huge = x.copy()
huge[20] = np.nan
np.save(folder / "x-huge.npy", huge)
(folder / "text.csv").write_text("a,b,c,d,label\n1,2,3,4,setosa\n")
