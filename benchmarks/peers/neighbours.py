"""Models beside the lines of the table: other batches, images, sequences and numbers
of channels, which nobody has tuned for. Each should come as close to the peak as its
line does; both are timed in turns.
"""
import contextlib
import json
import statistics
from typing import NamedTuple

from . import measure, models

# Least share of the line's percentage.
FLOOR = 0.9


class Neighbour(NamedTuple):
    """A model, and the line it is compared with: one of the table, or one that is made here."""
    name: str
    line: str
    quick = True  # all of them with --quick, too


NEIGHBOURS = [
    Neighbour("mlp_b7", "mlp_b32"), Neighbour("mnist_cnn_b7", "mnist_cnn_b32"),
    Neighbour("mobilenet_v2_i200", "mobilenet_v2"), Neighbour("resnet18_i200", "resnet18"),
    Neighbour("minilm_s96", "minilm_s128"), Neighbour("conv3x3_c100", "conv3x3_c96"),
    Neighbour("conv1x1_c100", "conv1x1_c96"),
]


def make_conv(channels, taps):
    import torch
    nn = torch.nn
    return nn.Sequential(nn.Conv2d(channels, channels, taps, padding=taps // 2), nn.ReLU()), (
        torch.randn(1, channels, 56, 56),)


def makers():
    return {
        **models.makers(),
        "mlp_b7": lambda: models.make_mlp(7), "mnist_cnn_b7": lambda: models.make_mnist_cnn(7),
        "mobilenet_v2_i200": lambda: models.make_classifier("mobilenet_v2", size=200),
        "resnet18_i200": lambda: models.make_classifier("resnet18", size=200),
        "minilm_s96": lambda: models.make_transformer(6, 384, 12, 30522, 96, causal=False),
        **{f"conv{taps}x{taps}_c{channels}": lambda channels=channels, taps=taps: make_conv(channels, taps)
           for taps in (1, 3) for channels in (96, 100)},
    }


def export(name, folder):
    """As of models.py; lines of the table are the same files."""
    if any(line.name == name for line in models.LINES):
        return models.export(name, folder)
    return models.export(name, folder, makers(), [__file__])


def failed(pair, reason) -> dict:
    return {"model": pair.name, "line": pair.line, "misses": [reason]}


def measure_pair(pair, work, plan) -> dict:
    """Both models are compiled; see run_neighbours of peers.py."""
    entries = {name: {} for name in pair}
    flops = {name: json.loads((work / name / "model.json").read_text())["flops"] for name in pair}
    rates = [measure.limit("compute", {"bytes": 0}, plan)]
    with contextlib.ExitStack() as stack:
        running = {name: measure.start(stack, "hgc", models.Line(name), work / name, plan, {"hgc": entries[name]})
                   for name in pair}
        rounds = measure.time_in_turns({name: c for name, c in running.items() if c}, plan, entries)
    rates.append(measure.limit("compute", {"bytes": 0}, plan))
    reasons = [f"{name} did not run: {entry['reason']}" for name, entry in entries.items() if "reason" in entry]
    if reasons:
        return failed(pair, "; ".join(reasons))
    return compare(pair, rounds, flops, max(rates))


def compare(pair, rounds, flops, limit) -> dict:
    """rounds: seconds of a call, by model and round; limit: FLOP/s."""
    work = flops[pair.name] / flops[pair.line]
    ratio = statistics.median(work * theirs / ours for ours, theirs in zip(rounds[pair.name], rounds[pair.line]))
    medians = {name: statistics.median(times) for name, times in rounds.items()}
    shares = {name: flops[name] / seconds / limit for name, seconds in medians.items()}
    misses = [f"{ratio:.2f} of its line is below {FLOOR:g}"] if ratio < FLOOR else []
    return {"model": pair.name, "line": pair.line, "seconds": medians[pair.name], "share": shares[pair.name],
            "line_share": shares[pair.line], "limit": limit, "ratio": ratio, "rounds": rounds, "misses": misses}
