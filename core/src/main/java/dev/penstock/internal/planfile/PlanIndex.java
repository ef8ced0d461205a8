package dev.penstock.internal.planfile;

import dev.penstock.internal.table.FileSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// The end of a plan file: what the plan was made of, the schemas of files, and where the blocks
/// are.
///
/// @param blocks in the order of their bytes, from the first byte of the file without gaps
record PlanIndex(String hash, PlanOrigin origin, List<FileSchema> schemas, List<Block> blocks) {
  /// The version of the format.
  static final int VERSION = 1;

  /// The kind of blocks with files. Those behind it have the statistics of columns, by their place
  /// in [PlanOrigin#statistics()], and the last one has matches.
  static final int FILES = 0;

  private static final int LACKING = 2;

  /// A block: some neighbouring files, or what is known of them.
  ///
  /// @param offset where it is in the plan file
  /// @param length its bytes in the plan file
  /// @param raw its bytes when they are inflated
  record Block(
      int kind,
      int firstFile,
      int files,
      int rowGroups,
      long offset,
      int length,
      long raw,
      int checksum) {
    int endFile() {
      return firstFile + files;
    }

    @Override
    public String toString() {
      return "files " + firstFile + " to " + (endFile() - 1);
    }
  }

  int matchesKind() {
    return origin.statistics().size() + 1;
  }

  /// Returns how many kinds of blocks there are.
  private int kinds() {
    return origin.filter().isEmpty() ? matchesKind() : matchesKind() + 1;
  }

  void write(BlockWriter out) {
    out.text(hash);
    out.text(origin.table());
    out.text(origin.format());
    out.text(origin.filter());
    texts(out, origin.locations());
    texts(out, origin.statistics());
    options(out, origin.formatOptions());
    options(out, origin.rules());
    out.count(schemas.size());
    for (FileSchema schema : schemas) {
      SchemaCode.write(out, schema.columns());
      out.text(schema.decodingChoices());
      out.one((schema.isText() ? 1 : 0) + (schema.mayLackColumns() ? LACKING : 0));
    }
    out.count(blocks.size());
    out.numbers(blocks.stream().mapToLong(Block::kind).toArray());
    out.numbers(blocks.stream().mapToLong(Block::files).toArray());
    out.numbers(blocks.stream().mapToLong(Block::rowGroups).toArray());
    out.numbers(blocks.stream().mapToLong(Block::length).toArray());
    out.numbers(blocks.stream().mapToLong(Block::raw).toArray());
    out.numbers(blocks.stream().mapToLong(block -> block.checksum() & 0xffffffffL).toArray());
  }

  private static void texts(BlockWriter out, List<String> texts) {
    out.count(texts.size());
    texts.forEach(out::text);
  }

  private static void options(BlockWriter out, Map<String, String> options) {
    out.count(options.size());
    options.forEach((key, value) -> {
      out.text(key);
      out.text(value);
    });
  }

  /// Reads the index of a plan.
  ///
  /// @param blockBytes how many bytes all blocks take
  static PlanIndex read(BlockReader in, long blockBytes) {
    String hash = in.text();
    String table = in.text();
    String format = in.text();
    String filter = in.text();
    List<String> locations = texts(in);
    List<String> statistics = texts(in);
    PlanOrigin origin =
        new PlanOrigin(locations, table, format, options(in), options(in), statistics, filter);
    List<FileSchema> schemas = new ArrayList<>();
    for (int left = in.size(); left > 0; left--) {
      var columns = SchemaCode.read(in);
      String choices = in.text();
      int flags = in.one(2 * LACKING, "flags");
      schemas.add(new FileSchema(columns, choices, (flags & 1) != 0, (flags & LACKING) != 0));
    }
    PlanIndex index = new PlanIndex(hash, origin, schemas, blocks(in));
    in.requireEnd();
    index.requireComplete(blockBytes);
    return index;
  }

  private static List<String> texts(BlockReader in) {
    List<String> texts = new ArrayList<>();
    for (int left = in.size(); left > 0; left--) {
      texts.add(in.text());
    }
    return texts;
  }

  private static SortedMap<String, String> options(BlockReader in) {
    SortedMap<String, String> options = new TreeMap<>();
    for (int left = in.size(); left > 0; left--) {
      options.put(in.text(), in.text());
    }
    return options;
  }

  private static List<Block> blocks(BlockReader in) {
    int count = in.size();
    long[] kinds = in.counts(count, "a kind");
    long[] files = in.counts(count, "a number of files");
    long[] groups = in.counts(count, "a number of row groups");
    long[] lengths = in.counts(count, "a length");
    long[] raw = in.counts(count, "a length");
    long[] checksums = in.numbers(count);
    List<Block> blocks = new ArrayList<>();
    long first = 0;
    long offset = 0;
    for (int i = 0; i < count; i++) {
      first = i > 0 && kinds[i] == kinds[i - 1] ? first : 0;
      blocks.add(
          new Block(
              Math.toIntExact(kinds[i]),
              Math.toIntExact(first),
              Math.toIntExact(files[i]),
              Math.toIntExact(groups[i]),
              offset,
              Math.toIntExact(lengths[i]),
              raw[i],
              (int) checksums[i]));
      first = Math.addExact(first, files[i]);
      offset = Math.addExact(offset, lengths[i]);
    }
    return blocks;
  }

  /// Returns how many files there are.
  int files() {
    return Math.toIntExact(total(FILES, Block::files));
  }

  private long total(int kind, ToLongFunction<Block> number) {
    return blocks.stream()
        .filter(block -> block.kind() == kind)
        .mapToLong(number)
        .reduce(0, Math::addExact);
  }

  /// Checks that all files are in blocks of each kind, that come one kind after the other.
  private void requireComplete(long blockBytes) {
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      int least = i == 0 ? FILES : blocks.get(i - 1).kind();
      BlockReader.require(block.kind() - least, kinds() - least, "a kind");
      BlockReader.require(block.files() - 1L, Integer.MAX_VALUE, "a number of files");
    }
    Math.toIntExact(total(FILES, Block::rowGroups));
    for (int kind = FILES; kind < kinds(); kind++) {
      long ofFiles = total(kind, Block::files);
      long ofGroups = total(kind, Block::rowGroups);
      if (ofFiles != files() || ofGroups != total(FILES, Block::rowGroups)) {
        throw BlockReader.wrong(
            "blocks of kind %s have %s files and %s row groups but expected %s and %s",
            kind, ofFiles, ofGroups, files(), total(FILES, Block::rowGroups));
      }
    }
    long bytes = blocks.stream().mapToLong(Block::length).sum();
    if (bytes != blockBytes) {
      throw BlockReader.wrong("its blocks have %s bytes but expected %s", bytes, blockBytes);
    }
  }

  /// Returns the number of the block of a kind that has a file.
  int block(int kind, int file) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) { // the last block that begins at the file or before it
      int middle = (low + high + 1) >>> 1;
      Block block = blocks.get(middle);
      if (block.kind() < kind || (block.kind() == kind && block.firstFile() <= file)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
