package dev.penstock.xgboost;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// A booster that only predicts, by XGBoost's C API. XGBoost4J's own takes its rows as a Java array
/// or a matrix, and predicts for one caller at a time.
///
/// **Threads.** [#predict] is safe for any after [#prepare()].
final class LoadedBooster implements AutoCloseable {
  private final MemorySegment handle;
  private String config = "";
  private boolean inPlace = true;
  private volatile boolean closed;

  private LoadedBooster(MemorySegment handle) {
    this.handle = handle;
  }

  /// Loads a booster.
  ///
  /// @param model the bytes of a model, JSON or UBJ
  /// @param threads how many threads compute a prediction
  static LoadedBooster of(byte[] model, int threads) throws XGBoostError {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ADDRESS);
      NativeXgboost.CREATE_BOOSTER.call(MemorySegment.NULL, MemorySegment.NULL, result);
      LoadedBooster booster = new LoadedBooster(result.get(ADDRESS, 0));
      try {
        MemorySegment bytes = arena.allocate(model.length);
        bytes.copyFrom(MemorySegment.ofArray(model));
        NativeXgboost.LOAD.call(booster.handle, bytes, MemorySegment.ofAddress(model.length));
        NativeXgboost.SET_PARAMETER.call(
            booster.handle,
            arena.allocateFrom("nthread"),
            arena.allocateFrom(String.valueOf(threads)));
        return booster;
      } catch (Throwable e) {
        booster.close();
        throw e;
      }
    }
  }

  long featureCount() throws XGBoostError {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      NativeXgboost.FEATURE_COUNT.call(handle, count);
      return count.get(JAVA_LONG, 0);
    }
  }

  /// Returns the names of the features; empty if the model has none.
  List<String> featureNames() throws XGBoostError {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      MemorySegment names = arena.allocate(ADDRESS);
      NativeXgboost.FEATURE_INFO.call(handle, arena.allocateFrom("feature_name"), count, names);
      List<String> all = new ArrayList<>();
      for (long i = 0; i < count.get(JAVA_LONG, 0); i++) {
        MemorySegment pointers = names.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE);
        all.add(pointers.getAtIndex(ADDRESS, i).reinterpret(Long.MAX_VALUE).getString(0));
      }
      return all;
    }
  }

  /// Predicts once, so that XGBoost is configured before several threads call it.
  ///
  /// @return the shape of a prediction for one row
  Shape prepare() throws XGBoostError {
    String best = attribute("best_iteration");
    int end = best.isEmpty() ? 0 : Integer.parseInt(best) + 1; // 0: all
    config =
        ("{\"type\":0,\"training\":false,\"iteration_begin\":0,\"iteration_end\":%s,"
                + "\"strict_shape\":false,\"missing\":NaN,\"cache_id\":0}")
            .formatted(end);
    long features = featureCount();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment row = arena.allocate(JAVA_FLOAT, features);
      row.fill((byte) -1); // NaN
      Tensor tensor = Tensor.of(DType.FLOAT32, Shape.of(1, features), row);
      String json = ArrayInterface.of("one row", tensor, tensor.shape());
      try {
        return predict(json).shape();
      } catch (XGBoostError e) {
        if (!String.valueOf(e.getMessage()).contains("Inplace predict is not supported")) {
          throw e;
        }
        inPlace = false;
        return predict(json).shape();
      }
    }
  }

  private String attribute(String name) throws XGBoostError {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ADDRESS);
      MemorySegment found = arena.allocate(JAVA_INT);
      NativeXgboost.ATTRIBUTE.call(handle, arena.allocateFrom(name), value, found);
      return found.get(JAVA_INT, 0) == 0
          ? ""
          : value.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0);
    }
  }

  /// Returns the predictions, copied from where XGBoost keeps them until the thread's next call.
  ///
  /// @param rows the features, as [ArrayInterface] describes them
  Tensor predict(String rows) throws XGBoostError {
    if (closed) {
      throw new IllegalStateException("Cannot predict: the model is closed.");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment shape = arena.allocate(ADDRESS);
      MemorySegment axes = arena.allocate(JAVA_LONG);
      MemorySegment result = arena.allocate(ADDRESS);
      MemorySegment json = arena.allocateFrom(rows);
      if (inPlace) {
        NativeXgboost.PREDICT_DENSE.call(
            handle, json, arena.allocateFrom(config), MemorySegment.NULL, shape, axes, result);
        return copied(shape, axes, result);
      }
      synchronized (this) { // only trees are safe for several threads
        MemorySegment matrix = arena.allocate(ADDRESS);
        NativeXgboost.CREATE_DENSE.call(
            json, arena.allocateFrom("{\"missing\":NaN,\"nthread\":1}"), matrix);
        try {
          NativeXgboost.PREDICT.call(
              handle, matrix.get(ADDRESS, 0), arena.allocateFrom(config), shape, axes, result);
          return copied(shape, axes, result);
        } finally {
          NativeXgboost.FREE.call(matrix.get(ADDRESS, 0));
        }
      }
    }
  }

  private static Tensor copied(MemorySegment shape, MemorySegment axes, MemorySegment result) {
    long rank = axes.get(JAVA_LONG, 0);
    long[] dims = shape.get(ADDRESS, 0).reinterpret(rank * JAVA_LONG.byteSize()).toArray(JAVA_LONG);
    long bytes = Shape.of(dims).elementCount() * JAVA_FLOAT.byteSize();
    return Tensor.of(result.get(ADDRESS, 0).reinterpret(bytes).toArray(JAVA_FLOAT), dims);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      NativeXgboost.FREE_BOOSTER.call(handle);
    } catch (XGBoostError e) {
      throw new IllegalStateException("Cannot free the model: " + e.getMessage(), e);
    }
  }
}
