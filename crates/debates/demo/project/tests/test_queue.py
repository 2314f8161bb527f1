import json
import tempfile
import time
import unittest
from pathlib import Path

from errands import config, sweeper
from errands.store import FileStore
from errands.worker import Worker


class QueueTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = FileStore(Path(folder.name))
        self.seen = []

    def worker(self, handler=None):
        return Worker("w1", self.store, {"note": handler or self.seen.append})

    def test_jobs_run_in_the_order_they_were_added(self):
        for number in range(3):
            self.store.add("note", number)
        worker = self.worker()
        while worker.run_one():
            pass
        self.assertEqual(self.seen, [0, 1, 2])
        self.assertEqual(self.store.count()["done"], 3)

    def test_a_job_is_claimed_once(self):
        self.store.add("note", 1)
        self.assertIsNotNone(self.store.claim("w1"))
        self.assertIsNone(self.store.claim("w2"))

    def test_a_job_fails_after_three_attempts(self):
        def broken(payload):
            raise ValueError(payload)

        self.store.add("note", 1)
        worker = self.worker(broken)
        while worker.run_one():
            pass
        self.assertEqual(self.store.count()["failed"], 1)

    def test_the_job_of_a_dead_worker_is_put_back(self):
        self.store.add("note", 1)
        self.store.claim("w1")
        later = time.time() + config.LEASE_SECONDS + 1
        self.assertEqual(sweeper.sweep(self.store, later), 1)
        self.assertEqual(self.store.count()["waiting"], 1)

    def test_a_job_with_a_lease_is_left_alone(self):
        self.store.add("note", 1)
        self.store.claim("w1")
        self.assertEqual(sweeper.sweep(self.store), 0)

    def test_a_job_is_one_readable_file(self):
        job_id = self.store.add("note", {"photo": 17})
        job = json.loads(self.store.path("waiting", job_id).read_text())
        self.assertEqual(job["payload"], {"photo": 17})


if __name__ == "__main__":
    unittest.main()
