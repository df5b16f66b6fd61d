"""Whether the cores are ours alone. On a shared machine they often are not: another
guest on the other half of a core slows products of matrices down to a third, and
copies hardly at all, so that ratios of such turns say more about it than about us."""
import collections
import statistics

from .native import Native

# Above the pace of calm moments by this factor somebody else is there.
LOUD = 1.2
LOOK_SECONDS, FIRST_LOOKS = 0.003, 50
# One in ten of the last looks was faster than what counts as calm: a frequency that is high for a moment does not.
LAST_LOOKS, CALM_SHARE = 500, 0.1
# A machine that is never calm must still give results.
MOST_TRIES = 8


class Watch:
    """Counts turns, those that were taken again, and those that were disturbed to the end."""

    def __init__(self, native, cores):
        self.native, self.cores = Native(native), cores
        self.paces = collections.deque((self.look() for _ in range(FIRST_LOOKS)), LAST_LOOKS)
        self.turns = self.repeated = self.disturbed = 0
        # Seconds of a line's way to another core and back, now and then: the host may move cores nearer or farther.
        self.exchanges = []

    def look(self):
        return self.native.pace(self.cores, LOOK_SECONDS)

    def is_calm(self):
        pace = self.look()
        self.paces.append(pace)
        return pace < LOUD * sorted(self.paces)[int(CALM_SHARE * len(self.paces))]

    def take(self, turn):
        """What turn() gives, from a try before and after which the cores were calm. Nothing of its result matters
        for whether it is tried again."""
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
        return (f"{self.turns}, {self.repeated} of them taken again because the cores were shared, "
                f"{self.disturbed} disturbed even so")

    def exchange(self):
        if len(self.cores) > 1:
            self.exchanges.append(self.native.exchange(*self.cores[:2]))

    def describe_exchanges(self):
        least, middle, most = (1e9 * pick(self.exchanges) for pick in (min, statistics.median, max))
        return f"a line goes from one to another and back in {middle:.0f} ns ({least:.0f} to {most:.0f} over the run)"
