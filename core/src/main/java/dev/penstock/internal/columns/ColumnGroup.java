package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.columns.ColumnPlan.ObjectPlan;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.columns.ColumnPlan.TensorPlan;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ScratchMemory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The columns of a batch that one worker decodes together.
///
/// Several workers share the rows of a run by its columns: then they fill the same few batches,
/// which stay in the cache, and hold the pages of one run, not of several. A file's one giant row
/// group is decoded by several workers as well.
public record ColumnGroup(int index, Schema schema, List<Part> parts) {
  /// More groups than this do not fill a batch faster: further workers take further runs.
  static final int COUNT_MAX = 4;

  /// Groups lighter than this, in bytes of a row, cost more in hand-over than they save; the
  /// figures are in docs/design/speed-log.md.
  private static final long ROW_WEIGHT_MIN = 128;

  /// A matrix is cut at multiples of this many columns: 16 floats are one cache line of a row.
  private static final int MATRIX_CUT = 16;

  /// A rough weight of a value with a length of its own, beside fixed widths in bytes.
  private static final int VARIABLE_WEIGHT = 16;

  /// The work of making an object of a value, in the bytes of
  /// [dev.penstock.spi.format.FileMetadata#decodingWork].
  private static final int OBJECT_WORK = 4;

  /// A column of the batch, or some columns of a matrix.
  ///
  /// @param from the first column of the matrix; 0 otherwise
  /// @param to the column behind the last of the matrix; 1 otherwise
  record Part(ColumnPlan plan, int from, int to) {}

  /// Cuts the columns of a batch into as many groups as pay off.
  ///
  /// @param runs how many runs of rows there are; when too few for the workers, only columns are
  ///   left to share
  /// @param goOn whether runs end where rows of the same row group go on: then a worker that keeps
  ///   to its columns can go on reading where its last run ended
  /// @return at least one group and at most `workers`, which keeps the first run's groups all taken
  public static List<ColumnGroup> forWorkers(
      List<ColumnPlan> columns, int workers, int runs, boolean goOn, DecodingWork work) {
    long weight = columns.stream().mapToLong(plan -> weight(new Part(plan, 0, width(plan)))).sum();
    return of(columns, countOf(goOn || runs < workers ? Long.MAX_VALUE : weight, workers), work);
  }

  /// Returns how many groups of columns pay off where a row weighs that much, in bytes.
  public static int countOf(long weight, int workers) {
    return Math.clamp(weight / ROW_WEIGHT_MIN, 1, Math.clamp(workers, 1, COUNT_MAX));
  }

  /// What files say of the work that a column is.
  public interface DecodingWork {
    DecodingWork UNKNOWN = _ -> OptionalDouble.empty();

    /// Returns the work for a row of a column, see
    /// [dev.penstock.spi.format.FileMetadata#decodingWork]; empty where it is not known.
    OptionalDouble perRow(String column);
  }

  /// Cuts the columns of a batch into at most `count` groups that are about as much work.
  public static List<ColumnGroup> of(List<ColumnPlan> columns, int count, DecodingWork work) {
    List<Part> pieces = new ArrayList<>();
    List<Double> workBefore = new ArrayList<>();
    double total = 0;
    for (ColumnPlan plan : columns) {
      for (int from = 0; from < width(plan); from += MATRIX_CUT) {
        Part piece = new Part(plan, from, Math.min(from + MATRIX_CUT, width(plan)));
        pieces.add(piece);
        workBefore.add(total);
        total += count == 1 ? 0 : work(piece, work);
      }
    }
    List<ColumnGroup> groups = new ArrayList<>();
    int start = 0;
    for (int group = 1; group <= count && start < pieces.size(); group++) {
      int end = group == count ? pieces.size() : start + 1;
      double goal = total * group / count;
      while (end < pieces.size() && isCloser(workBefore, end, goal)) {
        end++;
      }
      groups.add(of(groups.size(), pieces.subList(start, end)));
      start = end;
    }
    if (groups.isEmpty()) {
      groups.add(of(0, List.of()));
    }
    return groups;
  }

  /// Returns whether cutting one piece later comes closer to the goal.
  private static boolean isCloser(List<Double> workBefore, int end, double goal) {
    double now = Math.abs(workBefore.get(end) - goal);
    boolean last = end + 1 >= workBefore.size();
    return !last && Math.abs(workBefore.get(end + 1) - goal) < now;
  }

