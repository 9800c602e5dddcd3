"""Tests of render.py, on a sample and on what could go wrong with it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = HERE / "sample.json"
FACTS = ["--fact", "processor=Sample CPU, 2 cores", "--fact", "date=2026-12-01"]


def render(*arguments):
    return subprocess.run([sys.executable, "-B", HERE / "render.py", *arguments],
                          capture_output=True, encoding="utf-8", check=False)


def median(run_name, **changes):
    return {"run_name": run_name, "aggregate_name": "median", "cpu_time": 5.0, "time_unit": "ns",
            **changes}


class RenderTest(unittest.TestCase):
    def refused(self, text, reason):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.json"
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            result = render(path)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual(result.stdout, "")
        self.assertNotIn("Traceback", result.stderr)
        self.assertIn(reason, result.stderr)

    def refused_benchmarks(self, benchmarks, reason):
        self.refused(json.dumps({"benchmarks": benchmarks}), reason)

    def test_writes_the_sample_page(self):
        result = render(*FACTS, SAMPLE)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout, (HERE / "sample.md").read_text(encoding="utf-8"))

    def test_tells_neither_hosts_nor_paths(self):
        self.assertIn("must-not-be-told", SAMPLE.read_text(encoding="utf-8"))
        self.assertNotRegex(render(SAMPLE).stdout, "must.not.be.told")

    def test_refuses_a_file_that_is_missing(self):
        result = render(HERE / "absent.json")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^render.py: .*absent.json: No such file or directory\n$")

    def test_refuses_an_empty_file(self):
        self.refused("", "not JSON")

    def test_refuses_every_truncation(self):
        text = SAMPLE.read_text(encoding="utf-8").rstrip()
        for length in range(0, len(text), len(text) // 12):
            self.refused(text[:length], "not JSON")

    def test_refuses_other_bytes(self):
        self.refused(b"\xff\xfe\x00", "codec can't decode")

    def test_refuses_other_json(self):
        for text in ("[]", "3", "{}", '{"benchmarks": {}}'):
            self.refused(text, "no list 'benchmarks'")

    def test_refuses_runs_without_repetitions(self):
        self.refused_benchmarks([{"run_name": "a/b", "real_time": 1.0}], "no medians")
        self.refused_benchmarks([], "no medians")

    def test_refuses_entries_of_another_shape(self):
        self.refused_benchmarks([7], "no usable 'run_name'")
        self.refused_benchmarks([median(3)], "no usable 'run_name'")
        self.refused_benchmarks([median("a/b", cpu_time="5")], "no usable 'cpu_time'")
        self.refused_benchmarks([median("a/b/real_time")], "no usable 'real_time'")
        self.refused_benchmarks([median("a/b", time_unit=None)], "no usable 'time_unit'")

    def test_refuses_times_that_have_no_ratio(self):
        for time in (0.0, -1.0, float("nan"), float("inf")):
            self.refused_benchmarks([median("a/b", cpu_time=time)], "can be compared")
        self.refused_benchmarks([median("a/b", time_unit="fortnight")], "can be compared")

    def test_refuses_names_without_a_group(self):
        for name in ("judge", "/judge", "judge/", "judge/threads:2"):
            self.refused_benchmarks([median(name)], "is not named group/subject")

    def test_refuses_a_subject_that_is_there_twice(self):
        self.refused_benchmarks([median("a/b"), median("a/b/repeats:9")], "is there twice")

    def test_refuses_a_benchmark_that_failed(self):
        self.refused_benchmarks(
            [median("a/b", error_occurred=True, error_message="no vectors")], "failed: no vectors")


if __name__ == "__main__":
    unittest.main()
