package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.page.FuzzCodecs;
import dev.penstock.internal.text.FuzzTexts;
import java.io.IOException;
import java.util.Locale;

/// What a fuzzer feeds with bytes: a typed error or a right answer, never anything else.
///
/// `core/fuzz TARGET SECONDS` runs Jazzer on one of them; [FuzzInputsTest] runs the inputs that
/// were kept.
public enum FuzzTarget {
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
  UNPACKED;

  private static FuzzTarget chosen = FILE;

  /// Runs on one input; returns where it was read or refused as it should be.
  void run(byte[] data) throws IOException {
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
    }
  }

  /// Returns the name of the target's folder, and of the target on the command line.
  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  static FuzzTarget of(String folder) {
    return valueOf(folder.toUpperCase(Locale.ROOT));
  }

  /// Called by Jazzer before all inputs.
  public static void fuzzerInitialize(String[] arguments) {
    chosen = of(arguments[0]);
  }

  /// Called by Jazzer with every input.
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    chosen.run(data);
  }
}
