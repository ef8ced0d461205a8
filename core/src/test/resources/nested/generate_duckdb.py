"""Writes duckdb-arrays.parquet, with DuckDB 2.0.0: arrays of a fixed size, some of them null.

DuckDB writes a null array as so many nulls that go on with it. What the rows are follows from their
number, here as in ParquetDuckdbArraysTest.
"""

import duckdb

duckdb.sql(
    """
    COPY (
      SELECT
        CASE WHEN i % 3 = 1 THEN NULL
             ELSE [i, CASE WHEN i % 7 = 0 THEN NULL ELSE i + 0.5 END, i * 2]::FLOAT[3] END AS e,
        CASE WHEN i % 5 = 2 THEN NULL
             ELSE [CASE WHEN i % 4 = 0 THEN NULL ELSE [i, 1]::INTEGER[2] END,
                   [2, i]::INTEGER[2]]::INTEGER[2][2] END AS grid,
        CASE WHEN i % 4 = 3 THEN NULL
             ELSE {'a': CASE WHEN i % 2 = 0 THEN NULL ELSE [i, i]::BIGINT[2] END} END AS pair,
        [CASE WHEN j % 2 = 1 THEN NULL ELSE ['t' || j, NULL]::VARCHAR[2] END
         FOR j IN range(i % 4)] AS many,
        NULL::DOUBLE[4] AS none
      FROM range(300) t(i) ORDER BY i
    ) TO 'duckdb-arrays.parquet' (FORMAT PARQUET, CODEC 'zstd', ROW_GROUP_SIZE 2048)
    """
)
