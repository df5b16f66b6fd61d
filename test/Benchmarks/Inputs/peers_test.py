"""Tests of the comparison with peers; the working folder has relu/model.so."""
import json
import math
import os
import pathlib
import subprocess
import sys
import threading
import time
import types
import unittest
import unittest.mock
import xml.dom.minidom

import numpy as np

from peers import chart, measure, models, native, neighbours, scaling, stats, tables, watch, with_iree, worker
from peers.contender import Contender, Failed


def result(model, ratios, misses=(), contenders=None):
    return {"model": model, "ratios": [stats.Ratio(*r)._asdict() for r in ratios], "misses": list(misses),
            "percent": "50 %", "contenders": contenders or {
                "hgc": {"median": 2e-5, "settings": "C", "error": 1e-7},
                "a": {"median": 4e-5, "settings": "fast", "error": 3e-7}, "b": {"reason": "not installed"}}}


class Statistics(unittest.TestCase):
    def test_rank_of_the_bound(self):
        # Tables of the sign test, one-sided 5 %.
        self.assertEqual([stats.lower_rank(n) for n in (1, 4, 5, 8, 15, 25, 50)], [0, 0, 1, 2, 4, 8, 19])

    def test_bound_ignores_order_and_outliers(self):
        values = [1.0 + 0.01 * i for i in range(15)]
        self.assertAlmostEqual(stats.lower_bound(values), 1.03)
        self.assertAlmostEqual(stats.lower_bound(values[::-1][:-3] + [0.1, 0.1, 0.1]), 1.03)
        self.assertIsNone(stats.lower_bound([1.0] * 4))

    def test_ratios_are_by_round(self):
        # The machine slows down threefold: rounds agree, though the times do not.
        rounds = {"hgc": [1, 1, 3, 3, 3], "a": [2, 2, 6, 6, 6], "b": [1.5, 1.5, 4.5, 4.5, 4.5]}
        ratios = stats.peer_ratios(rounds)
        self.assertEqual([(r.peer, r.median, r.bound) for r in ratios], [("b", 1.5, 1.5), ("a", 2, 2)])

    def test_the_bound_of_a_line_is_against_every_peer(self):
        ratios = [stats.Ratio("a", 1.2, 1.1), stats.Ratio("b", 1.3, 0.9)]
        self.assertEqual(stats.line_bound(ratios), 0.9)
        self.assertEqual(stats.misses(ratios, 1.0), ["lower bound 0.90 is below 1"])

    def test_misses(self):
        self.assertEqual(stats.misses([stats.Ratio("a", 1.6, 1.5)], 1.5), [])
        self.assertEqual(stats.misses([stats.Ratio("a", 1.4, 1.3)], 1.5), ["ratio 1.40 to a is below its floor 1.5"])
        self.assertEqual(stats.misses([stats.Ratio("a", 2.0, None)], 1.0), ["too few rounds for a bound"])
        self.assertEqual(stats.misses([], 1.0), ["no peer ran"])

    def test_geometric_mean(self):
        self.assertAlmostEqual(stats.geometric_mean([0.5, 2.0, 8.0]), 2.0)
        self.assertIsNone(stats.geometric_mean([]))

    def test_every_contender_has_every_place(self):
        orders = stats.rotations(["a", "b", "c"], 6)
        for place in range(3):
            self.assertEqual(sorted(order[place] for order in orders), ["a", "a", "b", "b", "c", "c"])

    def test_error_measure(self):
        b = np.array([4.0, -2.0])
        self.assertAlmostEqual(stats.error(np.array([4.0, -2.4]), b), 0.1)
        self.assertEqual(stats.error(b[:1], b), math.inf)
        self.assertEqual(stats.error(np.array([np.nan, 1]), np.array([1.0, 1])), math.inf)
        self.assertEqual(stats.error(np.array([np.inf, 1]), np.array([-np.inf, 1])), math.inf)
        self.assertEqual(stats.error(np.array([np.nan, 1]), np.array([np.nan, 1])), 0)
        self.assertEqual(stats.error(np.zeros(0), np.zeros(0)), 0)


