#!/usr/bin/env python3
"""Orders the plain way, with Python's sqlite3 module and one kept connection.

    peer.py FILE SYNCHRONOUS SECONDS   (FULL or OFF)

Prints how many orders it made and in how many seconds.
"""

import hashlib
import json
import sqlite3
import sys
import time
import uuid

SCHEMA = """
CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, tenant TEXT, key TEXT, sku TEXT,
    quantity INTEGER, UNIQUE (tenant, key));
CREATE TABLE IF NOT EXISTS receipts (tenant TEXT, operation TEXT, key TEXT, fingerprint TEXT,
    status INTEGER, body TEXT, created_at REAL, PRIMARY KEY (tenant, operation, key));
"""


def place(connection, tenant, key, order):
    fingerprint = hashlib.sha256(json.dumps(order, sort_keys=True).encode()).hexdigest()
    connection.execute("BEGIN IMMEDIATE")
    found = connection.execute(
        "SELECT fingerprint, status, body FROM receipts WHERE tenant = ? AND operation = ? "
        "AND key = ?", (tenant, "create_order", key)).fetchone()
    if found:
        connection.execute("ROLLBACK")
        return found
    made = connection.execute("INSERT INTO orders (tenant, key, sku, quantity) VALUES (?, ?, ?, ?)",
                              (tenant, key, order["sku"], order["quantity"]))
    body = json.dumps({"order_id": made.lastrowid, "status": "created", "note": "x" * 150})
    connection.execute("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?)",
                       (tenant, "create_order", key, fingerprint, 201, body, time.time()))
    connection.execute("COMMIT")
    return fingerprint, 201, body


def main():
    file, synchronous, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.executescript(SCHEMA)
    times, start = 0, time.monotonic()
    while time.monotonic() - start < seconds:
        place(connection, f"tenant-{times % 100}", str(uuid.uuid4()), {"sku": "pen", "quantity": 2})
        times += 1
    print(times, time.monotonic() - start)


main()
