"""Forks while a client is in use, as web servers and task queues do. Prints how many children could call.

Usage: forking_program.py ADDRESS
"""

import asyncio
import os
import signal
import sys
import threading
import time

from loci_client import AsyncLoci, Loci

CHILDREN = 8
THREADS = 32

loci, async_loci = Loci.connect(sys.argv[1]), AsyncLoci.connect(sys.argv[1])
errors = []
counts = {"thread": 0, "loop": 0, "watch": 0}


def call_for_ever():
    try:
        while True:
            loci.memories.get("id")
            counts["thread"] += 1
            time.sleep(0.005)
    except Exception as error:
        errors.append(error)


def loop_for_ever():
    async def main():
        while True:
            await async_loci.memories.get("id")
            counts["loop"] += 1
            await asyncio.sleep(0.001)

    try:
        asyncio.run(main())
    except Exception as error:
        errors.append(error)


def watch_for_ever():
    try:
        for _ in loci.memories.watch(all_scopes=True):
            counts["watch"] += 1
    except Exception as error:
        errors.append(error)


def child():
    signal.alarm(30)
    loci.memories.get("id")
    asyncio.run(async_loci.memories.get("id"))
    os._exit(0)


targets = [call_for_ever] * THREADS + [loop_for_ever] * 2 + [watch_for_ever]
for target in targets:
    threading.Thread(target=target, daemon=True).start()
while min(counts.values()) == 0 and not errors:
    time.sleep(0.01)
children = []
for _ in range(CHILDREN):
    pid = os.fork()
    if pid == 0:
        child()
    children.append(pid)
    loci.memories.get("id")
ended = sum(os.waitpid(pid, 0)[1] == 0 for pid in children)
before, end = dict(counts), time.monotonic() + 10
while time.monotonic() < end and any(counts[name] == before[name] for name in counts):
    time.sleep(0.05)
went_on = sum(counts[name] > before[name] for name in counts)
print(f"{ended} children, {went_on} kinds of callers went on, errors: {errors[:3]}", flush=True)
# The threads call for ever.
os._exit(0)
