"""Writes 200 small pictures and their classes as MNIST's files: write_images.py IMAGES.gz LABELS.gz"""
import gzip
import struct
import sys

import numpy as np

COUNT = 200
labels = np.arange(COUNT, dtype=np.uint8) * 7 % 10
images = np.random.default_rng(1).integers(0, 100, (COUNT, 28, 28), np.uint8)
for image, label in zip(images, labels):
    image[2 * label:2 * label + 4] = 250
with gzip.open(sys.argv[1], "wb") as file:
    file.write(struct.pack(">IIII", 0x803, COUNT, 28, 28) + images.tobytes())
with gzip.open(sys.argv[2], "wb") as file:
    file.write(struct.pack(">II", 0x801, COUNT) + labels.tobytes())
