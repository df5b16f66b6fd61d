#!/usr/bin/env python3
"""Times compiled models against ONNX Runtime, OpenVINO, JAX, PyTorch and IREE.

    benchmarks/peers.py --build build --threads 1
    benchmarks/peers.py --build build --threads 2 --update-readme
    benchmarks/peers.py --exact-conv
    benchmarks/peers.py --neighbours
    benchmarks/peers.py --threads 2 --scaling
    benchmarks/peers.py --quick --models mlp_b1,softmax --peers onnxruntime,openvino

Packages come from PyPI into BUILD/peers-env, models and results go to BUILD/peers.
Exits with 1 when a line misses what it should show.
"""
import argparse
import json
import sys

from peers import command, environment

PEERS = ["onnxruntime", "openvino", "jax", "torch", "iree"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_options(parser, PEERS)
    parser.add_argument("--exact-conv", action="store_true",
                        help="hgc computes no Winograd convolutions; lines need no more than a bound of 1")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--startup", action="store_true", help="load time, memory, sizes and compile time instead")
    kind.add_argument("--neighbours", action="store_true",
                      help="hgc on models of other extents instead, as shares of the peak")
    kind.add_argument("--scaling", action="store_true", help="hgc on all threads against one instead")
    args = command.parse(parser, PEERS)
    if args.exact_conv:
        args.hgc_flag.append("--exact-conv")
    if args.scaling and args.threads < 2:
        parser.error("--scaling compares one thread with more; add --threads 2")
    return parser, args


def run_speed(args, lines, plan, work, absent):
    from peers import chart, measure, models, tables
    results = []
    for line in lines:
        folder = work / line.name
        if args.exact_conv:
            line = line._replace(floor=1.0)
        try:
            models.export(line.name, folder)
            _, reason = command.compile_model(args, folder / "model.onnx", folder / "model.so")
            about = json.loads((folder / "model.json").read_text())
            results.append(measure.measure(line, folder, about, plan, absent, reason))
        except models.ExportFailed as error:
            results.append(measure.failed(line, plan, str(error)))
        print(f"{line.name}: {'; '.join(results[-1]['misses']) or 'holds'}", file=sys.stderr, flush=True)
    about = command.describe_run(args, plan, [peer for peer in args.peers if peer not in absent])
    stem = f"speed-{args.threads}" + ("-exact-conv" if args.exact_conv else "")
    title = f"Time of peers over time of hgc, threads: {args.threads}"
    (work / f"{stem}.svg").write_text(chart.draw(results, args.peers, title))
    text = tables.report(results, plan.contenders, about)
    marker = f"speed, threads {args.threads}" + (", exact convolutions" if args.exact_conv else "")
    command.write_results(args, work, stem, text, {"about": about, "results": results}, marker)
    return 1 if any(result["misses"] for result in results) else 0


def run_startup(args, lines, plan, work, absent):
    from peers import models, startup, tables
    rows = []
    for line in lines:
        folder = work / line.name
        seconds, missing = 0.0, dict(absent)
        try:
            models.export(line.name, folder)
            seconds, reason = command.compile_model(args, folder / "model.onnx", folder / "model.so")
            if reason:
                missing["hgc"] = reason
        except models.ExportFailed as error:
            missing = dict.fromkeys(plan.contenders, str(error))
        rows += [startup.measure(name, folder, plan, seconds, missing.get(name)) for name in plan.contenders]
        print(f"{line.name}: done", file=sys.stderr, flush=True)
    text = f"Machine: {command.describe_machine()}  \nThreads: {args.threads}\n\n{tables.startup_table(rows)}"
    command.write_results(args, work, f"startup-{args.threads}", text, rows, "startup")
    return 0


def run_neighbours(args, pairs, plan, work, _):
    from peers import models, neighbours, tables
    results, reasons = [], {}

    def prepare(name):
        """Why there is no library; each is made once."""
        try:
            neighbours.export(name, work / name)
            return command.compile_model(args, work / name / "model.onnx", work / name / "model.so")[1]
        except models.ExportFailed as error:
            return str(error)

    for pair in pairs:
        for name in pair:
            if name not in reasons:
                reasons[name] = prepare(name)
        reason = "; ".join(reasons[name] for name in pair if reasons[name])
        results.append(neighbours.failed(pair, reason) if reason else neighbours.measure_pair(pair, work, plan))
        print(f"{pair.name}: {'; '.join(results[-1]['misses']) or 'holds'}", file=sys.stderr, flush=True)
    return finish_alone(args, plan, work, results, "neighbours", tables.neighbour_table(results))


def finish_alone(args, plan, work, results, kind, table):
    """Writes results of hgc alone, and says whether they are what they should be."""
    about = command.describe_run(args, plan, [])
    text = "\n".join([*(f"{key}: {value}  " for key, value in about.items() if value), "", table])
    command.write_results(args, work, f"{kind}-{args.threads}", text, {"about": about, "results": results}, kind)
    return 1 if any(result["misses"] for result in results) else 0


def run_scaling(args, lines, plan, work, _):
    from peers import models, scaling, tables
    results = []
    for line in lines:
        folder = work / line.name
        try:
            models.export(line.name, folder)
            _, reason = command.compile_model(args, folder / "model.onnx", folder / "model.so")
            about = json.loads((folder / "model.json").read_text())
            results.append(scaling.failed(line, reason) if reason else
                           scaling.measure_line(line, folder, about, plan))
        except models.ExportFailed as error:
            results.append(scaling.failed(line, str(error)))
        print(f"{line.name}: {'; '.join(results[-1]['misses']) or 'holds'}", file=sys.stderr, flush=True)
    return finish_alone(args, plan, work, results, "scaling", tables.scaling_table(results))


def main():
    parser, args = parse()
    folder = environment.enter(args.build)
    from peers import models, neighbours
    lines = command.choose_lines(parser, args, neighbours.NEIGHBOURS if args.neighbours else models.LINES)
    work = args.build.resolve() / "peers"
    plan = command.make_plan(args, work, "peers")
    absent = {} if args.neighbours or args.scaling else environment.install_peers(folder, args.peers)
    kinds = {run_startup: args.startup, run_neighbours: args.neighbours, run_scaling: args.scaling}
    run = next((kind for kind, asked in kinds.items() if asked), run_speed)
    return run(args, lines, plan, work, absent)


if __name__ == "__main__":
    sys.exit(main())
