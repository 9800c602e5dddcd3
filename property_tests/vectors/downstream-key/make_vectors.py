#!/usr/bin/env python3
"""Prints vectors.tsv: downstream keys as README.md defines them, by Python's hashlib alone."""
import hashlib
import struct
import uuid

NEVER = 2**63 - 1


def part(data):
    return struct.pack(">Q", len(data)) + data


def downstream_key(tenant, operation, key, created_at_us, step):
    message = part(b"counterfoil.downstream-key.1")
    for text in (tenant, operation, key):
        message += part(text.encode("ascii"))
    message += part(struct.pack(">q", created_at_us))
    message += part(step.encode("utf-8"))
    digest = int.from_bytes(hashlib.sha256(message).digest()[:16], "big")
    digest = digest & ~(0xF << 76) | (8 << 76)
    digest = digest & ~(0x3 << 62) | (2 << 62)
    return str(uuid.UUID(int=digest))


CASES = [
    ("acme", "charge", "order-17", 1_796_117_400_000_000, "charge-card"),
    ("acme", "charge", "order-17", 1_796_117_400_000_000, "send-receipt"),
    ("acme", "charge", "order-17", 1_796_117_400_000_001, "charge-card"),
    ("acme", "charge", "order-18", 1_796_117_400_000_000, "charge-card"),
    ("acme", "refund", "order-17", 1_796_117_400_000_000, "charge-card"),
    ("acne", "charge", "order-17", 1_796_117_400_000_000, "charge-card"),
    # no step, and instants at the ends of time and round the first one
    ("a", "b", "c", 0, ""),
    ("a", "b", "c", 1, ""),
    ("a", "b", "c", -1, ""),
    ("a", "b", "c", -(2**63), ""),
    ("a", "b", "c", NEVER, ""),
    # the same text, cut in other places
    ("ab", "c", "d", 0, "e"),
    ("a", "bc", "d", 0, "e"),
    ("a", "b", "cd", 0, "e"),
    ("a", "b", "c", 0, "de"),
    ("abc", "d", "e", 0, ""),
    # the longest names, and lengths round the block of the digest
    ("t" * 255, "o" * 255, "k" * 255, 0, "s" * 255),
    ("a", "POST /orders", "~" * 55, 0, "x"),
    ("a", "POST /orders", "~" * 56, 0, "x"),
    ("a", "POST /orders", "~" * 64, 0, "x" * 4096),
    # a step may be any text
    ("a", "b", "c", 0, "réserver"),
]

print("# tenant\toperation\tkey\tcreated_at_us\tstep\tdownstream_key")
for case in CASES:
    print("\t".join(map(str, (*case, downstream_key(*case)))))
