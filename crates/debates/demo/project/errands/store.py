"""Jobs as files. The only module that touches the spool folder.

The layout:

    spool/waiting/ID.json     jobs that nobody has taken yet
    spool/running/ID.json     jobs that a worker runs
    spool/running/ID.lease    who runs the job, and since when
    spool/done/ID.json        jobs that went well
    spool/failed/ID.json      jobs that failed three times
    spool/held/ID.json        jobs that the people on call set aside

An id begins with the time at which the job was added, in nanoseconds, so the names of the files are
in the order of their age. Drafts begin with a dot and are in the spool folder itself.
"""

import json
import os
import time
import uuid

from . import config

STATES = ("waiting", "running", "done", "failed", "held")


class StoreError(Exception):
    """A job is not in the state that a command expects."""


class FileStore:
    """The queue of one spool folder.

    Several processes may use the same folder. Each method leaves every job in one state, whatever
    other processes do meanwhile.
    """

    def __init__(self, spool=None):
        self.spool = spool or config.SPOOL
        for state in STATES:
            (self.spool / state).mkdir(parents=True, exist_ok=True)

    # Where things are.

    def path(self, state, job_id):
        """The file of a job in a state, whether or not it is there."""
        return self.spool / state / f"{job_id}.json"

    def lease_path(self, job_id):
        """The file that says who runs a job."""
        return self.spool / "running" / f"{job_id}.lease"

    # What the web shop calls.

    def add(self, kind, payload):
        """Write a job outside the queue, then rename it in, so nobody reads half of it."""
        job_id = f"{time.time_ns()}-{uuid.uuid4().hex[:8]}"
        job = {"id": job_id, "kind": kind, "payload": payload, "attempts": 0}
        self._write(self.path("waiting", job_id), json.dumps(job))
        return job_id

    # What workers call.

    def claim(self, worker):
        """Take the oldest waiting job, or return None."""
        for name in sorted(os.listdir(self.spool / "waiting")):
            job_id = name.removesuffix(".json")
            running = self.path("running", job_id)
            try:
                os.rename(self.path("waiting", job_id), running)
            except FileNotFoundError:
                continue  # another worker was faster
            self.renew(job_id, worker)
            job = json.loads(running.read_text())
            job["attempts"] += 1
            self._write(running, json.dumps(job))
            return job
        return None

    def renew(self, job_id, worker):
        """Record that `worker` is still on the job. The lease is as old as its file."""
        self._write(self.lease_path(job_id), worker)

    def finish(self, job_id, state):
        """Move a running job to `done`, `failed` or back to `waiting`."""
        os.rename(self.path("running", job_id), self.path(state, job_id))
        self.lease_path(job_id).unlink(missing_ok=True)

    # What the sweeper calls.

    def abandoned(self, now):
        """Ids of running jobs that have no lease, or one that is too old."""
        for path in (self.spool / "running").glob("*.json"):
            lease = self.lease_path(path.stem)
            if not lease.exists() or now - lease.stat().st_mtime > config.LEASE_SECONDS:
                yield path.stem

    # What the people on call use.

    def retry(self, job_id):
        """Give a failed job three more attempts."""
        path = self.path("failed", job_id)
        try:
            job = json.loads(path.read_text())
        except FileNotFoundError:
            raise StoreError(f"{job_id} did not fail") from None
        job["attempts"] = 0
        self._write(path, json.dumps(job))
        os.rename(path, self.path("waiting", job_id))

    def hold(self, kind):
        """Set aside the waiting jobs of one kind. Returns how many there were."""
        held = 0
        for path in (self.spool / "waiting").glob("*.json"):
            try:
                if json.loads(path.read_text())["kind"] == kind:
                    os.rename(path, self.path("held", path.stem))
                    held += 1
            except FileNotFoundError:
                continue  # a worker took it
        return held

    def release(self):
        """Put all jobs back that were set aside. Returns how many there were."""
        paths = list((self.spool / "held").glob("*.json"))
        for path in paths:
            os.rename(path, self.path("waiting", path.stem))
        return len(paths)

    def purge(self, before):
        """Delete jobs that were done before a time. Returns how many there were."""
        purged = 0
        for path in (self.spool / "done").glob("*.json"):
            if path.stat().st_mtime < before:
                path.unlink(missing_ok=True)
                purged += 1
        return purged

    def count(self):
        """How many jobs are in each state."""
        return {
            state: len(list((self.spool / state).glob("*.json"))) for state in STATES
        }

    # Below everything.

    def _write(self, path, text):
        """Write a file so that a reader sees all of it or nothing, and a power cut loses nothing."""
        draft = self.spool / f".{path.name}.tmp"
        with open(draft, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, path)
