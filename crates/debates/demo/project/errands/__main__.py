"""The command line: add, work, sweep, status."""

import json
import os
import sys

from . import sweeper
from .handlers import HANDLERS
from .store import FileStore
from .worker import Worker


def main(argv):
    store = FileStore()
    match argv:
        case ["add", kind, payload]:
            print(store.add(kind, json.loads(payload)))
        case ["work"]:
            Worker(f"worker-{os.getpid()}", store, HANDLERS).run()
        case ["sweep"]:
            sweeper.run(store)
        case ["status"]:
            print(json.dumps(store.count(), indent=2))
        case _:
            sys.exit("usage: errands add KIND JSON | work | sweep | status")


if __name__ == "__main__":
    main(sys.argv[1:])
