package dev.penstock.xgboost;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.LoaderState;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/// Passes the batches of one epoch to XGBoost, as often as it asks.
///
/// **Threads.** One: XGBoost calls back on the thread that makes the matrix.
final class BatchFeed implements AutoCloseable {
  /*
   * XGBoost's iterator is two C functions: reset() starts over, next() passes a batch through the
   * proxy matrix and returns 1, or 0 at the end. XGBoost reads a batch before the next call, so one
   * batch is open at a time. An exception must not reach C: it is kept, next() ends the pass, and
   * XGBoost's partial result is discarded. Every later pass resumes where the first one began.
   */
  private final Loader<Batch> loader;
  private final String features;
  private final String label;
  private final Arena arena;
  private final MemorySegment proxy;
  private final MemorySegment labelField;
  private final MemorySegment queryField;
  private final Optional<String> key; // whose groups are the queries to rank

  private @Nullable LoaderState start;
  private @Nullable EpochIterator<Batch> batches;
  private @Nullable Batch batch;
  private @Nullable Throwable failure;
  private boolean hasRows;

  BatchFeed(Loader<Batch> loader, String features, String label, Arena arena) throws XGBoostError {
    this.loader = loader;
    this.features = features;
    this.label = label;
    this.arena = arena;
    this.labelField = arena.allocateFrom("label");
    this.queryField = arena.allocateFrom("qid");
    this.key = loader.groupedBy();
    MemorySegment result = arena.allocate(ADDRESS);
    NativeXgboost.CREATE_PROXY.call(result);
    this.proxy = result.get(ADDRESS, 0);
  }

  /// Makes a quantile matrix from the batches.
  long matrix(MemorySegment reference, int maxBin) throws XGBoostError {
    MemorySegment config =
        arena.allocateFrom("{\"missing\":NaN,\"nthread\":0,\"max_bin\":" + maxBin + "}");
    MemorySegment result = arena.allocate(ADDRESS);
    XGBoostError refused = null;
    try {
      NativeXgboost.CREATE_QUANTILE.call(
          MemorySegment.NULL,
          proxy,
          reference,
          callback("reset", FunctionDescriptor.ofVoid(ADDRESS)),
          callback("next", FunctionDescriptor.of(JAVA_INT, ADDRESS)),
          config,
          result);
    } catch (XGBoostError e) {
      refused = e;
    }
    if (failure != null) {
      if (refused == null) {
        NativeXgboost.FREE.call(result.get(ADDRESS, 0));
      }
      throw NativeXgboost.rethrown(failure, "Cannot read a batch");
    }
    if (refused != null && !hasRows) {
      throw new IllegalArgumentException(
          "Cannot make a quantile matrix: the loader's epoch has no rows, but XGBoost needs at least"
              + " one. Check the files, the filter and where the loader resumes.",
          refused);
    }
    if (refused != null) {
      throw refused;
    }
    return result.get(ADDRESS, 0).address();
  }

  private MemorySegment callback(String name, FunctionDescriptor descriptor) {
    try {
      MethodType type =
          name.equals("next")
              ? MethodType.methodType(int.class, MemorySegment.class)
              : MethodType.methodType(void.class, MemorySegment.class);
      MethodHandle method = MethodHandles.lookup().findVirtual(BatchFeed.class, name, type);
      return Linker.nativeLinker().upcallStub(method.bindTo(this), descriptor, arena);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Cannot find the callback " + name, e);
    }
  }

  /// Called by XGBoost: starts over at the next request for a batch.
  void reset(MemorySegment nothing) {
    try {
      endPass();
    } catch (Throwable e) {
      fail(e);
    }
  }

  /// Called by XGBoost: passes the next batch.
  int next(MemorySegment nothing) {
    if (failure != null) {
      return 0;
    }
    try {
      closeBatch();
      if (batches == null) {
        batches = begin();
      }
      if (!batches.hasNext()) {
        return 0;
      }
      batch = batches.next();
      hasRows = true;
      show(batch);
      return 1;
    } catch (Throwable e) {
      fail(e);
      return 0;
    }
  }

  private EpochIterator<Batch> begin() {
    if (start != null) {
      loader.resume(start);
      return loader.iterator();
    }
    EpochIterator<Batch> first = loader.iterator();
    start = loader.state();
    return first;
  }

  private void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  private void show(Batch shown) throws XGBoostError {
    try (Arena json = Arena.ofConfined()) {
      NativeXgboost.SET_DENSE.call(
          proxy, json.allocateFrom(ArrayInterface.ofFeatures(shown, features)));
      NativeXgboost.SET_INFO.call(
          proxy, labelField, json.allocateFrom(ArrayInterface.ofValues(shown, label)));
      if (key.isPresent()) {
        Tensor queries = queries(shown, key.get(), json);
        NativeXgboost.SET_INFO.call(
            proxy,
            queryField,
            json.allocateFrom(ArrayInterface.of("qid", queries, queries.shape())));
      }
    }
  }

  /// Numbers the groups of a batch, which are never cut.
  private static Tensor queries(Batch shown, String key, Arena arena) {
    int rows = shown.rowCount();
    MemorySegment numbers = arena.allocate(JAVA_INT, rows);
    int number = 0;
    for (int row = 0; row < rows; row++) {
      number += row > 0 && !value(shown, key, row).equals(value(shown, key, row - 1)) ? 1 : 0;
      numbers.setAtIndex(JAVA_INT, row, number);
    }
    return Tensor.of(DType.INT32, Shape.of(rows), numbers);
  }

  private static Object value(Batch shown, String key, int row) {
    if (!(shown.column(key) instanceof Tensor keys)) {
      return Optional.ofNullable(shown.list(key).get(row));
    }
    return keys.dtype().isFloating() ? (Object) keys.getDouble(row) : keys.getLong(row);
  }

  private void closeBatch() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  private void endPass() {
    closeBatch();
    if (batches != null) {
      batches.close();
      batches = null;
    }
  }

  @Override
  public void close() throws XGBoostError {
    try {
      endPass();
    } finally {
      NativeXgboost.FREE.call(proxy);
    }
  }
}