class Output(unittest.TestCase):
    def test_table_says_all(self):
        text = tables.report([result("m", [("a", 2.0, 1.9)]), result("n", [("a", 0.5, 0.4)], ["lower bound 0.40"])],
                             ["hgc", "a", "b"], {"Threads": "1"})
        self.assertIn("| m | 20.0 us | 40.0 us | - | a | 2.00 | 1.90 | 50 % | 1e-07 / 3e-07 | holds |", text)
        self.assertIn("lines: 2: 1.00.", text)
        self.assertIn("- n misses: lower bound 0.40.", text)
        self.assertIn("- b on m has no time: not installed.", text)
        self.assertIn("- b: did not run", text)

    def test_nothing_misses(self):
        both = {name: {"median": 1e-3, "settings": "x", "error": 0.0} for name in ("hgc", "a")}
        text = tables.report([result("m", [("a", 2.0, 1.9)], contenders=both)], ["hgc", "a"], {})
        self.assertIn("Every line holds, and every contender ran.", text)
        self.assertNotIn("misses", text)

    def test_units(self):
        self.assertEqual([tables.format_time(t) for t in (4.567e-6, 5e-4, 0.0123, 2)],
                         ["4.57 us", "500 us", "12.3 ms", "2000 ms"])
        self.assertEqual([tables.format_bytes(n) for n in (12, 3400, 5.6e6, 7e9)],
                         ["12 B", "3.4 kB", "5.6 MB", "7.0 GB"])

    def test_startup_rows(self):
        row = {"model": "m", "contender": "hgc", "import_seconds": 0.1, "load_seconds": 1e-4, "memory_bytes": 2e6,
               "artefact_bytes": 5e5, "library_bytes": 0, "compile_seconds": 0.5}
        text = tables.startup_table([row, {"model": "m", "contender": "a", "reason": "no wheel"}])
        self.assertIn("| m | hgc | 100 ms | 100 us | 2.0 MB | 500.0 kB | 0 B | 500 ms |", text)
        self.assertIn("| m | a | no wheel | - |", text)

    def test_page_is_replaced_between_markers_only(self):
        begin, end = tables.markers("t")
        page = f"head\n{begin}\nold\n{end}\ntail\n"
        self.assertEqual(tables.replace_part(page, "t", "new"), f"head\n{begin}\nnew\n{end}\ntail\n")
        for broken in ("head", begin, end + begin, page + page):
            with self.assertRaises(ValueError):
                tables.replace_part(broken, "t", "new")

    def test_readme_has_the_markers(self):
        page = (pathlib.Path(tables.__file__).parent.parent / "README.md").read_text()
        for name in ("speed, threads 1", "speed, threads 2", "speed, threads 1, exact convolutions",
                     "speed, threads 2, exact convolutions", "neighbours", "scaling", "startup"):
            tables.replace_part(page, name, "new")

    def test_neighbours(self):
        pair = neighbours.Neighbour("m_b7", "m_b32")
        # As many FLOP/s as its line in slow and fast rounds, then a fifth less.
        rounds = {"m_b7": [1.0, 3.0, 1.0], "m_b32": [4.0, 12.0, 4.0]}
        found = neighbours.compare(pair, rounds, {"m_b7": 1e9, "m_b32": 4e9}, 2e9)
        self.assertEqual((found["ratio"], found["misses"]), (1.0, []))
        slower = neighbours.compare(pair, rounds, {"m_b7": 0.8e9, "m_b32": 4e9}, 2e9)
        self.assertEqual(slower["misses"], ["0.80 of its line is below 0.9"])
        text = tables.neighbour_table([found, slower, neighbours.failed(pair, "no such op")])
        self.assertIn("| m_b7 | 1000 ms | 50 % of 2 GFLOP/s | m_b32 | 50 % | 1.00 | holds |", text)
        self.assertIn("| 0.80 | 0.80 of its line is below 0.9 |", text)
        self.assertIn("| m_b7 | - | - | m_b32 | - | - | no such op |", text)

    def test_scaling(self):
        rates = {"one": 2.0, "all": 3.0}
        found = scaling.compare(models.Line("m"), {"one": [2.0] * 5, "all": [1.0] * 5}, rates)
        self.assertEqual((found["ratio"], found["bound"], found["misses"]), (2.0, 2.0, []))
        slower = scaling.compare(models.Line("m"), {"one": [1.5, 15.0, 1.5], "all": [1.0, 10.0, 1.0]}, rates)
        self.assertEqual(slower["misses"], ["1.50 is below 1.85"])
        # What is short, or bound by memory, is shown only.
        short = scaling.compare(models.Line("m"), {"one": [1e-5] * 5, "all": [1e-5] * 5}, rates)
        moving = scaling.compare(models.Line("m", kind="copy"), {"one": [1.0] * 5, "all": [1.0] * 5}, rates)
        self.assertEqual((short["misses"], moving["misses"]), ([], []))
        text = tables.scaling_table([found, slower, short, scaling.failed(models.Line("m"), "no such op")])
        self.assertIn("| m | 2000 ms | 1000 ms | 2.00 | 2.00 | 1.50 | holds |", text)
        self.assertIn("| 1.50 | - | 1.50 | 1.50 is below 1.85 |", text)
        self.assertIn("| does not count |", text)
        self.assertIn("| m | - | - | - | - | - | no such op |", text)

    def test_every_neighbour_has_a_line(self):
        lines = {line.name for line in models.LINES}
        for pair in neighbours.NEIGHBOURS:
            self.assertNotIn(pair.name, lines)
            self.assertTrue(pair.line in lines or pair.line.startswith("conv"), pair.line)

    def test_chart(self):
        text = chart.draw([result("m<n", [("a", 20.0, 1.9)])], ["a", "b"], "ratios")
        texts = [node.firstChild.data for node in xml.dom.minidom.parseString(text).getElementsByTagName("text")]
        for expected in ("m<n", "20.00", "b did not run", "1 = hgc"):
            self.assertIn(expected, texts)


