"""Runs examples/train_ray.py twice in one Ray on this machine: ray_on_loopback.py TABLE FOLDER

Two workers first, of which rank 0 dies twice, which is once more than Ray is to begin again; then
one worker. Nothing listens on other interfaces but torch's own store, and nobody is told of it.
"""

import os
import runpy
import sys
import tempfile

os.environ |= {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # else Ray takes the machine's address
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S": "0.1",
    "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S": "300",
}

import ray
from trainers import EXAMPLES


def _run(workers: int) -> None:
    sys.argv[3:] = [str(workers)]
    runpy.run_path(str(EXAMPLES / "train_ray.py"), run_name="__main__")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:  # its sockets have short names
        ray.init(
            num_cpus=2, include_dashboard=False, object_store_memory=80 << 20, _temp_dir=folder
        )
        try:
            try:
                _run(2)
            except ray.train.WorkerGroupError as e:
                print("failed:", e)
            _run(1)
        finally:
            ray.shutdown()
