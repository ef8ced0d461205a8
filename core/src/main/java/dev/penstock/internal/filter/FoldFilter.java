package dev.penstock.internal.filter;

import dev.penstock.internal.filter.Condition.Folded;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ColumnStatistics;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

final class FoldFilter implements RowFilter {
  private final Folded folded;
  private final BitSet wanted;
  private final FoldHash hash;
  private final FileRowNumbers file;
  private final byte[] name;

  FoldFilter(Folded folded, FileRowNumbers file) {
    this.folded = folded;
    this.wanted = wanted(folded);
    this.hash = new FoldHash(folded.fold());
    this.file = file;
    this.name = file.file().getBytes(StandardCharsets.UTF_8);
  }

  private static BitSet wanted(Folded folded) {
    BitSet wanted = new BitSet(folded.fold().k());
    folded.folds().forEach(wanted::set);
    if (folded.negated()) {
      wanted.flip(0, folded.fold().k());
    }
    return wanted;
  }

  /// Returns the rest of the test where statistics give each column one value.
  static Condition reduce(Folded folded, Function<String, ColumnStatistics> statistics) {
    BitSet wanted = wanted(folded);
    if (wanted.isEmpty()) {
      return Condition.never();
    }
    if (wanted.cardinality() == folded.fold().k()) {
      return Condition.always();
    }
    List<String> columns = folded.fold().columns();
    FoldHash hash = new FoldHash(folded.fold());
    for (int i = 0; i < columns.size(); i++) {
      ColumnStatistics known = statistics.apply(columns.get(i));
      Bound bound = known.lower();
      if (bound != null && bound.exact() && bound.equals(known.upper()) && known.noNulls()) {
        hash.add(folded.types().get(i), bound.value());
      } else if (known.allNull()) {
        hash.addNull();
      } else {
        return folded;
      }
    }
    if (columns.isEmpty()) {
      return folded;
    }
    return wanted.get(hash.fold()) ? Condition.always() : Condition.never();
  }

  @Override
  public boolean keep(long[] rows, Slice slice) {
    List<String> names = folded.fold().columns();
    ColumnSlice[] columns = new ColumnSlice[names.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = slice.column(names.get(i), folded.types().get(i));
    }
    long any = 0;
    for (int w = 0; w < RowFilter.words(slice.rowCount()); w++) {
      long kept = 0;
      for (long rest = rows[w]; rest != 0; rest &= rest - 1) {
        int i = Long.numberOfTrailingZeros(rest);
        kept |= (wanted.get(fold(columns, slice, (w << 6) + i)) ? 1L : 0L) << i;
      }
      rows[w] = kept;
      any |= kept;
    }
    return any != 0;
  }

  private int fold(ColumnSlice[] columns, Slice slice, int row) {
    hash.begin();
    if (columns.length == 0) {
      hash.add(name);
      hash.add(file.stored().applyAsLong(slice.firstRow() + row));
    }
    for (ColumnSlice column : columns) {
      hash.add(column, row);
    }
    return hash.fold();
  }
}
