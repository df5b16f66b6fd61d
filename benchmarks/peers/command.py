"""What the commands of the comparisons share: options, the machine, the compiler, files of results."""
import importlib.metadata
import json
import os
import pathlib
import platform
import subprocess
import sys
import time
from typing import List, NamedTuple

from . import native, tables, watch

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
# Names on PyPI that differ from those of the peers.
DISTRIBUTIONS = {"iree": "iree-base-compiler"}


class Plan(NamedTuple):
    """How to measure."""
    contenders: List[str]
    cores: List[int]
    native: pathlib.Path
    rounds: int
    seconds: float  # of a slice
    patience: float  # seconds until an answer counts as none
    quick: bool
    package: str  # of the contenders
    watch: watch.Watch


def add_options(parser, peers):
    """Options of every comparison; peers: names of all there are."""
    parser.add_argument("--build", type=pathlib.Path, default=BENCHMARKS.parent / "build",
                        help="build tree with bin/hgc")
    parser.add_argument("--threads", type=int, default=1, help="threads, and cores, of every contender")
    parser.add_argument("--models", help="only these lines, with commas")
    parser.add_argument("--peers", default=",".join(peers), help="only these peers, with commas")
    parser.add_argument("--rounds", type=int, help="how often each contender has a turn (15, with --quick 5)")
    parser.add_argument("--seconds", type=float, help="length of a turn (0.5, with --quick 0.1)")
    parser.add_argument("--patience", type=float, default=900, help="seconds until a contender counts as failed")
    parser.add_argument("--quick", action="store_true", help="few lines and short turns; PyTorch does not compile")
    parser.add_argument("--hgc-flag", action="append", default=[], help="a further option of hgc compile")
    parser.add_argument("--update-readme", action="store_true", help="write the table into benchmarks/README.md")


def parse(parser, peers):
    """The options, checked; --peers as a list."""
    args = parser.parse_args()
    available = len(os.sched_getaffinity(0))
    if not 1 <= args.threads <= available:
        parser.error(f"--threads must be 1 to {available}, the cores of this machine")
    args.peers = [peer for peer in args.peers.split(",") if peer]
    unknown = [peer for peer in args.peers if peer not in peers]
    if unknown:
        parser.error(f"no peer '{unknown[0]}'; there are {', '.join(peers)}")
    if args.update_readme and (args.models or args.quick or args.peers != peers or args.threads > 2):
        parser.error("--update-readme needs all lines and peers, on one or two threads")
    return args


def choose_lines(parser, args, lines):
    if not args.models:
        return [line for line in lines if line.quick or not args.quick]
    by_name = {line.name: line for line in lines}
    unknown = [name for name in args.models.split(",") if name not in by_name]
    if unknown:
        parser.error(f"no model '{unknown[0]}'; there are {', '.join(by_name)}")
    return [by_name[name] for name in args.models.split(",")]


def make_plan(args, work, package):
    """Also makes the folder of results."""
    work.mkdir(exist_ok=True)
    cores, library = sorted(os.sched_getaffinity(0))[:args.threads], native.build(work)
    return Plan(contenders=["hgc", *args.peers], cores=cores, native=library,
                rounds=args.rounds or (5 if args.quick else 15), seconds=args.seconds or (0.1 if args.quick else 0.5),
                patience=args.patience, quick=args.quick, package=package, watch=watch.Watch(library, cores))


def compile_model(args, source, library, *flags):
    """Seconds that hgc took, and None; or why it could not."""
    command = [str(args.build / "bin" / "hgc"), "compile", str(source), "-o", str(library), "--name=model",
               "--target-cpu=native", *flags, *args.hgc_flag]
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


def describe_run(args, plan, packages):
    """The first lines of a report."""
    about = {"Machine": describe_machine(), "Threads": str(args.threads),
             "Rounds": f"{plan.rounds} of {plan.seconds:g} s each",
             "Versions": ", ".join(f"{name} {importlib.metadata.version(DISTRIBUTIONS.get(name, name))}"
                                   for name in packages)}
    if plan.watch.turns:
        about["Turns"] = plan.watch.describe()
    if getattr(plan.watch, "exchanges", None):
        about["Cores"] = plan.watch.describe_exchanges()
    if args.hgc_flag:
        about["Options of hgc"] = " ".join(args.hgc_flag)
    return about


def write_results(args, work, stem, text, data, marker, writer="peers.py"):
    (work / f"{stem}.json").write_text(json.dumps(data, indent=1) + "\n")
    (work / f"{stem}.md").write_text(text + "\n")
    print(text)
    print(f"\nwrote {work / stem}.json and .md", file=sys.stderr)
    if args.update_readme:
        page = BENCHMARKS / "README.md"
        page.write_text(tables.replace_part(page.read_text(), marker, text, writer))
