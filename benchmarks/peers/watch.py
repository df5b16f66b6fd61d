"""Whether the cores are ours alone. On a shared machine they often are not: another
guest on the other half of a core slows products of matrices down to a third, and
copies hardly at all, so that ratios of such turns say more about it than about us.
And whether they stay where they are: a host may move a virtual core to another part of
the chip, where a line takes five times as long from the other one; threads then compute
for longer, and contenders that meet this in some rounds only cannot be compared."""
import collections
import statistics

from .native import Native

# Above the pace of calm moments by this factor somebody else is there.
LOUD = 1.2
LOOK_SECONDS, FIRST_LOOKS = 0.003, 50
# One in ten of the last looks was faster than what counts as calm: a frequency that is high for a moment does not.
LAST_LOOKS, CALM_SHARE = 500, 0.1
# A line's way from core to core varies by less than this factor while both stay where they are.
MOVED = 2
# A machine that is never calm must still give results.
MOST_TRIES = 8


class Watch:
    """Counts turns, those that were taken again, and those that were disturbed to the end."""

    def __init__(self, native, cores):
        self.native, self.cores = Native(native), cores
        self.paces = collections.deque((self.look() for _ in range(FIRST_LOOKS)), LAST_LOOKS)
        self.turns = self.repeated = self.disturbed = 0
        # Seconds of a line's way to another core and back: in every look, and when the round began.
        self.exchanges, self.distance = [], None
        # Whether the last turn found no try in which that was the same.
        self.moved = False

    def look(self):
        return self.native.pace(self.cores, LOOK_SECONDS)

    def exchange(self):
        """Seconds of a line's way to another core and back; None on a single core."""
        if len(self.cores) < 2:
            return None
        self.exchanges.append(self.native.exchange(*self.cores[:2]))
        return self.exchanges[-1]

    def start_round(self):
        """Turns from now on are compared with each other: they count while the cores are as far apart as now."""
        self.distance, self.moved = self.exchange(), False

    def has_moved(self):
        return self.distance is not None and not self.distance / MOVED < self.exchange() < self.distance * MOVED

    def is_calm(self):
        pace = self.look()
        self.paces.append(pace)
        self.moved = self.has_moved()
        return pace < LOUD * sorted(self.paces)[int(CALM_SHARE * len(self.paces))] and not self.moved

    def take(self, turn):
        """What turn() gives, from a try before and after which the cores were calm and where they were when the round
        began. Nothing of its result matters for whether it is tried again."""
        self.turns += 1
        for attempt in range(MOST_TRIES):
            was_calm = self.is_calm()
            result = turn()
            if self.is_calm() and was_calm:
                break
        else:
            self.disturbed += 1
        self.repeated += attempt > 0
        return result

    def describe(self):
        return (f"{self.turns}, {self.repeated} of them taken again because the cores were shared or moved, "
                f"{self.disturbed} disturbed even so")

    def describe_exchanges(self):
        least, middle, most = (1e9 * pick(self.exchanges) for pick in (min, statistics.median, max))
        return f"a line goes from one to another and back in {middle:.0f} ns ({least:.0f} to {most:.0f} over the run)"
