"""Settings, from the environment."""

import os
from pathlib import Path

SPOOL = Path(os.environ.get("ERRANDS_SPOOL", "spool"))

# A worker renews its lease three times in this span while a job runs.
LEASE_SECONDS = int(os.environ.get("ERRANDS_LEASE_SECONDS", "60"))

# How often the sweeper looks for jobs whose worker is gone.
SWEEP_SECONDS = int(os.environ.get("ERRANDS_SWEEP_SECONDS", "15"))

MAX_ATTEMPTS = 3
