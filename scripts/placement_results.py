#!/usr/bin/env python3
"""Places the networks of examples/zoo for several GPUs and writes the table of
docs/placement-results.md. All times are modelled: nothing is run.

    scripts/placement_results.py                  # writes the page
    scripts/placement_results.py --check          # fails if the page is not current
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "placement-results.md"
GPUS = ["a100", "t4", "orin"]
# Name in the table, model of the zoo, further options.
MODELS = [("MLP 784-128-10, batch 32", "mlp", ["--batch", "32"]),
          ("ResNet-50", "resnet50", []),
          ("Inception-like", "inception", []),
          ("BERT-like encoder", "encoder", []),
          ("GPT-2-like decoder", "decoder", []),
          ("recommender, batch 256", "recommender", ["--batch", "256"]),
          ("recommender, batch 1", "recommender", []),
          ("preprocess + network", "preprocess", [])]
BASELINES = [("all_cpu", "all CPU"), ("all_gpu", "all GPU"), ("greedy", "greedy"), ("heft", "HEFT"), ("m_etf", "m-ETF"),
             ("m_sct", "m-SCT"), ("cut", "cut alone")]
BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]


class Result:
    """What the placed module says about its entry in the GPU plan."""

    def __init__(self, text):
        start = text.index("hgc.certificate = {")
        certificate = text[start:text.index("hgc.entry", start)]
        number = lambda key: int(re.search(rf"\b{key} = (\d+)", certificate).group(1))
        self.serial, self.bound, self.makespan = number("serial_ps"), number("bound_ps"), number("makespan_ps")
        starts = re.search(r"makespans = \{([^}]*)\}", certificate).group(1)
        self.starts = {key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", starts)}
        entry = text[start:]
        decided = [line for line in entry.splitlines() if "hgc.decision" in line]
        self.on_gpu = sum("hgc.device = #hgc.device<gpu" in line for line in decided)
        self.on_cpu = len(decided) - self.on_gpu
        self.copies = entry.count("= hgc.transfer ")

    @property
    def is_mixed(self):
        return self.on_gpu > 0 and self.on_cpu > 0


def place(hgc, folder, model, options, gpu):
    source = folder / "model.mlir"
    with source.open("w") as file:
        subprocess.run([sys.executable, ROOT / "examples/zoo/zoo.py", model, *options], stdout=file, check=True)
    done = subprocess.run([hgc, "compile", source, "--gpu", gpu, "--emit=placed", "-o", "-"], stdout=subprocess.PIPE,
                          text=True, check=True)
    return Result(done.stdout)


def show_time(picoseconds):
    return f"{picoseconds / 1e6:.1f}" if picoseconds < 1e9 else f"{picoseconds / 1e6:.0f}"


def write_table(results, lines):
    lines += ["| model | GPU | " + " | ".join(title for _, title in BASELINES) + " | **hgc** | serial cost | bound | ops CPU / GPU | copies |",
              "|---|---|" + "---:|" * (len(BASELINES) + 5)]
    for (title, gpu), result in results.items():
        starts = " | ".join(show_time(result.starts[key]) for key, _ in BASELINES)
        lines.append(f"| {title} | {gpu} | {starts} | **{show_time(result.makespan)}** | {show_time(result.serial)} | "
                     f"{show_time(result.bound)} | {result.on_cpu} / {result.on_gpu} | {result.copies} |")


def find_crossing(hgc, folder, gpu):
    """The smallest batch for which some of the MLP runs on the GPU, and all of it."""
    some = every = None
    for batch in BATCHES:
        result = place(hgc, folder, "mlp", ["--batch", str(batch)], gpu)
        if result.on_gpu and some is None:
            some = batch
        if result.on_gpu and not result.on_cpu:
            every = batch
            break
    return some, every


def make_page(hgc, folder):
    results = {}
    for title, model, options in MODELS:
        for gpu in GPUS:
            print(f"placing {title} for {gpu}", file=sys.stderr, flush=True)
            results[title, gpu] = place(hgc, folder, model, options, gpu)
    worse = [key for key, r in results.items() if r.makespan > min(r.starts.values())]
    if worse:
        sys.exit(f"error: a baseline beats the plan: {worse}")
    cut_wins = sum(r.makespan == r.starts["cut"] for r in results.values())
    mixed = sorted({title for (title, _), r in results.items() if r.is_mixed})
    lines = ["# Placement results", "",
             "Written by `scripts/placement_results.py`; every figure is modelled with the tables of `lib/Target/tables`, none is",
             "measured. The models are those of `examples/zoo`, in f32, for the CPU x86-64-v3.", "",
             "Times in microseconds. The columns before **hgc** are the simulated makespans of the other ways to place; **hgc** is",
             "the plan that is compiled. Its serial cost (without overlap) and the bound that no placement's serial cost can beat",
             "are next to it.", ""]
    write_table(results, lines)
    lines += ["", f"- The plan is never slower than any baseline: {len(results)} of {len(results)} rows.",
              f"- The cut alone gives the best makespan in {cut_wins} of {len(results)} rows; in the others the search improved on it.",
              f"- Plans that use both devices: {'; '.join(mixed) if mixed else 'none'}.", "",
              "## When the MLP moves to the GPU", "",
              "Smallest batch (of powers of two up to 16384) at which the MLP 784-128-10 leaves the CPU:", "",
              "| GPU | first op on the GPU | all on the GPU |", "|---|---:|---:|"]
    for gpu in GPUS:
        print(f"looking for the MLP's batch on {gpu}", file=sys.stderr, flush=True)
        some, every = find_crossing(hgc, folder, gpu)
        lines.append(f"| {gpu} | {some or 'never'} | {every or 'never'} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--check", action="store_true", help="compare with the page instead of writing it")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = make_page(args.build.resolve() / "bin" / "hgc", pathlib.Path(folder))
    if not args.check:
        PAGE.write_text(page)
    elif PAGE.read_text() != page:
        sys.exit(f"error: {PAGE.relative_to(ROOT)} is not current\nhint: run scripts/placement_results.py")


if __name__ == "__main__":
    main()