class Rest(unittest.TestCase):
    def spin(self, seconds):
        end = time.monotonic() + seconds

        def run():
            while time.monotonic() < end:
                pass
        thread = threading.Thread(target=run)
        thread.start()
        self.addCleanup(thread.join)
        return end

    def test_threads_that_spin_are_waited_for(self):
        end = self.spin(0.3)
        worker.wait_for_rest()
        self.assertGreaterEqual(time.monotonic(), end)

    def test_but_not_for_ever(self):
        end = self.spin(3)
        worker.wait_for_rest(most=0.1)
        self.assertLess(time.monotonic(), end)


class Watching(unittest.TestCase):
    def watch(self, paces):
        """A watch that sees these paces, after a calm beginning."""
        looks = iter([1.0] * watch.FIRST_LOOKS + paces)
        with unittest.mock.patch.object(watch.Watch, "look", lambda _: next(looks)):
            watched = watch.Watch(native.build(pathlib.Path("relu").resolve()), [0])
            taken = []
            watched.take(lambda: taken.append(None))
        return watched, len(taken)

    def test_calm_turns_are_taken_once(self):
        watched, taken = self.watch([1.1, 1.1])
        self.assertEqual((taken, watched.turns, watched.repeated, watched.disturbed), (1, 1, 0, 0))

    def test_turns_beside_others_are_taken_again(self):
        for paces in ([1.5, 1.0, 1.0, 1.0], [1.0, 1.5, 1.0, 1.0]):
            watched, taken = self.watch(paces)
            self.assertEqual((taken, watched.turns, watched.repeated, watched.disturbed), (2, 1, 1, 0))
        self.assertEqual(watched.describe(), "1, 1 of them taken again because the cores were shared or moved, "
                                             "0 disturbed even so")

    def test_turns_of_cores_that_were_moved_are_taken_again(self):
        # Of a round: its beginning, then before and after each try.
        for ways, taken, moved in (([50, 70, 30], 1, False), ([50, 300, 50, 50, 50], 2, False),
                                   ([300, 310, 60, 300, 300], 2, False), ([50] + [300] * 2 * watch.MOST_TRIES, 8, True)):
            ways = iter(ways)
            with unittest.mock.patch.object(watch.Watch, "look", lambda _: 1.0):
                watched = watch.Watch(native.build(pathlib.Path("relu").resolve()), [0, 1])
                watched.native = types.SimpleNamespace(exchange=lambda *_: next(ways))
                watched.start_round()
                tries = []
                watched.take(lambda: tries.append(None))
            self.assertEqual((len(tries), watched.moved, watched.disturbed), (taken, moved, int(moved)))

    def test_rounds_of_cores_that_were_moved_begin_again(self):
        asked = []
        running = {name: types.SimpleNamespace(ask=lambda *_, name=name, **__: asked.append(name) or {"median": 1.0})
                   for name in "ab"}

        def begin(watched):
            watched.moved = False

        def take(watched, turn, starts=iter([True] + [False] * 100)):
            result, watched.moved = turn(), next(starts)
            return result
        plan = types.SimpleNamespace(rounds=1, seconds=0, patience=1, watch=object.__new__(watch.Watch))
        with unittest.mock.patch.object(watch.Watch, "start_round", begin), \
             unittest.mock.patch.object(watch.Watch, "take", take):
            self.assertEqual(measure.time_in_turns(running, plan, {"a": {}, "b": {}}), {"a": [1.0], "b": [1.0]})
        self.assertEqual(asked, ["a", "a", "b"])

        def never(watched, turn):
            result, watched.moved = turn(), True
            return result
        asked.clear()
        with unittest.mock.patch.object(watch.Watch, "start_round", begin), \
             unittest.mock.patch.object(watch.Watch, "take", never):
            self.assertEqual(measure.time_in_turns(running, plan, {"a": {}, "b": {}}), {"a": [1.0], "b": [1.0]})
        self.assertEqual(asked, ["a"] * watch.MOST_TRIES + ["b"])

    def test_a_machine_that_is_never_calm_gives_results(self):
        watched, taken = self.watch([1.5] * 2 * watch.MOST_TRIES)
        self.assertEqual((taken, watched.turns, watched.repeated, watched.disturbed), (watch.MOST_TRIES, 1, 1, 1))

    def test_a_fast_moment_is_not_the_measure(self):
        self.assertEqual(self.watch([0.5, 1.0])[1], 1)
        looks = iter([1.0] * watch.FIRST_LOOKS + [0.5] * 10 + [1.0])
        with unittest.mock.patch.object(watch.Watch, "look", lambda _: next(looks)):
            watched = watch.Watch(native.build(pathlib.Path("relu").resolve()), [0])
            self.assertEqual([watched.is_calm() for _ in range(11)], [True] * 10 + [False])

    def test_who_shares_a_core_is_seen(self):
        cores = sorted(os.sched_getaffinity(0))[:1]
        watched = watch.Watch(native.build(pathlib.Path("relu").resolve()), cores)
        alone = min(watched.look() for _ in range(20))
        other = subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {cores})\nwhile True: pass"])
        try:
            time.sleep(0.5)
            beside = min(watched.native.pace(cores, 0.1) for _ in range(3))
        finally:
            other.kill()
            other.wait()
        self.assertGreater(beside, watch.LOUD * alone)


