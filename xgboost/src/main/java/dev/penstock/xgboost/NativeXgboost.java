package dev.penstock.xgboost;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// The functions of XGBoost's C API that its Java API lacks. Their arguments are pointers, or
/// numbers of as many bits.
enum NativeXgboost {
  CREATE_PROXY("XGProxyDMatrixCreate", 1),
  FREE("XGDMatrixFree", 1),
  SET_DENSE("XGProxyDMatrixSetDataDense", 2),
  SET_INFO("XGDMatrixSetInfoFromInterface", 3),
  CREATE_DENSE("XGDMatrixCreateFromDense", 3),
  CREATE_QUANTILE("XGQuantileDMatrixCreateFromCallback", 7),
  CREATE_BOOSTER("XGBoosterCreate", 3),
  FREE_BOOSTER("XGBoosterFree", 1),
  LOAD("XGBoosterLoadModelFromBuffer", 3),
  SET_PARAMETER("XGBoosterSetParam", 3),
  ATTRIBUTE("XGBoosterGetAttr", 4),
  FEATURE_COUNT("XGBoosterGetNumFeature", 2),
  FEATURE_INFO("XGBoosterGetStrFeatureInfo", 4),
  PREDICT_DENSE("XGBoosterPredictFromDense", 7),
  PREDICT("XGBoosterPredictFromDMatrix", 6);

  private static final MethodHandle LAST_ERROR =
      function("XGBGetLastError", FunctionDescriptor.of(ADDRESS));

  private final MethodHandle function;

  NativeXgboost(String name, int pointers) {
    MemoryLayout[] arguments = new MemoryLayout[pointers];
    Arrays.fill(arguments, ADDRESS);
    this.function = function(name, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static MethodHandle function(String name, FunctionDescriptor type) {
    MemorySegment symbol =
        library()
            .find(name)
            .orElseThrow(() ->
                new LinkageError(
                    ("Cannot find %s in XGBoost4J's library. Load penstock-xgboost by the class"
                            + " loader that loads xgboost4j, and use XGBoost 3.0.4.")
                        .formatted(name)));
    return Linker.nativeLinker().downcallHandle(symbol, type);
  }

  /// XGBoost4J loads its library itself; we find the same one through the shared class loader.
  private static SymbolLookup library() {
    try {
      Class.forName("ml.dmlc.xgboost4j.java.XGBoostJNI");
      return SymbolLookup.loaderLookup();
    } catch (ClassNotFoundException e) {
      throw new LinkageError("Cannot find XGBoost4J's library", e);
    }
  }

  void call(MemorySegment... arguments) throws XGBoostError {
    try {
      check((int) function.invokeWithArguments((Object[]) arguments));
    } catch (Throwable e) {
      throw rethrown(e, "Cannot call XGBoost");
    }
  }

  private static void check(int code) throws Throwable {
    if (code != 0) {
      MemorySegment message = (MemorySegment) LAST_ERROR.invokeExact();
      String text = message.reinterpret(Long.MAX_VALUE).getString(0);
      int trace = text.indexOf("\nStack trace:"); // of C++ functions
      throw new XGBoostError(trace < 0 ? text : text.substring(0, trace));
    }
  }

  /// Throws an unchecked exception as it is. Returns an error of XGBoost as it is, and any other
  /// checked exception as the cause of one that says `what` failed.
  static XGBoostError rethrown(Throwable e, String what) {
    return switch (e) {
      case XGBoostError error -> error;
      case RuntimeException error -> throw error;
      case Error error -> throw error;
      default -> new XGBoostError(what, e);
    };
  }
}
