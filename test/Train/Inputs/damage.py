"""Copies of a checkpoint that are cut, flipped, edited, or no checkpoint: damage.py FILE FOLDER."""
import pathlib
import sys

data, folder = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2])


def write(name, contents):
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "checkpoint.safetensors").write_bytes(contents)


write("cut", data[:-10])
write("flipped", data[:-1] + bytes([data[-1] ^ 1]))
write("edited", data.replace(b'\\"sums\\"', b'\\"sumz\\"'))
write("foreign", data.replace(b"hgc.checkpoint", b"hgc.checkpoinz"))