class Measuring(unittest.TestCase):
    def write_case(self, expected):
        folder = pathlib.Path("relu").resolve()
        x = np.array([[-1, 2], [3, -4], [5, 6]], np.float32)
        np.savez(folder / "data.npz", input_0=x, expected_0=expected(x))
        about = {"inputs": ["x"], "outputs": ["y"], "output_shapes": [list(x.shape)], "flops": 6, "bytes": 48}
        (folder / "model.json").write_text(json.dumps(about))
        return folder, about

    @staticmethod
    def plan():
        cores, library = sorted(os.sched_getaffinity(0))[:1], native.build(pathlib.Path("relu").resolve())
        return types.SimpleNamespace(contenders=["hgc", "other"], cores=cores, native=library, rounds=5, seconds=0.001,
                                     patience=60, quick=True, package="peers", watch=watch.Watch(library, cores))

    def measure(self, expected, absent={"other": "no wheel"}, kind="compute", **settings):
        folder, about = self.write_case(expected)
        line = types.SimpleNamespace(name="relu", floor=1.0, kind=kind, tolerance=1e-4)
        return measure.measure(line, folder, about, self.plan(), absent, **settings)

    def test_a_model_is_timed(self):
        found = self.measure(lambda x: np.maximum(x, 0).astype(np.float64))
        ours = found["contenders"]["hgc"]
        self.assertEqual((len(ours["rounds"]), ours["error"]), (5, 0))
        self.assertGreater(ours["median"], 0)
        self.assertEqual(found["contenders"]["other"], {"reason": "no wheel"})
        self.assertEqual(found["misses"], ["no peer ran"])
        self.assertIn("GFLOP/s", found["percent"])

    def test_a_share_is_of_the_highest_peak_or_of_the_bandwidth_of_its_round(self):
        times = [1.0, 2.0, 4.0]
        self.assertEqual(measure.share_text("compute", {"flops": 1e9}, times, [1e9, 2e9, 1e9]), "25 % of 2 GFLOP/s")
        self.assertEqual(measure.share_text("read", {"bytes": 1e9}, times, [2e9, 1e9, 5e8]), "50 % of 1 GB/s, read")
        self.assertEqual(measure.share_text("copy", {"bytes": 1e9}, times, [2e9, 1e9, 5e8], [1e9, 1e9, 5e8]),
                         "50 % of 1 GB/s, copy; 50 % of 1 GB/s, memory")

    def test_memory_is_measured_beside_the_working_set_of_what_moves_data(self):
        with unittest.mock.patch.object(measure, "limit", return_value=1e9) as limit, \
             unittest.mock.patch.object(measure, "last_cache_bytes", return_value=1000):
            found = self.measure(lambda x: np.maximum(x, 0), kind="copy")
        self.assertEqual((len(found["limits"]), len(found["memory"])), (5, 5))
        self.assertEqual({call.args[1]["bytes"] for call in limit.call_args_list}, {48, 8000})
        self.assertIn("GB/s, memory", found["percent"])

    def test_the_last_cache_is_the_largest_one(self):
        for number, size in enumerate(["32K", "1024K", "32768K"]):
            path = pathlib.Path(f"index{number}/size")
            path.parent.mkdir()
            path.write_text(size + "\n")
        self.assertEqual(measure.last_cache_bytes(pathlib.Path()), 32 << 20)
        self.assertEqual(measure.last_cache_bytes(pathlib.Path("none")), measure.USUAL_CACHE)

    def test_a_neighbour_is_timed_beside_its_line(self):
        self.write_case(lambda x: np.maximum(x, 0))
        found = neighbours.measure_pair(neighbours.Neighbour("relu", "relu"), pathlib.Path().resolve(), self.plan())
        self.assertEqual((len(found["rounds"]["relu"]), found["ratio"], found["misses"]), (5, 1.0, []))
        self.write_case(lambda x: x)
        found = neighbours.measure_pair(neighbours.Neighbour("relu", "relu"), pathlib.Path().resolve(), self.plan())
        self.assertIn("relu did not run: wrong results", found["misses"][0])

    def test_wrong_results_do_not_count(self):
        found = self.measure(lambda x: np.maximum(x, 0) * 1.001)
        self.assertIn("wrong results", found["contenders"]["hgc"]["reason"])
        self.assertEqual(found["misses"], ["hgc did not run"])

    def test_a_peer_that_cannot_be_loaded(self):
        found = self.measure(lambda x: np.maximum(x, 0), absent={})
        self.assertIn("No module named 'peers.with_other'", found["contenders"]["other"]["reason"])
        self.assertIn("median", found["contenders"]["hgc"])

    def test_a_contender_that_dies(self):
        folder, _ = self.write_case(lambda x: x)
        with Contender("hgc", folder, sorted(os.sched_getaffinity(0))[:1], native.build(folder)) as contender:
            contender.ask("load")
            self.assertIn("State:\tT", pathlib.Path(f"/proc/{contender.process.pid}/status").read_text())
            contender.process.kill()
            with self.assertRaisesRegex(Failed, "ended with status -9"):
                contender.ask("time", 0, 1)

    def test_a_model_that_was_not_compiled(self):
        found = self.measure(lambda x: x, hgc_reason="no such op")
        self.assertEqual(found["contenders"]["hgc"], {"reason": "no such op"})
        self.assertEqual(found["misses"], ["hgc did not run"])


