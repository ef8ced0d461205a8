package dev.penstock.internal.parquet;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.internal.variant.VariantColumn;
import dev.penstock.internal.variant.VariantException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column of structs, lists, maps or variants, assembled from its decoded leaves.
///
/// Every leaf has its own layers for the columns above it. If several leaves share a struct or
/// list, their layers must be equal: else values would be assigned to wrong rows.
final class NestedColumn {
  /// The column, or a part of it, below `depth` layers. Its leaves are `[first, end)`; one without
  /// parts is `first`. `variants` makes variants of its parts; null for other types.
  private record Part(
      Column column,
      int depth,
      int first,
      int end,
      List<Part> children,
      @Nullable VariantColumn variants) {
    static Part of(Column column, int depth, int first, ScratchMemory memory) {
      List<Part> children = new ArrayList<>();
      int end = first;
      for (Column child : column.children()) {
        Part part = of(child, depth + 1, end, memory);
        children.add(part);
        end = part.end;
      }
      VariantColumn variants =
          column.field().type() instanceof DataType.Variant
              ? new VariantColumn(stored(column), memory)
              : null;
      return new Part(
          column, depth, first, Math.max(end, first + 1), List.copyOf(children), variants);
    }

    private static DataType stored(Column column) {
      return new DataType.Struct(column.children().stream().map(Column::field).toList());
    }
  }

  private final Part column;
  private final List<ColumnReader> leaves;
  private final int[] starts; // by leaf, its first wanted slot

  /// Makes the column. The readers of its leaves are in the order of [Column#leaves()]; variants
  /// are written to `memory`.
  NestedColumn(Column column, List<ColumnReader> leaves, ScratchMemory memory) {
    this.column = Part.of(column, 0, 0, memory);
    this.leaves = List.copyOf(leaves);
    this.starts = new int[leaves.size()];
  }

  /// Hands out the next `count` rows, which all leaves have decoded.
  ColumnSlice slice(int count) throws MalformedFileException {
    for (int leaf = 0; leaf < starts.length; leaf++) {
      starts[leaf] = leaves.get(leaf).take(count);
    }
    return slots(column, count);
  }

  private ColumnSlice slots(Part part, int count) throws MalformedFileException {
    int from = starts[part.first];
    if (part.children.isEmpty()) {
      return leaves.get(part.first).slots(from, count);
    }
    requireAgreement(part, count);
    Layer layer = layer(part, part.first);
    int nulls = layer.validity.nulls(from, count);
    MemorySegment validity = layer.validity.view(from, count, nulls);
    DataType type = part.column.field().type();
    if (part.column.isStruct()) {
      List<ColumnSlice> fields = new ArrayList<>(part.children.size());
      for (Part child : part.children) {
        fields.add(slots(child, count));
      }
      ColumnSlice made =
          ColumnSlice.struct(
              part.variants == null ? type : Part.stored(part.column),
              count,
              nulls,
              validity,
              fields);
      return part.variants == null ? made : variants(part, part.variants, made);
    }
    MemorySegment offsets = layer.offsets(from, count);
    for (int leaf = part.first; leaf < part.end; leaf++) {
      starts[leaf] = layer(part, leaf).start(starts[leaf]);
    }
    ColumnSlice element = slots(part.children.getFirst(), offsets.get(Raw.INT, 4L * count));
    if (type instanceof DataType.Map && element.children().getFirst().nullCount() > 0) {
      throw leaves.get(part.first).fail("Corrupt Parquet column: a key of a map is null.");
    }
    return ColumnSlice.list(type, count, nulls, validity, offsets, element);
  }

  private ColumnSlice variants(Part part, VariantColumn variants, ColumnSlice stored)
      throws MalformedFileException {
    try {
      return variants.of(stored, 0, stored.rowCount());
    } catch (VariantException e) {
      throw leaves.get(part.first).fail(String.valueOf(e.getMessage()));
    }
  }

  private Layer layer(Part part, int leaf) {
    return Objects.requireNonNull(leaves.get(leaf).nested).layers.get(part.depth);
  }

  private void requireAgreement(Part part, int count) throws MalformedFileException {
    Layer layer = layer(part, part.first);
    for (int leaf = part.first + 1; leaf < part.end; leaf++) {
      if (!layer.same(starts[part.first], layer(part, leaf), starts[leaf], count)) {
        throw leaves
            .get(leaf)
            .fail(
                "Corrupt Parquet column: its levels say otherwise than those of another part of '"
                    + part.column.field().name()
                    + "' where it is null or how many elements it has.");
      }
    }
  }
}
