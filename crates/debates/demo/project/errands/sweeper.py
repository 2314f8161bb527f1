"""Puts jobs back whose worker is gone."""

import time

from . import config


def sweep(store, now=None):
    """Return abandoned jobs to the queue, and say how many there were."""
    found = list(store.abandoned(now if now is not None else time.time()))
    for job_id in found:
        try:
            store.finish(job_id, "waiting")
        except FileNotFoundError:
            pass  # the worker finished it after all
    return len(found)


def run(store):
    while True:
        sweep(store)
        time.sleep(config.SWEEP_SECONDS)
