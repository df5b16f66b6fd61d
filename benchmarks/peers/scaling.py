"""How much faster hgc is on all threads of a run than on one of them. Both are timed
in turns, as is the peak of the machine, which need not grow with the cores either."""
import contextlib
import statistics

from . import measure, stats

# Least ratio of a line that computes for longer than threads take to start and to meet.
FLOOR, LEAST_SECONDS = 1.85, 1e-4


def failed(line, reason) -> dict:
    return {"model": line.name, "misses": [reason]}


def measure_line(line, folder, about, plan) -> dict:
    """The model is compiled; see run_scaling of peers.py."""
    plans = {"one": plan._replace(cores=plan.cores[:1]), "all": plan}
    entries = {name: {} for name in plans}
    rates = {name: measure.limit(line.kind, about, each) for name, each in plans.items()}
    with contextlib.ExitStack() as stack:
        running = {name: measure.start(stack, "hgc", line, folder, each, {"hgc": entries[name]})
                   for name, each in plans.items()}
        rounds = measure.time_in_turns({name: c for name, c in running.items() if c}, plan, entries)
    for name, each in plans.items():
        rates[name] = max(rates[name], measure.limit(line.kind, about, each))
    reasons = [entry["reason"] for entry in entries.values() if "reason" in entry]
    return failed(line, "; ".join(reasons)) if reasons else compare(line, rounds, rates)


def compare(line, rounds, rates) -> dict:
    """rounds: seconds of a call on one thread and on all, by round; rates: of the machine."""
    ratios = [one / all for one, all in zip(rounds["one"], rounds["all"])]
    seconds = {name: statistics.median(times) for name, times in rounds.items()}
    ratio, bound = statistics.median(ratios), stats.lower_bound(ratios)
    counts = line.kind == "compute" and seconds["one"] >= LEAST_SECONDS
    misses = [f"{ratio:.2f} is below {FLOOR:g}"] if counts and ratio < FLOOR else []
    return {"model": line.name, "seconds": seconds, "ratio": ratio, "bound": bound, "counts": counts,
            "machine": rates["all"] / rates["one"], "rounds": rounds, "misses": misses}
