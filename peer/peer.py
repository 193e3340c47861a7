"""A peer in Python: locks as the Meltano plugin for ClickHouse does, with clickhouse-connect and
Python's own json, beside processes of statectl.

Usage: peer.py HOST PORT USER PASSWORD DATABASE COMMAND ARGUMENT...

    race SCHEMA DIRECTORY STALE_SECONDS SEED NAME
        takes the lock, counts in the witnesses and in the state, releases; until stdin ends
    write SCHEMA ID
        reads a JSON document on stdin and writes it as the completed half of the state
    read SCHEMA ID
        prints the completed half of the state as Python reads and writes it again
"""

import json
import os
import random
import sys
import threading
import time
import uuid

import clickhouse_connect

SETTLE_SECONDS = 1.0
RACE_ID = "race:tap-to-target"


class Store:
    """The two tables, read and written as the plugin does."""

    def __init__(self, client, schema):
        self.client = client
        self.states = f"`{schema}`.`state`"
        self.locks = f"`{schema}`.`state_lock`"

    def get(self, state_id):
        rows = self.client.query(
            f"SELECT completed_state FROM {self.states} FINAL WHERE state_id = {{id:String}}",
            parameters={"id": state_id},
        ).result_rows
        return json.loads(rows[0][0]) if rows and rows[0][0] else {}

    def set(self, state_id, document):
        self.client.insert(
            self.states,
            [[state_id, None, json.dumps(document)]],
            column_names=["state_id", "partial_state", "completed_state"],
            settings={"async_insert": 0},
        )

    def delete_stale(self, state_id, stale_seconds):
        self.client.command(
            f"DELETE FROM {self.locks} WHERE state_id = {{id:String}}"
            f" AND locked_at < now() - INTERVAL {stale_seconds} SECOND",
            parameters={"id": state_id},
        )

    def announce(self, state_id, lock_id):
        self.client.insert(
            self.locks,
            [[state_id, lock_id]],
            column_names=["state_id", "lock_id"],
            settings={"async_insert": 0},
        )

    def smallest(self, state_id):
        rows = self.client.query(
            f"SELECT lock_id FROM {self.locks} WHERE state_id = {{id:String}}",
            parameters={"id": state_id},
        ).result_rows
        return min((row[0] for row in rows), default=None)

    def withdraw(self, state_id, lock_id):
        self.client.command(
            f"DELETE FROM {self.locks} WHERE state_id = {{id:String}}"
            " AND lock_id = {lock_id:String}",
            parameters={"id": state_id, "lock_id": lock_id},
        )


class Witness:
    """The files that show whether sections overlapped, as the Java processes keep them."""

    def __init__(self, directory, name):
        self.log = os.path.join(directory, "log")
        self.counter = os.path.join(directory, "counter")
        self.draft = os.path.join(directory, "counter-of-" + name)
        self.name = name

    def begin(self, lock_id):
        self._append("begin", lock_id)
        if not os.path.exists(self.counter):
            return []
        with open(self.counter, encoding="utf-8") as lines:
            return lines.read().splitlines()

    def end(self, lock_id, counted):
        with open(self.draft, "w", encoding="utf-8") as lines:
            lines.write("".join(line + "\n" for line in counted + [lock_id]))
        os.replace(self.draft, self.counter)
        self._append("end", lock_id)

    def _append(self, event, lock_id):
        line = f"{time.monotonic_ns()} {event} {lock_id} {self.name}\n"
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(log, line.encode("utf-8"))
        finally:
            os.close(log)


def race(store, directory, stale_seconds, seed, name):
    ended = threading.Event()

    def watch():
        sys.stdin.read()
        ended.set()

    threading.Thread(target=watch, daemon=True).start()
    witness = Witness(directory, name)
    chance = random.Random(seed)
    while not ended.is_set():
        store.delete_stale(RACE_ID, stale_seconds)
        # Its own, since the seed would give it to each process again.
        lock_id = str(uuid.uuid4())
        announced = time.monotonic()
        store.announce(RACE_ID, lock_id)
        time.sleep(SETTLE_SECONDS)
        won = store.smallest(RACE_ID) == lock_id
        # On a busy machine its row may be near its end by now, which the plugin's 300 s never are.
        if won and time.monotonic() - announced < stale_seconds - 1:
            counted = witness.begin(lock_id)
            state = store.get(RACE_ID)
            # Less than the settle time with all that comes before and after.
            time.sleep(0.2 + 0.4 * chance.random())
            store.set(RACE_ID, {"n": state.get("n", 0) + 1, "by": lock_id})
            witness.end(lock_id, counted)
        store.withdraw(RACE_ID, lock_id)
        time.sleep(1 + 4 * chance.random())


def main():
    host, port, user, password, database, command, schema = sys.argv[1:8]
    arguments = sys.argv[8:]
    # Not the default, lz4, which the local engine for tests does not understand.
    client = clickhouse_connect.get_client(
        host=host,
        port=int(port),
        username=user,
        password=password,
        database=database,
        compress="gzip",
    )
    store = Store(client, schema)
    if command == "race":
        directory, stale_seconds, seed, name = arguments
        race(store, directory, int(stale_seconds), int(seed), name)
    elif command == "write":
        store.set(arguments[0], json.load(sys.stdin))
    elif command == "read":
        print(json.dumps(store.get(arguments[0])))
    else:
        sys.exit(f"unknown command {command}")


if __name__ == "__main__":
    main()
