"""Makes the flights that `penstock demo` trains on, from flights-3m.parquet of vega-datasets 3.2.1.

    pip install pyarrow==26.0.1 numpy
    python make_sample.py .../flights-3m.parquet ../resources/dev/penstock/cli/demo/flights

One row is drawn from every ten neighbours (the file is sorted by date, so every hour of the half
year keeps its share), and the drawn rows are dealt to eight files in turn. Every file therefore
spans the whole half year, sorted by date, and any of them may serve as held-out rows.
The same seed and versions give the same files, byte for byte.
"""

import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 2001
STRIDE = 10
FILES = 8
ROW_GROUP_ROWS = 5_000


def main(source: str, folder: str) -> None:
    flights = pq.read_table(source)
    strata = flights.num_rows // STRIDE
    drawn = np.arange(strata) * STRIDE + np.random.default_rng(SEED).integers(0, STRIDE, strata)
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for file in range(FILES):
        rows = flights.take(pa.array(drawn[file::FILES])).combine_chunks()
        path = target / f"part-{file}.parquet"
        pq.write_table(
            rows,
            path,
            row_group_size=ROW_GROUP_ROWS,
            compression="zstd",
            compression_level=19,
            use_dictionary=["delay", "distance", "origin", "destination"],
            store_schema=False,
        )
        print(f"{path.name}: {rows.num_rows} rows, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
