#!/usr/bin/env python3
"""Times compiled models against ONNX Runtime, OpenVINO, JAX and PyTorch.

    benchmarks/peers.py --build build --threads 1
    benchmarks/peers.py --build build --threads 2 --update-readme
    benchmarks/peers.py --quick --models mlp_b1,softmax --peers onnxruntime,openvino

Packages come from PyPI into BUILD/peers-env, models and results go to BUILD/peers.
Exits with 1 when a line misses what it should show.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time
from typing import List, NamedTuple

from peers import environment

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["onnxruntime", "openvino", "jax", "torch"]


class Plan(NamedTuple):
    """How to measure."""
    contenders: List[str]
    cores: List[int]
    native: pathlib.Path
    rounds: int
    seconds: float  # of a slice
    patience: float  # seconds until an answer counts as none
    quick: bool


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build", help="build tree with bin/hgc")
    parser.add_argument("--threads", type=int, default=1, help="threads, and cores, of every contender")
    parser.add_argument("--models", help="only these lines, with commas")
    parser.add_argument("--peers", default=",".join(PEERS), help="only these peers, with commas")
    parser.add_argument("--rounds", type=int, help="how often each contender has a turn (15, with --quick 5)")
    parser.add_argument("--seconds", type=float, help="length of a turn (0.5, with --quick 0.1)")
    parser.add_argument("--patience", type=float, default=900, help="seconds until a contender counts as failed")
    parser.add_argument("--quick", action="store_true", help="few lines and short turns; PyTorch does not compile")
    parser.add_argument("--startup", action="store_true", help="load time, memory, sizes and compile time instead")
    parser.add_argument("--hgc-flag", action="append", default=[], help="a further option of hgc compile")
    parser.add_argument("--update-readme", action="store_true", help="write the table into benchmarks/README.md")
    args = parser.parse_args()
    available = len(os.sched_getaffinity(0))
    if not 1 <= args.threads <= available:
        parser.error(f"--threads must be 1 to {available}, the cores of this machine")
    args.peers = [peer for peer in args.peers.split(",") if peer]
    unknown = [peer for peer in args.peers if peer not in PEERS]
    if unknown:
        parser.error(f"no peer '{unknown[0]}'; there are {', '.join(PEERS)}")
    if args.update_readme and (args.models or args.quick or args.peers != PEERS or args.threads > 2):
        parser.error("--update-readme needs all lines and peers, on one or two threads")
    return parser, args


def choose_lines(parser, args, models):
    if not args.models:
        return [line for line in models.LINES if line.quick or not args.quick]
    unknown = [name for name in args.models.split(",") if name not in models.BY_NAME]
    if unknown:
        parser.error(f"no model '{unknown[0]}'; there are {', '.join(models.BY_NAME)}")
    return [models.BY_NAME[name] for name in args.models.split(",")]


def compile_model(args, folder):
    """Seconds that hgc took, and None; or why it could not."""
    command = [str(args.build / "bin" / "hgc"), "compile", str(folder / "model.onnx"), "-o", str(folder / "model.so"),
               "--name=model", "--target-cpu=native", *args.hgc_flag]
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=args.patience)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 0.0, f"hgc compile failed: {error}"
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error:" in line]
        return 0.0, f"hgc compile failed: {lines[0][:300] if lines else done.returncode}"
    return time.perf_counter() - start, None


def describe_machine():
    info = pathlib.Path("/proc/cpuinfo")
    names = [line.split(":")[1].strip() for line in (info.read_text().splitlines() if info.exists() else [])
             if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def package_versions(peers):
    import importlib.metadata
    return ", ".join(f"{peer} {importlib.metadata.version(peer)}" for peer in peers)


def write_results(args, work, stem, text, data, marker):
    (work / f"{stem}.json").write_text(json.dumps(data, indent=1) + "\n")
    (work / f"{stem}.md").write_text(text + "\n")
    print(text)
    print(f"\nwrote {work / stem}.json and .md", file=sys.stderr)
    if args.update_readme:
        from peers import tables
        page = HERE / "README.md"
        page.write_text(tables.replace_part(page.read_text(), marker, text))


def run_speed(args, lines, plan, work, absent):
    from peers import chart, measure, models, tables
    results = []
    for line in lines:
        folder = work / line.name
        try:
            models.export(line.name, folder)
            _, reason = compile_model(args, folder)
            about = json.loads((folder / "model.json").read_text())
            results.append(measure.measure(line, folder, about, plan, absent, reason))
        except models.ExportFailed as error:
            results.append(measure.failed(line, plan, str(error)))
        print(f"{line.name}: {'; '.join(results[-1]['misses']) or 'holds'}", file=sys.stderr, flush=True)
    about = {"Machine": describe_machine(), "Threads": str(args.threads),
             "Rounds": f"{plan.rounds} of {plan.seconds:g} s each", "Versions": package_versions(
                 [peer for peer in args.peers if peer not in absent])}
    if args.hgc_flag:
        about["Options of hgc"] = " ".join(args.hgc_flag)
    stem = f"speed-{args.threads}"
    title = f"Time of peers over time of hgc, threads: {args.threads}"
    (work / f"{stem}.svg").write_text(chart.draw(results, args.peers, title))
    text = tables.report(results, plan.contenders, about)
    write_results(args, work, stem, text, {"about": about, "results": results}, f"speed, threads {args.threads}")
    return 1 if any(result["misses"] for result in results) else 0


def run_startup(args, lines, plan, work, absent):
    from peers import models, startup, tables
    rows = []
    for line in lines:
        folder = work / line.name
        seconds, missing = 0.0, dict(absent)
        try:
            models.export(line.name, folder)
            seconds, reason = compile_model(args, folder)
            if reason:
                missing["hgc"] = reason
        except models.ExportFailed as error:
            missing = dict.fromkeys(plan.contenders, str(error))
        rows += [startup.measure(name, folder, plan, seconds, missing.get(name)) for name in plan.contenders]
        print(f"{line.name}: done", file=sys.stderr, flush=True)
    text = f"Machine: {describe_machine()}  \nThreads: {args.threads}\n\n{tables.startup_table(rows)}"
    write_results(args, work, f"startup-{args.threads}", text, rows, "startup")
    return 0


def main():
    parser, args = parse()
    folder = environment.enter(args.build)
    from peers import models, native
    lines = choose_lines(parser, args, models)
    work = args.build.resolve() / "peers"
    work.mkdir(exist_ok=True)
    absent = environment.install_peers(folder, args.peers)
    plan = Plan(contenders=["hgc", *args.peers], cores=sorted(os.sched_getaffinity(0))[:args.threads],
                native=native.build(work), rounds=args.rounds or (5 if args.quick else 15),
                seconds=args.seconds or (0.1 if args.quick else 0.5), patience=args.patience, quick=args.quick)
    return (run_startup if args.startup else run_speed)(args, lines, plan, work, absent)


if __name__ == "__main__":
    sys.exit(main())