  private static ColumnGroup of(int index, List<Part> pieces) {
    List<Part> parts = new ArrayList<>();
    Set<Field> fields = new LinkedHashSet<>();
    for (Part piece : pieces) {
      fields.addAll(fields(piece));
      Part before = parts.isEmpty() ? null : parts.getLast();
      if (before != null && before.plan().equals(piece.plan())) {
        parts.set(parts.size() - 1, new Part(piece.plan(), before.from(), piece.to()));
      } else {
        parts.add(piece);
      }
    }
    return new ColumnGroup(index, Schema.of(List.copyOf(fields)), List.copyOf(parts));
  }

  private static int width(ColumnPlan plan) {
    return plan instanceof MatrixPlan matrix ? matrix.fields().size() : 1;
  }

  private static List<Field> fields(Part part) {
    return switch (part.plan()) {
      case ColumnPlan.OfField plan -> List.of(plan.field());
      case MatrixPlan plan -> plan.fields().subList(part.from(), part.to());
    };
  }

  /// Returns about how much work a part is, for a row: as the files say it, else by its bytes.
  private static double work(Part part, DecodingWork work) {
    if (part.plan() instanceof MatrixPlan) {
      return fields(part).stream()
          .mapToDouble(field -> work.perRow(field.name()).orElse((double) weight(field.type())))
          .sum();
    }
    double objects =
        part.plan() instanceof ObjectPlan plan ? OBJECT_WORK * (double) plan.values() : 0;
    OptionalDouble stated = work.perRow(part.plan().name());
    return stated.isPresent() ? stated.getAsDouble() + objects : weight(part);
  }

  private static long weight(Part part) {
    return switch (part.plan()) {
      case TensorPlan plan -> weight(plan.field().type());
      case ObjectPlan plan -> weight(plan.field().type()) * plan.values();
      case RaggedPlan plan -> weight(plan.element().type()) * plan.values();
      case ArrowPlan plan -> weight(plan.field().type()) * plan.values();
      case MatrixPlan _ -> fields(part).stream().mapToLong(field -> weight(field.type())).sum();
    };
  }

  private static long weight(DataType type) {
    boolean fixed = !type.isVariableWidth() && !type.isNested();
    return fixed ? Math.max(1, type.byteWidth()) : VARIABLE_WEIGHT;
  }

  /// Returns what copies decoded rows into batches, for one worker.
  public List<SliceTarget> targets(ScratchMemory memory) {
    List<SliceTarget> targets = new ArrayList<>();
    for (Part part : parts) {
      targets.add(
          switch (part.plan()) {
            case TensorPlan plan -> new TensorTarget(plan, schema.indexOf(plan.name()));
            case ObjectPlan plan -> new ObjectTarget(plan, schema.indexOf(plan.name()));
            case RaggedPlan plan -> new RaggedTarget(plan, schema.indexOf(plan.name()));
            case ArrowPlan plan -> new ArrowTarget(plan, schema.indexOf(plan.name()));
            case MatrixPlan _ -> new MatrixTarget(matrix(part, memory), () -> matrix(part, memory));
          });
    }
    return targets;
  }

  public List<MatrixColumns> matrices(ScratchMemory memory) {
    return parts.stream()
        .filter(part -> part.plan() instanceof MatrixPlan)
        .map(part -> matrix(part, memory))
        .toList();
  }

  private MatrixColumns matrix(Part part, ScratchMemory memory) {
    return new MatrixColumns((MatrixPlan) part.plan(), part.from(), part.to(), schema, memory);
  }

  /// Returns the columns that are needed in order also where rows are
  /// [dev.penstock.internal.slices.ScatteredRows]: not those of lists and of matrices alone.
  public Set<Field> ordered() {
    return fields(plan -> !(plan instanceof MatrixPlan || plan instanceof RaggedPlan));
  }

  /// Returns the columns that are needed for more than a matrix.
  public Set<Field> apart() {
    return fields(plan -> !(plan instanceof MatrixPlan));
  }

  private Set<Field> fields(Predicate<ColumnPlan> wanted) {
    return parts.stream()
        .filter(part -> wanted.test(part.plan()))
        .flatMap(part -> fields(part).stream())
        .collect(Collectors.toSet());
  }
}