class CompiledAhead(unittest.TestCase):
    """Modules of IREE, without IREE."""

    def setUp(self):
        self.folder = pathlib.Path("ahead").resolve()
        self.folder.mkdir(exist_ok=True)
        (self.folder / "model.onnx").write_bytes(b"model")
        self.addCleanup(lambda: [path.unlink() for path in self.folder.iterdir()])
        self.tools = []
        for name, function in (("run_tool", self.run_tool), ("describe_host", lambda: ["1.0", "flags: fma"])):
            patch = unittest.mock.patch.object(with_iree, name, function)
            patch.start()
            self.addCleanup(patch.stop)

    def run_tool(self, tool, source, _, result, *flags):
        self.tools.append(pathlib.Path(tool).name)
        pathlib.Path(result).write_text(pathlib.Path(source).read_text())

    def compile(self, options=with_iree.UKERNELS):
        self.tools.clear()
        with with_iree.Compiler(self.folder) as compiler:
            return compiler.compile(options)

    def test_a_module_is_made_once(self):
        first = self.compile()
        self.assertEqual(self.tools, ["iree-import-onnx", "iree-compile"])
        self.assertFalse((self.folder / "iree.mlir").exists())
        self.assertEqual(self.compile(), first)
        self.assertEqual(self.tools, [])
        self.assertNotEqual(self.compile(with_iree.GENERATED)[0], first[0])
        self.assertEqual(self.tools, ["iree-import-onnx", "iree-compile"])

    def test_and_again_when_the_model_changes(self):
        self.compile()
        (self.folder / "model.onnx").write_bytes(b"another model")
        module, _ = self.compile()
        self.assertEqual((len(self.tools), module.read_text()), (2, "another model"))

    def test_a_compilation_that_fails_leaves_no_module_that_counts(self):
        def fail(tool, source, _, result, *flags):
            self.run_tool(tool, source, _, result)
            if tool.endswith("iree-compile"):
                raise with_iree.CompileFailed("no such op")
        with unittest.mock.patch.object(with_iree, "run_tool", fail), self.assertRaises(with_iree.CompileFailed):
            self.compile()
        self.compile()
        self.assertEqual(len(self.tools), 2)

    def test_options_have_files_of_their_own(self):
        for is_image in (False, True):
            paths = {self.compile(options)[0] for options in with_iree.option_sets(is_image)}
            self.assertEqual(len(paths), 4)


class Tools(unittest.TestCase):
    def test_the_first_error_is_the_reason(self):
        code = "import sys; print('note: x\\nm.mlir:1:2: error: no such op\\nerror: failed'); sys.exit(1)"
        with self.assertRaisesRegex(with_iree.CompileFailed, "^python[^:]*: no such op$"):
            with_iree.run_tool(sys.executable, "-c", code)
        with self.assertRaisesRegex(with_iree.CompileFailed, "status 3$"):
            with_iree.run_tool(sys.executable, "-c", "raise SystemExit(3)")
        with_iree.run_tool(sys.executable, "-c", "print('fine')")


if __name__ == "__main__":
    unittest.main()
