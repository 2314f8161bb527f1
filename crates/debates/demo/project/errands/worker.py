"""Runs jobs, one at a time."""

import threading
import time
import traceback

from . import config


class Worker:
    def __init__(self, name, store, handlers):
        self.name = name
        self.store = store
        self.handlers = handlers

    def run_one(self):
        """Claim and run one job. Return False if none was waiting."""
        job = self.store.claim(self.name)
        if job is None:
            return False
        stop = threading.Event()
        heart = threading.Thread(target=self._beat, args=(job["id"], stop), daemon=True)
        heart.start()
        try:
            self.handlers[job["kind"]](job["payload"])
            state = "done"
        except Exception:
            traceback.print_exc()
            state = "waiting" if job["attempts"] < config.MAX_ATTEMPTS else "failed"
        finally:
            stop.set()
            heart.join()
        self.store.finish(job["id"], state)
        return True

    def run(self):
        while True:
            if not self.run_one():
                time.sleep(0.5)

    def _beat(self, job_id, stop):
        while not stop.wait(config.LEASE_SECONDS / 3):
            self.store.renew(job_id, self.name)
