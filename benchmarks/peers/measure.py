"""One line of the comparison: loads all contenders of a model, compares their
results, and times them in turns."""
import contextlib
import pathlib
import statistics
import subprocess
import sys
from typing import Dict, List

import numpy as np

from . import native, stats, watch
from .contender import BENCHMARKS, Contender, Failed

WARM_UP_CALLS, LEAST_CALLS = 3, 1
# Longest look at what the machine can do.
LIMIT_SECONDS = 0.1
# A working set of so many last caches is in memory; where nothing tells how large that cache is, it is taken for this.
MEMORY_CACHES, USUAL_CACHE = 8, 32 << 20
CACHES = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")


def check_results(contender, folder):
    """Error against the results in f64."""
    path = folder / f"{contender.name}-results.npz"
    contender.ask("save", str(path))
    with np.load(path) as got, np.load(folder / "data.npz") as data:
        expected = [data[name] for name in sorted(n for n in data.files if n.startswith("expected_"))]
        results = [got[name] for name in got.files]
        if len(results) != len(expected):
            raise Failed(f"gave {len(results)} results, expected {len(expected)}")
        worst = max(stats.error(a, b) for a, b in zip(results, expected))
    path.unlink()
    return worst


def start(stack, name, line, folder, plan, entries):
    """A contender that is loaded, has right results and is warm; None when there is none."""
    contender = stack.enter_context(Contender(name, folder, plan.cores, plan.native, plan.quick, package=plan.package))
    entry = entries[name]
    try:
        loaded = contender.ask("load", timeout=plan.patience)
        entry["settings"] = loaded["settings"]
        entry["error"] = check_results(contender, folder)
        if not entry["error"] <= line.tolerance:
            raise Failed(f"wrong results: error {entry['error']:.1e} is above {line.tolerance:g}")
        contender.ask("time", plan.seconds, WARM_UP_CALLS, timeout=plan.patience)
        return contender
    except Failed as failure:
        entry["reason"] = str(failure)
        contender.close()
        return None


def time_round(order, running, plan, entries, is_last_try) -> Dict[str, float]:
    """Median seconds of a call, by contender, in one round. Once the cores were moved the others have no turn, but in
    the last try."""
    plan.watch.start_round()
    times = {}
    for name in order:
        if "reason" in entries[name]:
            continue
        try:
            answer = plan.watch.take(
                lambda: running[name].ask("time", plan.seconds, LEAST_CALLS, timeout=plan.patience))
            times[name] = answer["median"]
        except Failed as failure:
            entries[name]["reason"] = str(failure)
            running[name].close()
        if plan.watch.moved and not is_last_try:
            break
    return times


def time_in_turns(running: Dict[str, Contender], plan, entries, end_round=lambda: None) -> Dict[str, List[float]]:
    """Median seconds of a call, by contender and round. Who fails is left out from then on. Turns on cores that
    somebody else uses are taken again, and rounds in which cores were moved. end_round: called after each round."""
    rounds: Dict[str, List[float]] = {name: [] for name in running}
    for order in stats.rotations(sorted(running), plan.rounds):
        for attempt in range(1, watch.MOST_TRIES + 1):
            times = time_round(order, running, plan, entries, attempt == watch.MOST_TRIES)
            if not plan.watch.moved:
                break
        for name in order:
            if "reason" in entries[name]:
                rounds.pop(name, None)
            else:
                rounds[name].append(times[name])
        end_round()
    return rounds


def limit(kind, about, plan):
    """What this machine can do for such a model: FLOP/s, or bytes/s for the working set, in a process of its own.

    Copies are made in two ways: which one is faster depends on the machine and the number of threads."""
    code = ("import os, sys; from peers.native import Native; cores = [int(n) for n in sys.argv[5].split(',')]; "
            "os.sched_setaffinity(0, cores); rate = Native(sys.argv[1]).rate; "
            "ways = map(int, sys.argv[2].split(',')); "
            "print(max(rate(way, int(sys.argv[3]), len(cores), float(sys.argv[4])) for way in ways))")
    ways = {"compute": [native.FMA], "read": [native.READ], "copy": [native.COPY, native.STREAM]}[kind]
    seconds = str(min(plan.seconds, LIMIT_SECONDS))
    done = subprocess.run([sys.executable, "-c", code, str(plan.native), ",".join(map(str, ways)), str(about["bytes"]),
                           seconds, ",".join(map(str, plan.cores))], cwd=BENCHMARKS, check=True, text=True,
                          stdout=subprocess.PIPE)
    return float(done.stdout)


def last_cache_bytes(caches=CACHES) -> int:
    """Size of the largest cache of the first core."""
    sizes = [int(path.read_text().strip().rstrip("K")) << 10 for path in caches.glob("index*/size")]
    return max(sizes, default=USUAL_CACHE)


def share_text(kind, about, times, rates, memory_rates=()):
    """What times come to of a rate: of the highest peak, or by round of the bandwidth, which other guests change. That
    of memory comes beside that of the same working set, of which caches may hold a part."""
    if kind == "compute":
        share = about["flops"] / statistics.median(times) / max(rates)
        return f"{100 * share:.0f} % of {max(rates) / 1e9:.0f} GFLOP/s"

    def share_of(bandwidths, name):
        share = statistics.median(about["bytes"] / seconds / rate for seconds, rate in zip(times, bandwidths))
        return f"{100 * share:.0f} % of {statistics.median(bandwidths) / 1e9:.0f} GB/s, {name}"
    memory = [share_of(memory_rates, "memory")] if memory_rates else []
    return "; ".join([share_of(rates, kind)] + memory)


def failed(line, plan, reason) -> dict:
    """The line of a model that could not be made."""
    return {"model": line.name, "contenders": {name: {"reason": reason} for name in plan.contenders}, "limits": [],
            "memory": [], "ratios": [], "percent": "-", "misses": [reason]}


def measure(line, folder, about, plan, absent: Dict[str, str], hgc_reason=None) -> dict:
    """absent: reasons of the peers that could not be installed; hgc_reason: why the model was not compiled."""
    absent = {**absent, **({"hgc": hgc_reason} if hgc_reason else {})}
    entries: Dict[str, dict] = {name: {"reason": absent[name]} if name in absent else {} for name in plan.contenders}
    rates: List[float] = []
    memory_rates: List[float] = []

    def look_at_limit():
        rates.append(plan.watch.take(lambda: limit(line.kind, about, plan)))
        if line.kind != "compute":
            memory = {"bytes": MEMORY_CACHES * last_cache_bytes()}
            memory_rates.append(plan.watch.take(lambda: limit(line.kind, memory, plan)))
    with contextlib.ExitStack() as stack:
        names = [name for name in plan.contenders if name not in absent]
        running = {name: start(stack, name, line, folder, plan, entries) for name in names}
        rounds = time_in_turns({name: c for name, c in running.items() if c}, plan, entries, look_at_limit)
    for name, times in rounds.items():
        entries[name].update(median=statistics.median(times), rounds=times)
    result = {"model": line.name, "contenders": entries, "limits": rates, "memory": memory_rates, "ratios": [],
              "percent": "-", "misses": ["hgc did not run"]}
    if "hgc" in rounds:
        ratios = stats.peer_ratios(rounds)
        result.update(ratios=[ratio._asdict() for ratio in ratios], misses=stats.misses(ratios, line.floor),
                      percent=share_text(line.kind, about, rounds["hgc"], rates, memory_rates))
    return result
