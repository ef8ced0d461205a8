"""How many rows a process has delivered by some seconds after its start.

Before them stand the seconds until the loader was made, imports included, and until the first batch came.

python seconds.py penstock|torchdl WORKLOAD DATA_DIR STARTED SECOND...     PEERS: the folder with peers.py

torchdl is torch's DataLoader over pyarrow whose threads read row groups ahead; both deliver torch's tensors.
"""

import os
import sys
import time
from types import SimpleNamespace

system, workload, data, started, *seconds = sys.argv[1:]
by_ticks = time.perf_counter() - (time.time() - float(started))
marks = [float(each) for each in seconds]

import torch  # noqa: E402

if system == "penstock":
    from penstock_torch import Dataset, Loader

    torch.set_num_threads(1)
    names = [f"f{i:02d}" for i in range(64)]
    numbers = [f"d{k}" for k in range(6)] + [f"i{k}" for k in range(3)] + ["l0", "l1", "t0", "t1"]
    folder, columns, size, options = {
        "w1": ("w1", [*names, "label"], 1024, {"features": {"x": names}}),
        "w2n": ("w2", numbers, 4096, {}),
        "w3": ("w34", ["f07", "row_id"], 1024, {}),
    }[workload]
    loader = Loader(Dataset(f"{data}/{folder}", columns=columns), size, workers=2, **options)
    epoch = loader.__iter__
else:
    sys.path.insert(0, os.environ["PEERS"])
    import peers

    how = SimpleNamespace(n=0, opt="prefetch", cpus=os.cpu_count())
    epoch = peers.torchdl(how, workload, f"{data}/{peers.DIRS[workload]}", None)

cells, rows, touched = [f"{time.perf_counter() - by_ticks:.2f}"], 0, 0.0
while marks:
    for batch in epoch():
        first = next(iter(batch.values())) if isinstance(batch, dict) else batch[0]
        touched += float(first[-1, -1] if first.ndim == 2 else first[-1])
        now = time.perf_counter() - by_ticks
        if rows == 0:
            cells.append(f"{now:.2f}")
        while marks and now >= marks[0]:
            cells.append(f"{rows / 1e6:.1f}")
            marks.pop(0)
        if not marks:
            break
        rows += len(first)
print("", *cells, sep=" | ")
