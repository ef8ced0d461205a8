package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.page.FuzzCodecs;
import dev.penstock.internal.planfile.FuzzPlans;
import dev.penstock.internal.text.FuzzTexts;
import dev.penstock.testing.Fuzzed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/// Parquet as a whole and in parts, text, and plan files.
enum FuzzTarget implements Fuzzed {
  FILE,
  FOOTER,
  CHUNK,
  PAGE,
  NESTED,
  RUNS,
  LEVELS,
  INDICES,
  DELTAS,
  SPLIT,
  LENGTHS,
  STRINGS,
  SNAPPY,
  GZIP,
  ZSTD,
  BROTLI,
  LZ4,
  LZ4_RAW,
  CSV,
  JSONL,
  JSON,
  BZIP2,
  UNPACKED,
  PLAN;

  @Override
  public void run(byte[] data) throws IOException {
    switch (this) {
      case FILE -> FuzzFiles.file(data);
      case FOOTER -> FuzzFiles.footer(data);
      case CHUNK -> FuzzFiles.chunk(data);
      case PAGE -> FuzzFiles.page(data);
      case NESTED -> FuzzFiles.nested(data);
      case RUNS -> FuzzRuns.runs(data);
      case LEVELS -> FuzzRuns.levels(data);
      case INDICES -> FuzzRuns.indices(data);
      case DELTAS -> FuzzValues.deltas(data);
      case SPLIT -> FuzzValues.split(data);
      case LENGTHS -> FuzzValues.lengths(data);
      case STRINGS -> FuzzValues.strings(data);
      case SNAPPY, GZIP, ZSTD, BROTLI, LZ4, LZ4_RAW ->
          FuzzCodecs.decompress(data, Codec.valueOf(name()));
      case CSV -> FuzzTexts.csv(data);
      case JSONL -> FuzzTexts.jsonl(data);
      case JSON -> FuzzTexts.json(data);
      case BZIP2 -> FuzzTexts.bzip2(data);
      case UNPACKED -> FuzzTexts.unpacked(data);
      case PLAN -> FuzzPlans.plan(data);
    }
  }

  @Override
  public byte[] seed(Random random, Path folder) throws IOException {
    return new FuzzSeeds(random).of(this, folder);
  }
}
