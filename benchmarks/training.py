#!/usr/bin/env python3
"""Times training steps of compiled models against Keras on TensorFlow, JAX and PyTorch.

    benchmarks/training.py --build build --threads 1
    benchmarks/training.py --build build --threads 2 --update-readme
    benchmarks/training.py --quick
    benchmarks/training.py --threads 1 --report

Packages come from PyPI into BUILD/peers-env, results go to BUILD/training.
Exits with 1 when a line misses what it should show.
"""
import argparse
import json
import sys

from peers import command, environment

PEERS = ["keras", "jax", "torch", "torch_fused", "torch_compile"]
# Distributions of PyPI whose versions the report names, by peer.
PACKAGES = {"keras": ["keras", "tensorflow-cpu"], "jax": ["jax"], "torch": ["torch"]}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_options(parser, PEERS)
    parser.add_argument("--report", action="store_true",
                        help="measure nothing: the table of the lines that were measured last")
    args = command.parse(parser, PEERS)
    if args.quick and args.peers == PEERS:
        args.peers = [peer for peer in PEERS if peer != "torch_compile"]
    return parser, args


def measure_line(args, line, plan, folder, absent):
    from peers import measure
    from training import cases
    about = cases.export(line, folder)
    _, reason = command.compile_model(args, cases.ROOT / cases.NETWORKS[line.network].source, folder / "model.so",
                                      *cases.HGC_FLAGS, f"--dim=batch={line.batch}")
    result = measure.measure(line, folder, about, plan, absent, reason)
    result["rounds"] = f"{plan.rounds} of {plan.seconds:g} s each"
    print(f"{line.name}: {'; '.join(result['misses']) or 'holds'}", file=sys.stderr, flush=True)
    (folder / f"result-{args.threads}.json").write_text(json.dumps(result, indent=1) + "\n")
    return result


def read_result(args, folder):
    path = folder / f"result-{args.threads}.json"
    if not path.exists():
        raise SystemExit(f"error: {folder.name} was not measured on this number of threads\n"
                         f"hint: leave --report out, or name lines that were with --models")
    return json.loads(path.read_text())


def write_report(args, plan, work, results, absent):
    from peers import chart, tables
    packages = [name for peer, names in PACKAGES.items() if peer in args.peers and peer not in absent for name in names]
    about = command.describe_run(args, plan, packages)
    about["Rounds"] = "; ".join(sorted({result["rounds"] for result in results}))
    stem = f"training-{args.threads}"
    title = f"Time of a training step of peers over that of hgc, threads: {args.threads}"
    (work / f"{stem}.svg").write_text(chart.draw(results, args.peers, title))
    text = tables.report(results, plan.contenders, about)
    command.write_results(args, work, stem, text, {"about": about, "results": results},
                          f"training, threads {args.threads}", "training.py")


def main():
    parser, args = parse()
    folder = environment.enter(args.build)
    from training import cases
    lines = command.choose_lines(parser, args, cases.LINES)
    work = args.build.resolve() / "training"
    plan = command.make_plan(args, work, "training")
    absent = environment.install_peers(folder, args.peers)
    results = [read_result(args, work / line.name) if args.report
               else measure_line(args, line, plan, work / line.name, absent) for line in lines]
    write_report(args, plan, work, results, absent)
    return 1 if any(result["misses"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
