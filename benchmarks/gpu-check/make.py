"""Writes types.parquet, by pyarrow 26.0.1: a column of each type that a tensor can have, and lists.

Its values are those of Expected.java, which the check computes anew.
"""

import struct
import sys

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 3001
WIDTHS = {
    "bool": (pa.bool_(), "?"),
    "int8": (pa.int8(), "b"),
    "int16": (pa.int16(), "h"),
    "int32": (pa.int32(), "i"),
    "int64": (pa.int64(), "q"),
    "uint8": (pa.uint8(), "B"),
    "uint16": (pa.uint16(), "H"),
    "uint32": (pa.uint32(), "I"),
    "uint64": (pa.uint64(), "Q"),
    "float16": (pa.float16(), "e"),
    "float32": (pa.float32(), "f"),
    "float64": (pa.float64(), "d"),
}


def main(path: str) -> None:
    from check_torch import element, lists

    columns = {
        name: pa.array(
            [struct.unpack(code, element(number, name, row))[0] for row in range(ROWS)], kind
        )
        for number, (name, (kind, code)) in enumerate(WIDTHS.items())
    }
    columns["list"] = pa.array(
        [[struct.unpack("i", each)[0] for each in lists(row)] for row in range(ROWS)],
        pa.list_(pa.int32()),
    )
    pq.write_table(pa.table(columns), path, compression="zstd", row_group_size=1000)


if __name__ == "__main__":
    main(sys.argv[1])
