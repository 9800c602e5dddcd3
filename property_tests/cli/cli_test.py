#!/usr/bin/env python3
"""Runs the command `counterfoil` as people and programs do.

    cli_test.py COUNTERFOIL ORDER_LAB DOCS [CliTest.test_NAME]

The database is the order lab's; what is wrong with other files is made by hand.
"""

import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

COUNTERFOIL, ORDER_LAB, DOCS = (pathlib.Path(given).resolve() for given in sys.argv[1:4])

DONE, FINDING, WRONG_USE, NOT_FOUND, BUSY, CORRUPT = range(6)
PEN = '{"sku":"pen","quantity":2}'


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.db = self.folder / "orders.db"

    def order_lab(self):
        subprocess.run([ORDER_LAB, self.db], check=True, stdout=subprocess.DEVNULL)

    def run_it(self, *arguments, stdin="", db=True, env=None):
        command = [COUNTERFOIL] + (["--db", self.db] if db else []) + list(arguments)
        return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=self.folder,
                              env={"PATH": os.environ["PATH"], **(env or {})}, timeout=60)

    def says(self, *arguments, code=DONE, stdin="", db=True, env=None):
        """What the command prints on stdout, once it has ended as it should."""
        run = self.run_it(*arguments, stdin=stdin, db=db, env=env)
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        self.assertEqual(run.stderr, "")
        return run.stdout

    def refuses(self, *arguments, code, stdin="", db=True):
        """The sentence on stderr of a command that must not succeed."""
        run = self.run_it(*arguments, stdin=stdin, db=db)
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        self.assertRegex(run.stderr, r"\Acounterfoil: .")
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        return run.stderr

    def objects(self, *arguments, **how):
        return [json.loads(line) for line in self.says(*arguments, "--json", **how).splitlines()]

    def sql(self, *statements):
        connection = sqlite3.connect(self.db)
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    # What each command is for.

    def test_init_makes_a_file_and_leaves_one_alone(self):
        self.assertIn("made ", self.says("init"))
        self.assertEqual(self.db.stat().st_mode & 0o777, 0o600)
        self.assertIn("up to date", self.says("init"))
        self.assertEqual(self.objects("stats")[0]["receipts"], 0)

    def test_list_shows_all_receipts_the_newest_first(self):
        self.order_lab()
        lines = self.says("list").splitlines()
        self.assertEqual(lines[0].split(),
                         ["TENANT", "OPERATION", "KEY", "STATE", "STATUS", "ATTEMPT", "CREATED", "AGE"])
        self.assertEqual([line.split()[0::2][:2] for line in lines[1:]],
                         [["acme", "key-3"], ["acme", "key-2"], ["zeta", "key-1"], ["acme", "key-1"]])

    def test_list_filters(self):
        self.order_lab()

        def keys(*filters):
            return [(o["tenant"], o["key"]) for o in self.objects("list", *filters)]

        self.assertEqual(keys("--tenant", "zeta"), [("zeta", "key-1")])
        self.assertEqual(len(keys("--key-prefix", "key-")), 4)
        self.assertEqual(keys("--key-prefix", "key-3"), [("acme", "key-3")])
        self.assertEqual(keys("--operation", "another"), [])
        self.assertEqual(keys("--state", "unknown"), [])
        self.assertEqual(len(keys("--state", "completed")), 4)
        self.assertEqual(len(keys("--from", "1h")), 4)
        self.assertEqual(keys("--before", "1h"), [])
        self.assertEqual(keys("--from", "2999-01-01"), [])
        self.assertEqual(len(keys("--before", "2999-01-01T00:00:00.5Z")), 4)
        self.assertEqual(keys("--lapsed"), [])

    def test_list_finds_what_is_in_progress_past_its_lease(self):
        self.order_lab()
        self.sql("UPDATE receipts SET state = 'in_progress', lease_end_us = 1, completed_at_us = NULL "
                 "WHERE key = 'key-3'")
        self.assertEqual([o["key"] for o in self.objects("list", "--lapsed")], ["key-3"])
        self.assertEqual(self.objects("stats")[0]["lapsed"], 1)

    def test_list_says_that_there_is_more(self):
        self.order_lab()
        run = self.run_it("list", "--limit", "3")
        self.assertEqual((run.returncode, len(run.stdout.splitlines())), (DONE, 4))
        self.assertIn("--limit 0", run.stderr)
        self.assertEqual(len(self.says("list", "--limit", "4").splitlines()), 5)
        self.assertEqual(len(self.says("list", "--limit", "0").splitlines()), 5)

    def test_list_goes_through_many_pages(self):
        self.order_lab()
        columns = "tenant, operation, scheme, digest, fence, attempt, created_at_us, state, status, " \
                  "completed_at_us, replay_until_us, forget_at_us, fields, body"
        self.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 350) "
                 f"INSERT INTO receipts (key, {columns}) SELECT 'many-' || i, {columns} "
                 "FROM receipts, n WHERE key = 'key-3'")
        keys = [o["key"] for o in self.objects("list", "--limit", "0")]
        self.assertEqual((len(keys), len(set(keys))), (354, 353))  # key-1 is of two tenants
        run = self.run_it("list", "--json", "--limit", "250")
        self.assertEqual([json.loads(line)["key"] for line in run.stdout.splitlines()], keys[:250])

    def test_show_hides_the_body_unless_asked(self):
        self.order_lab()
        scope = ("-t", "acme", "-o", "create_order", "-k", "key-1")
        hidden = self.says("show", *scope)
        self.assertNotIn("order_id", hidden)
        self.assertRegex(hidden, r"state +completed\n")
        self.assertRegex(hidden, r"fence +\d+\n")
        self.assertIn('{"order_id":1}', self.says("show", *scope, "--reveal"))
        self.assertNotIn("body", self.objects("show", *scope)[0])
        self.assertEqual(self.objects("show", *scope, "--reveal")[0]["body"], '{"order_id":1}')

    def test_show_escapes_control_characters(self):
        self.order_lab()
        self.sql("UPDATE receipts SET reference = 'a' || char(27) || '[31mred' || char(10) || 'b', "
                 "fields = 'X:' || char(27) || char(10), body = x'001bff' WHERE key = 'key-3'")
        scope = ("-t", "acme", "-o", "create_order", "-k", "key-3")
        text = self.says("show", *scope, "--reveal")
        self.assertNotIn("\x1b", text)
        self.assertIn(r"a\x1b[31mred\nb", text)
        shown = self.objects("show", *scope, "--reveal")[0]
        self.assertEqual(shown["body_hex"], "001bff")
        self.assertEqual(shown["reference"], "a\x1b[31mred\nb")

    def test_json_is_ascii_whatever_is_stored(self):
        self.order_lab()
        self.sql("UPDATE receipts SET key = CAST(x'6b65792dff' AS TEXT), reference = 'x' || char(127) || "
                 "char(155) || char(8238) || char(128512) WHERE key = 'key-3'")
        line = self.says("list", "--json").splitlines()[0]
        self.assertTrue(line.isascii() and line.isprintable(), line)
        self.assertEqual(json.loads(line)["reference"], "x\x7f\x9b\u202e\U0001f600")
        self.assertEqual(json.loads(line)["key"], r"key-\xff")
        self.assertEqual(len(self.objects("list", "--key-prefix", "key-")), 4)

    def test_why_says_what_a_request_would_get(self):
        self.order_lab()

        def why(key, body, *more):
            return self.objects("why", "-t", "acme", "-o", "create_order", "-k", key, *more,
                                stdin=body)[0]

        replay = why("key-1", PEN)
        self.assertEqual((replay["verdict"], replay["rule"]), ("replay", 6))
        self.assertEqual(why("key-1", '{"quantity":2.0, "sku":"pen"}')["verdict"], "replay")
        self.assertEqual(why("key-1", '{"sku":"pen","quantity":3}')["rule_name"], "other_fingerprint")
        self.assertEqual(why("key-9", PEN)["verdict"], "create")
        self.assertEqual(why("key-1", PEN, "--at", "2999-01-01")["verdict"], "create")
        (self.folder / "body.json").write_text(PEN)
        text = self.says("why", "-t", "acme", "-o", "create_order", "-k", "key-1", "--body", "body.json")
        self.assertRegex(text, r"\Areplay\nThe key was first used .* ago for the same request")

    def test_why_changes_nothing(self):
        self.order_lab()
        before = self.objects("list")
        self.says("why", "-t", "acme", "-o", "create_order", "-k", "key-9", stdin=PEN)
        self.assertEqual(self.objects("list"), before)

    def test_why_tells_an_expired_and_an_unknown_one(self):
        self.order_lab()
        self.sql("UPDATE receipts SET replay_until_us = completed_at_us WHERE key = 'key-2'",
                 "UPDATE receipts SET state = 'unknown', since_us = 5, unknown_cause = 'marked', "
                 "completed_at_us = NULL WHERE key = 'key-3'")
        ask = ("why", "-t", "acme", "-o", "create_order")
        self.assertEqual(self.objects(*ask, "-k", "key-2", stdin=PEN)[0]["verdict"], "expired")
        unknown = self.objects(*ask, "-k", "key-3", stdin=PEN)[0]
        self.assertEqual(unknown["verdict"], "unknown")
        self.assertIn("marked", unknown["sentence"])

    def test_fingerprint_is_the_digest_of_the_canonical_bytes(self):
        body = '{"b":1.0, "a":"\\u0041"}'
        self.assertEqual(self.says("fingerprint", "--canonical", stdin=body, db=False), '{"a":"A","b":1}')
        digest = subprocess.run(["sha256sum"], input='{"a":"A","b":1}', capture_output=True,
                                text=True, check=True).stdout.split()[0]
        self.assertEqual(self.says("fingerprint", stdin=body, db=False), f"{digest}  exact-json\n")
        self.assertEqual(self.objects("fingerprint", stdin=body, db=False)[0],
                         {"scheme": "exact-json", "digest": digest})
        raw = self.says("fingerprint", "--scheme", "raw", stdin=body, db=False)
        self.assertNotIn(digest, raw)

    def test_fingerprint_takes_secrets_from_files(self):
        (self.folder / "s1").write_text("a secret\n")
        keyed = self.says("fingerprint", "--scheme", "hmac-exact-json;secret=s1", "--secret", "s1=s1",
                          stdin="{}", db=False)
        self.assertRegex(keyed, r"\A[0-9a-f]{64}  hmac-exact-json;secret=s1\n\Z")
        self.assertIn("s1", self.refuses("fingerprint", "--scheme", "hmac-exact-json;secret=s1",
                                         stdin="{}", db=False, code=WRONG_USE))

    def test_stats_counts(self):
        self.order_lab()
        stats = self.objects("stats")[0]
        self.assertEqual(stats["receipts"], 4)
        self.assertEqual(stats["states"],
                         {"in_progress": 0, "completed": 4, "unknown": 0, "tombstone": 0})
        self.assertEqual(stats["body_bytes"], 4 * len('{"order_id":1}'))
        self.assertEqual(sum(age["receipts"] for age in stats["ages"]), 4)
        self.assertRegex(stats["oldest_created"], r"\A\d{4}-.*Z\Z")
        self.assertIsNone(stats["oldest_unresolved"])
        self.assertRegex(self.says("stats"), r"receipts +4\n +completed +4\n")

    def test_purge_does_what_its_dry_run_said(self):
        self.order_lab()
        self.sql("UPDATE receipts SET replay_until_us = completed_at_us WHERE key = 'key-2'",
                 "UPDATE receipts SET replay_until_us = completed_at_us, "
                 "forget_at_us = completed_at_us WHERE key = 'key-3'")
        dry = self.objects("purge", "--dry-run")[0]
        self.assertEqual((dry["purged"], dry["tombstones"], dry["dry_run"]), (1, 1, True))
        self.assertEqual(len(self.objects("list")), 4)
        wet = self.objects("purge")[0]
        self.assertEqual((wet["purged"], wet["tombstones"], wet["dry_run"]), (1, 1, False))
        self.assertEqual([(o["key"], o["state"]) for o in self.objects("list", "--tenant", "acme")],
                         [("key-2", "tombstone"), ("key-1", "completed")])
        self.assertIn("purged 0", self.says("purge"))

    # What is stuck.

    KEY_3 = ("-t", "acme", "-o", "create_order", "-k", "key-3")

    def stuck(self, state="unknown"):
        """The order lab's file, in which one receipt is stuck, and its fence."""
        self.order_lab()
        columns = {"unknown": "since_us = 1, unknown_cause = 'marked'",
                   "lapsed": "lease_end_us = 1", "held": "lease_end_us = 4102444800000000"}[state]
        word = "unknown" if state == "unknown" else "in_progress"
        self.sql(f"UPDATE receipts SET state = '{word}', completed_at_us = NULL, "
                 "checkpoint_name = 'calling', checkpoint_note = '{\"try\":1}', status = NULL, "
                 f"fields = NULL, body = NULL, {columns} WHERE key = 'key-3'")
        return str(self.objects("show", *self.KEY_3)[0]["fence"])

    def test_resolve_applied_gives_the_answer_and_leaves_an_audit_row(self):
        fence = self.stuck()
        (self.folder / "answer").write_text('{"order_id":4}')
        said = self.says("resolve", *self.KEY_3, "--fence", fence, "--applied", "--status", "201",
                         "--body", "answer", "--field", "Content-Type: application/json",
                         "--reference", "order 4", "--by", "anna", "--evidence", "orders, row 4")
        self.assertIn("resolved_applied: ", said)
        shown = self.objects("show", *self.KEY_3, "--reveal")[0]
        self.assertEqual((shown["state"], shown["status"], shown["body"], shown["reference"]),
                         ("completed", 201, '{"order_id":4}', "order 4"))
        self.assertEqual(shown["fields"], [["Content-Type", "application/json"]])
        ruled = shown["resolutions"][0]
        self.assertEqual((ruled["before"], ruled["ruling"], ruled["by"], ruled["evidence"]),
                         ("unknown", "applied", "anna", "orders, row 4"))
        why = self.objects("why", *self.KEY_3, stdin=PEN)
        self.assertEqual(why[0]["verdict"], "replay")

    def test_resolve_not_applied_frees_the_key(self):
        fence = self.stuck("lapsed")
        done = self.objects("resolve", *self.KEY_3, "--fence", fence, "--not-applied", "--by", "anna",
                            "--evidence", "no such row")
        self.assertEqual(done[0]["done"], "resolved_not_applied")
        self.assertEqual(self.objects("why", *self.KEY_3, stdin=PEN)[0]["verdict"], "create")
        run = self.run_it("show", *self.KEY_3)
        self.assertEqual(run.returncode, NOT_FOUND)
        self.assertIn("no such row", run.stdout)

    def test_resolve_is_refused_where_it_would_be_wrong(self):
        fence = self.stuck("held")
        ruling = ("--not-applied", "--by", "anna", "--evidence", "x")

        def refused(*arguments, code=FINDING):
            before = self.db.read_bytes()
            said = self.refuses("resolve", *arguments, code=code)
            self.assertEqual(self.db.read_bytes(), before)
            return said

        self.assertIn("is being worked on", refused(*self.KEY_3, "--fence", fence, *ruling))
        self.assertIn("has changed hands", refused(*self.KEY_3, "--fence", "7", *ruling))
        done = self.objects("show", *self.KEY_3[:-1], "key-2")[0]
        self.assertIn("was completed with 201", refused(*self.KEY_3[:-1], "key-2", "--fence",
                                                        str(done["fence"]), *ruling))
        refused(*self.KEY_3[:-1], "key-99", "--fence", "7", *ruling, code=NOT_FOUND)
        self.assertIn("--by and --evidence", refused(*self.KEY_3, "--fence", fence, "--not-applied",
                                                     "--by", "", "--evidence", "x", code=WRONG_USE))
        for wrong in (("--applied", "--not-applied"), (), ("--applied",),
                      ("--not-applied", "--status", "201"), ("--applied", "--status", "99"),
                      ("--applied", "--status", "201", "--field", "no colon")):
            refused(*self.KEY_3, "--fence", fence, *wrong, "--by", "a", "--evidence", "x",
                    code=WRONG_USE)

    def test_release_frees_a_key_under_its_fence(self):
        fence = self.stuck("held")
        self.refuses("release", *self.KEY_3, "--fence", "7", code=FINDING)
        self.assertIn("released: ", self.says("release", *self.KEY_3, "--fence", fence))
        self.refuses("release", *self.KEY_3, "--fence", fence, code=NOT_FOUND)

    def test_show_hides_the_note_of_a_checkpoint_unless_asked(self):
        self.stuck()
        self.assertNotIn("try", self.says("show", *self.KEY_3))
        self.assertIn("calling", self.says("show", *self.KEY_3))
        self.assertEqual(self.objects("show", *self.KEY_3, "--reveal")[0]["note"], '{"try":1}')

    def test_show_has_the_last_calls(self):
        self.order_lab()
        self.sql("INSERT INTO attempts VALUES (1000000, 'key-1', 'acme', 'create_order', "
                 "'request-' || char(27), 'once', 'create', 2, 1, 250), "
                 "(2000000, 'key-1', 'acme', 'create_order', NULL, 'once', 'replay', 6, NULL, 20)")
        scope = ("-t", "acme", "-o", "create_order", "-k", "key-1")
        said = self.says("show", *scope)
        self.assertIn("request-\\x1b", said)
        self.assertIn("250us", said)
        attempts = self.objects("show", *scope)[0]["attempts"]
        self.assertEqual([(a["reply"], a["rule"]) for a in attempts], [("create", 2), ("replay", 6)])
        self.assertEqual(len(self.objects("show", *scope, "--attempts", "1")[0]["attempts"]), 1)

    def reconcile(self, *lines, code, options=()):
        log = self.folder / "provider.jsonl"
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        run = self.run_it("reconcile", log, "--grace", "0s", *options, "--json")
        self.assertEqual(run.returncode, code, run.stderr)
        return [json.loads(line) for line in run.stdout.splitlines()], run.stderr

    def entries(self, step=None):
        """What a provider's log has of the order lab's file."""
        entries = []
        for receipt in self.objects("list"):
            scope = (receipt["tenant"], receipt["operation"], receipt["key"])
            created = datetime.datetime.fromisoformat(receipt["created_at"].replace("Z", "+00:00"))
            created_us = round((created - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc))
                               / datetime.timedelta(microseconds=1))
            entries.append({"key": downstream_key(*scope, created_us, step or receipt["operation"]),
                            "status": "succeeded", "time": "2026-01-01T00:00:00Z"})
        return entries

    def test_reconcile_finds_nothing_where_both_sides_agree(self):
        self.order_lab()
        found, errors = self.reconcile(*self.entries(), code=DONE)
        self.assertEqual((found, errors), ([], ""))
        log = self.folder / "provider.csv"
        log.write_text("time,key,status\n" + "".join(
            f"{e['time']},{e['key']},{e['status']}\n" for e in self.entries()))
        self.assertEqual(self.says("reconcile", log, "--grace", "0s"),
                         "4 matched, 0 only ours, 0 only theirs, 0 differing, 0 pending\n")
        self.assertIn("4 pending", self.says("reconcile", log))

    def test_reconcile_tells_what_only_one_side_knows_and_what_differs(self):
        self.order_lab()
        entries = self.entries()
        self.sql("""UPDATE receipts SET body = CAST('{"amount":12.50,"currency":"EUR"}' AS BLOB) WHERE key = 'key-3'""")
        entries[0].update(amount=12.5, currency="USD")     # key-3, the newest first
        entries[3]["key"] = "another"                      # key-1 of acme
        found, _ = self.reconcile(*entries, code=FINDING)
        self.assertEqual([(f["group"], f.get("ours", {}).get("key"), f["differs"]) for f in found],
                         [("only_ours", "key-1", []), ("only_theirs", None, []),
                          ("differing", "key-3", ["currency"])])
        said = self.run_it("reconcile", "provider.jsonl", "--grace", "0s").stdout
        self.assertIn("2 matched, 1 only ours, 1 only theirs, 1 differing, 0 pending\n", said)

    def test_reconcile_selects_findings_and_not_sides(self):
        self.order_lab()
        entries = self.entries()
        for options in (("--tenant", "zeta"), ("--operation", "refund"), ("--from", "2025-01-01")):
            self.assertEqual(self.reconcile(*entries, code=DONE, options=options), ([], ""))
        self.sql("UPDATE receipts SET created_at_us = 1767225599000000 WHERE key = 'key-3'")
        entries = [{**entry, "time": "2026-01-01T00:00:01Z"} for entry in self.entries()]
        self.assertEqual(self.reconcile(*entries, code=DONE, options=("--from", "2026-01-01")), ([], ""))

        lost = [entry for entry in entries if entry is not entries[3]] + [{**entries[3], "key": "another"}]
        def told(*options):
            found, _ = self.reconcile(*lost, code=FINDING, options=options)
            return [(f["group"], f.get("ours", {}).get("tenant")) for f in found]
        self.assertEqual(told(), [("only_ours", "acme"), ("only_theirs", None)])
        self.assertEqual(told("--tenant", "acme"), [("only_ours", "acme"), ("only_theirs", None)])
        self.assertEqual(told("--tenant", "zeta"), [("only_theirs", None)])
        self.assertEqual(told("--operation", "refund"), [("only_theirs", None)])
        self.assertEqual(told("--from", "2026-01-01"), [("only_ours", "acme"), ("only_theirs", None)])
        self.assertEqual(self.reconcile(*lost, code=DONE, options=("--from", "9000-01-01")), ([], ""))
        said = self.run_it("reconcile", "provider.jsonl", "--grace", "0s", "--tenant", "zeta").stdout
        self.assertTrue(said.endswith("lines without a receipt are told whatever --tenant and --operation say\n"))

    def test_reconcile_compares_every_step(self):
        self.order_lab()
        def entries(*steps):
            return [entry for step in steps for entry in self.entries(step)]
        steps = ("--step", "authorize", "--step", "capture")
        self.assertEqual(self.reconcile(*entries("authorize", "capture"), code=DONE, options=steps), ([], ""))
        found, _ = self.reconcile(*entries("authorize"), code=FINDING, options=steps)
        self.assertEqual([f["group"] for f in found], ["only_ours"] * 4)
        self.assertEqual(self.reconcile(*self.entries(), code=DONE, options=("--operation", "refund", *steps)),
                         ([], ""))

    def test_reconcile_knows_the_words_of_success_that_it_is_told(self):
        self.order_lab()
        settled = [{**entry, "status": "settled"} for entry in self.entries()]
        found, _ = self.reconcile(*settled, code=FINDING)
        self.assertEqual([f["differs"] for f in found], [["standing"]] * 4)
        self.assertEqual(self.reconcile(*settled, code=DONE, options=("--succeeded", "settled")), ([], ""))
        # The word does not swallow the log that stands behind it.
        self.says("reconcile", "--succeeded", "paid", "--succeeded", "settled", "provider.jsonl", "--grace", "0s")

    def test_reconcile_goes_on_after_a_broken_line(self):
        self.order_lab()
        found, errors = self.reconcile(*self.entries(), ["no object"], code=FINDING)
        self.assertEqual(found, [])
        self.assertIn("line 5: it is no object", errors)
        found, errors = self.reconcile({**self.entries()[0], "amount": "12,50"}, *self.entries()[1:],
                                       code=FINDING)
        self.assertEqual([f["group"] for f in found], ["only_ours"])
        self.assertIn("line 1: amount '12,50' is no decimal number", errors)
        (self.folder / "twice.csv").write_text("key,status,time,key\n")
        self.assertIn("twice.csv, line 1: column 'key' stands twice",
                      self.refuses("reconcile", "twice.csv", code=WRONG_USE))
        self.refuses("reconcile", "none.jsonl", code=NOT_FOUND)
        self.refuses("reconcile", "provider.jsonl", "--grace", "soon", code=WRONG_USE)

    def log(self):
        """The order lab's file with a log: three calls of today, and one of two days ago."""
        self.order_lab()
        now, day = int(time.time() * 1e6), 86_400_000_000
        calls = [(now, "once", "create", 120), (now, "once", "replay", 20), (now, "claim", "conflict", 9),
                 (now - 2 * day, "once", "busy", 5_000_000)]
        with contextlib.closing(sqlite3.connect(self.db)) as connection, connection:
            connection.executemany("INSERT INTO attempts VALUES (?, 'k', 't', 'o', NULL, ?, ?, NULL, NULL, ?)",
                                   calls)

    def test_stats_has_rates_of_the_calls_that_are_logged(self):
        self.log()
        recent = self.objects("stats")[0]["recent"]
        self.assertEqual(recent["once"], {"calls": 2, "replies": {"create": 1, "replay": 1},
                                          "replay_rate": 0.5, "conflict_rate": 0.0,
                                          "p50_us": 50, "p95_us": 200, "p99_us": 200})
        self.assertEqual(recent["claim"]["conflict_rate"], 1.0)
        self.assertEqual(self.objects("stats", "--since", "3d")[0]["recent"]["once"]["calls"], 3)
        self.assertRegex(self.says("stats"), r"once +2 +1 +0 +1 +0 +0 +50.0% +0.0% +50us +200us +200us\n")
        self.refuses("stats", "--since", "soon", code=WRONG_USE)

    def test_metrics_are_the_same_as_prometheus_text(self):
        self.log()
        text = self.says("metrics")
        for line in ('counterfoil_receipts{state="completed"} 4', 'counterfoil_receipts{state="unknown"} 0',
                     "counterfoil_receipts_lapsed 0", "counterfoil_oldest_unresolved_seconds 0",
                     'counterfoil_recent_calls{call="once",reply="replay"} 1',
                     'counterfoil_recent_replay_ratio{call="once"} 0.5'):
            self.assertIn(line + "\n", text)
        self.refuses("metrics", "--json", code=WRONG_USE)

    def test_metrics_tell_for_how_long_something_is_unresolved(self):
        self.stuck()
        unresolved = re.search(r"\ncounterfoil_oldest_unresolved_seconds (\S+)\n", self.says("metrics"))
        self.assertGreater(float(unresolved[1]), 1e9)

    def test_purge_takes_old_calls_out_of_the_log(self):
        self.order_lab()
        self.sql("INSERT INTO attempts VALUES (1, 'k', 't', 'o', NULL, 'once', 'create', 2, 1, 9)")
        self.assertEqual(self.objects("purge", "--dry-run")[0]["attempts"], 0)
        self.assertEqual(self.objects("purge")[0]["attempts"], 1)
        self.refuses("purge", "--attempts-older-than", "soon", code=WRONG_USE)

    def test_verify_names_every_fault(self):
        self.order_lab()
        self.assertEqual(self.says("verify"), "4 receipts, 0 faults\n")
        self.sql("UPDATE receipts SET state = 'nonsense' WHERE key = 'key-2'",
                 "UPDATE receipts SET digest = x'00' WHERE key = 'key-3'")
        text = self.says("verify", code=FINDING)
        self.assertIn("nonsense", text)
        self.assertIn("digest has 1 bytes", text)
        self.assertGreaterEqual(self.objects("verify", code=FINDING)[-1]["faults"], 2)

    def test_verify_goes_on_after_damage_that_sqlite_gives_up_on(self):
        self.order_lab()
        with open(self.db, "r+b") as file:
            file.seek(2 * 4096)
            file.write(b"\xff" * 4096)
        text = self.says("verify", code=FINDING)
        self.assertRegex(text, r"[1-9]\d* faults\n\Z")

    def test_policy_check_names_every_fault(self):
        good, bad = self.folder / "good.json", self.folder / "bad.json"
        good.write_text('{"default":{"lease":"30s"}}')
        bad.write_text('{"default":{"lease":"0s","max_attempts":0},"operation":{}}')
        self.assertIn("sound", self.says("policy", "check", good, db=False))
        self.assertEqual(len(self.says("policy", "check", bad, db=False, code=FINDING).splitlines()), 3)
        self.assertEqual([o["pointer"] for o in self.objects("policy", "check", bad, db=False,
                                                             code=FINDING)],
                         ["/default/lease", "/default/max_attempts", "/operation"])
        self.says("policy", "check", good, "--handler-budget", "60s", db=False, code=FINDING)
        self.assertEqual(json.loads(self.says("policy", "show", good, db=False))["default"]["lease"], "30s")

    def test_completion_and_manual_name_every_command(self):
        completion = self.says("completion", "bash", db=False)
        subprocess.run(["bash", "-n"], input=completion, text=True, check=True)
        offered = subprocess.run(
            ["bash", "-c", completion + 'COMP_WORDS=(counterfoil li); COMP_CWORD=1; _counterfoil; '
             'echo "${COMPREPLY[@]}"; COMP_WORDS=(counterfoil show --te); COMP_CWORD=2; _counterfoil; '
             'echo "${COMPREPLY[@]}"'],
            capture_output=True, text=True, check=True).stdout
        self.assertEqual(offered, "list\n--tenant\n")
        manual = self.says("man", db=False)
        for command in ("init", "list", "show", "why", "fingerprint", "stats", "purge", "verify",
                        "policy check", "policy show", "completion", "man"):
            self.assertIn(f".SS {command}\n", manual)
            self.assertIn("Example:\n  ", self.says(*command.split(), "--help", db=False))

    def test_help_and_version(self):
        self.assertIn("Exit codes", self.says("--help", db=False))
        self.assertRegex(self.says("--version", db=False), r"\Acounterfoil \d+\.\d+\.\d+\n\Z")

    # What is wrong with the call.

    def test_wrong_use_is_told_in_one_line(self):
        self.order_lab()
        for call in (["list", "--state", "done"], ["lst"], [], ["list", "--limit", "-1"],
                     ["show", "-t", "acme"], ["show", "-t", "", "-o", "x", "-k", "y"],
                     ["show", "-t", "a", "-o", "x", "-k", ""], ["list", "--from", "yesterday"],
                     ["list", "--from", "2026-02-30"], ["list", "--from", "2026-01-01T25:00:00Z"],
                     ["fingerprint", "--scheme", "md5"], ["fingerprint", "."],
                     ["fingerprint", "--secret", "x"], ["policy"]):
            with self.subTest(call=call):
                self.refuses(*call, code=WRONG_USE)

    def test_bad_bodies_are_told_with_their_byte(self):
        self.order_lab()
        ask = ("why", "-t", "acme", "-o", "create_order", "-k", "key-1")
        self.assertIn("byte 7", self.refuses(*ask, stdin='{"a":1,}', code=WRONG_USE))
        self.refuses(*ask, stdin="", code=WRONG_USE)
        self.assertIn("stands twice", self.refuses("fingerprint", stdin='{"a":1,"a":2}', db=False,
                                                   code=WRONG_USE))
        self.assertIn("given bytes", self.refuses(*ask, "--raw", stdin="", code=WRONG_USE))

    def test_what_is_not_there_is_not_found(self):
        self.refuses("list", code=NOT_FOUND)
        self.assertFalse(self.db.exists())
        self.refuses("purge", code=NOT_FOUND)
        self.assertFalse(self.db.exists())
        self.order_lab()
        self.refuses("show", "-t", "acme", "-o", "create_order", "-k", "key-9", code=NOT_FOUND)
        self.refuses("fingerprint", "absent.json", db=False, code=NOT_FOUND)
        self.refuses("why", "-t", "a", "-o", "b", "-k", "c", "--policy", "absent", code=NOT_FOUND)
        self.refuses("list", db=False, code=WRONG_USE)
        run = self.run_it("list", "--json", db=False, env={"COUNTERFOIL_DB": str(self.db)})
        self.assertEqual((run.returncode, len(run.stdout.splitlines())), (DONE, 4))

    # What is wrong with the file.

    def test_files_of_others_are_refused_and_left_alone(self):
        def is_refused(code, says):
            before = self.db.read_bytes()
            for command in ("list", "stats", "verify", "purge"):
                with self.subTest(command=command, says=says):
                    self.assertIn(says, self.refuses(command, code=code))
            self.assertEqual(self.db.read_bytes(), before)

        self.db.write_text("this is no database, but long enough to look like one" * 40)
        is_refused(CORRUPT, "not a database")
        self.db.write_bytes(b"")
        is_refused(WRONG_USE, "no receipts")
        self.db.unlink()
        self.sql("CREATE TABLE t (x)", "PRAGMA application_id = 7")
        is_refused(WRONG_USE, "another application")
        self.refuses("init", code=WRONG_USE)
        self.db.unlink()
        self.order_lab()
        self.sql("PRAGMA user_version = 99")
        is_refused(WRONG_USE, "99")
        self.refuses("init", code=WRONG_USE)

    def test_a_folder_is_refused(self):
        self.db.mkdir()
        self.assertIn("folder", self.refuses("list", code=WRONG_USE))

    def test_no_permission_is_unavailable(self):
        self.order_lab()
        self.db.chmod(0)
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        self.refuses("list", code=BUSY)

    def test_a_corrupt_row_is_corrupt_and_others_are_read(self):
        self.order_lab()
        self.sql("UPDATE receipts SET state = 'nonsense' WHERE key = 'key-2'")
        self.assertIn("nonsense", self.refuses("show", "-t", "acme", "-o", "create_order", "-k", "key-2",
                                               code=CORRUPT))
        run = self.run_it("list")
        self.assertEqual((run.returncode, len(run.stdout.splitlines())), (CORRUPT, 4))
        self.assertIn("nonsense", run.stderr)
        self.says("show", "-t", "acme", "-o", "create_order", "-k", "key-1")

    def test_reading_works_while_a_writer_is_busy(self):
        self.order_lab()
        writer = sqlite3.connect(self.db, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM receipts")
        self.assertEqual(len(self.objects("list")), 4)
        self.assertEqual(self.objects("stats")[0]["receipts"], 4)
        self.says("verify")
        writer.execute("ROLLBACK")
        writer.close()

    def test_writing_beside_a_writer_is_busy(self):
        self.order_lab()
        writer = sqlite3.connect(self.db, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        self.assertIn("locked", self.refuses("purge", code=BUSY))
        writer.close()

    def test_a_bad_policy_is_told_in_one_line(self):
        self.order_lab()
        (self.folder / "bad.json").write_text('{"default":{"lease":"0s","max_attempts":0}}')
        told = self.refuses("purge", "--policy", "bad.json", code=WRONG_USE)
        self.assertIn("/default/lease", told)
        self.assertIn("/default/max_attempts", told)

    def test_colours_are_for_terminals(self):
        self.order_lab()
        shown = subprocess.run(["script", "-qec", f"{COUNTERFOIL} --db {self.db} list", "/dev/null"],
                               capture_output=True, text=True, check=True).stdout
        plain = subprocess.run(["script", "-qec", f"NO_COLOR=1 {COUNTERFOIL} --db {self.db} list",
                                "/dev/null"], capture_output=True, text=True, check=True).stdout
        self.assertIn("\x1b[32mcompleted", shown)
        self.assertNotIn("\x1b", plain)
        self.assertNotIn("\x1b", self.says("list"))

    def test_a_reader_that_stops_reading_is_no_fault(self):
        self.order_lab()
        run = subprocess.run(["bash", "-c", '"$0" --db "$1" list --json | head -n 1', COUNTERFOIL,
                              self.db], capture_output=True, text=True, check=True)
        self.assertEqual((len(run.stdout.splitlines()), run.stderr), (1, ""))

    def test_output_that_can_not_be_written_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        self.order_lab()
        with open("/dev/full", "w", encoding="ascii") as full:
            run = subprocess.run([COUNTERFOIL, "--db", self.db, "list"], stdout=full,
                                 stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, BUSY)
        self.assertIn("can't be written", run.stderr)

    # The page.

    def test_the_page_says_what_is_printed(self):
        """Runs every `$ …` of docs/cli.md in turn and compares what it prints with what stands there."""
        self.order_lab()
        (self.folder / "order.json").write_text(PEN)
        (self.folder / "policies.json").write_text('{"default": {"lease": "0s"}}')
        (self.folder / "provider.jsonl").write_text('{"key":"9f1c","status":"paid","amount":12.50,'
                                                    '"currency":"EUR","time":"2026-12-01T12:00:00Z"}')
        (self.folder / "answer.json").write_text('{"charge":17}')
        shutil.copy(self.db, self.folder / "pay.db")
        with contextlib.closing(sqlite3.connect(self.folder / "pay.db")) as connection, connection:
            connection.execute("UPDATE receipts SET operation = 'charge', state = 'unknown', since_us = 1, "
                               "unknown_cause = 'marked', fence = 1764590000000001, completed_at_us = NULL "
                               "WHERE key = 'key-3'")
        page = (DOCS / "cli.md").read_text(encoding="utf-8")
        shown = re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
        self.assertGreater(len(shown), 10)
        path = f"{COUNTERFOIL.parent}:{os.environ['PATH']}"
        for command, expected in shown:
            with self.subTest(command=command):
                run = subprocess.run(["bash", "-c", command], cwd=self.folder, text=True, check=False,
                                     env={"PATH": path}, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT)
                self.assertEqual(without_moments(run.stdout), without_moments(expected))


def downstream_key(tenant, operation, key, created_us, step):
    """As docs/operations.md and the vectors of the key have it."""
    def part(raw):
        return len(raw).to_bytes(8, "big") + raw
    parts = [b"counterfoil.downstream-key.1", tenant.encode(), operation.encode(), key.encode(),
             created_us.to_bytes(8, "big", signed=True), step.encode()]
    made = bytearray(hashlib.sha256(b"".join(part(one) for one in parts)).digest()[:16])
    made[6] = made[6] & 0x0F | 0x80
    made[8] = made[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(made)))


def without_moments(text):
    """The text without what differs from run to run."""
    for pattern, word in ((r"\d{4}-\d\d-\d\dT[\d:.]+Z", "INSTANT"), (r"\b\d{16}\b", "FENCE"),
                          (r"\b\d+(ms|s|m|h|d) ago|in \d+(ms|s|m|h|d)\b|\bnow\b", "AGE"),
                          (r"\b[\d.]+ [kM]B\b", "SIZE"), (r"_bytes\":\d+", '_bytes":N'),
                          (r" +", " "), (r" +\n", "\n")):
        text = re.sub(pattern, word, text)
    return text.rstrip()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[4:])
