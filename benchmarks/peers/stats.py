"""Statistics of the comparison; nothing here needs a package."""
import math
import statistics
from typing import Dict, List, NamedTuple, Optional, Sequence


def lower_rank(count: int, confidence: float = 0.95) -> int:
    """Rank, from 1, of the order statistic that is a lower bound of the median with
    this confidence, whatever the distribution; 0 when there are too few values."""
    # P(the k-th smallest value is above the median) = P(Binomial(count, 1/2) < k).
    below, rank = 0.0, 0
    for k in range(count + 1):
        below += math.comb(count, k) / 2 ** count
        if below > 1 - confidence:
            break
        rank = k + 1
    return rank


def lower_bound(values: Sequence[float], confidence: float = 0.95) -> Optional[float]:
    rank = lower_rank(len(values), confidence)
    return sorted(values)[rank - 1] if rank else None


def geometric_mean(values: Sequence[float]) -> Optional[float]:
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


class Ratio(NamedTuple):
    """Time of a peer over that of hgc, by round: above 1 hgc is faster."""
    peer: str
    median: float
    bound: Optional[float]  # lower, 95 %


def peer_ratios(rounds: Dict[str, List[float]], ours: str = "hgc") -> List[Ratio]:
    """Ratios of all peers, the fastest peer first. rounds: seconds by contender, one value for each round."""
    ratios = []
    for peer, times in rounds.items():
        if peer != ours:
            values = [theirs / our for theirs, our in zip(times, rounds[ours])]
            ratios.append(Ratio(peer, statistics.median(values), lower_bound(values)))
    return sorted(ratios, key=lambda ratio: ratio.median)


def line_bound(ratios: Sequence[Ratio]) -> Optional[float]:
    """Lower bound against every peer; None when there are too few rounds."""
    bounds = [ratio.bound for ratio in ratios]
    return None if not bounds or None in bounds else min(bounds)


def misses(ratios: Sequence[Ratio], floor: float) -> List[str]:
    """What a line fails to show; empty when it shows all."""
    if not ratios:
        return ["no peer ran"]
    found, bound = [], line_bound(ratios)
    if bound is None:
        found.append("too few rounds for a bound")
    elif bound < 1:
        found.append(f"lower bound {bound:.2f} is below 1")
    if ratios[0].median < floor:
        found.append(f"ratio {ratios[0].median:.2f} to {ratios[0].peer} is below its floor {floor:g}")
    return found


def rotations(contenders: Sequence[str], count: int) -> List[List[str]]:
    """Orders of the contenders in the rounds: each is first, second and so on equally often."""
    size = len(contenders)
    return [[contenders[(start + i) % size] for i in range(size)] for start in range(count)]


def error(got, expected) -> float:
    """max|a-b| / max(max|b|, 1e-3 rms(b), tiny); infinite when shapes or NaN and infinity patterns differ. Takes NumPy
    arrays."""
    import numpy as np
    if got.shape != expected.shape:
        return math.inf
    a, b = np.asarray(got, np.float64), np.asarray(expected, np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(finite, np.isfinite(a)) or not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return math.inf
    a, b = a[finite], b[finite]
    if b.size == 0:
        return 0.0
    scale = max(np.abs(b).max(), 1e-3 * math.sqrt(np.square(b).mean()), np.finfo(np.float32).tiny)
    return float(np.abs(a - b).max() / scale)
