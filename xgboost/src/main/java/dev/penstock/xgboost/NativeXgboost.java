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

/// The functions of XGBoost's C API that its Java API lacks.
final class NativeXgboost {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY = library();

  private static final MethodHandle LAST_ERROR =
      LINKER.downcallHandle(symbol("XGBGetLastError"), FunctionDescriptor.of(ADDRESS));
  private static final MethodHandle PROXY_CREATE = function("XGProxyDMatrixCreate", 1);
  private static final MethodHandle FREE = function("XGDMatrixFree", 1);
  private static final MethodHandle SET_DENSE = function("XGProxyDMatrixSetDataDense", 2);
  private static final MethodHandle SET_INFO = function("XGDMatrixSetInfoFromInterface", 3);
  private static final MethodHandle QUANTILE_CREATE =
      function("XGQuantileDMatrixCreateFromCallback", 7);

  private NativeXgboost() {}

  /// XGBoost4J loads its library itself; we find the same one through the shared class loader.
  private static SymbolLookup library() {
    try {
      Class.forName("ml.dmlc.xgboost4j.java.XGBoostJNI");
      return SymbolLookup.loaderLookup();
    } catch (ClassNotFoundException e) {
      throw new LinkageError("Cannot find XGBoost4J's library", e);
    }
  }

  private static MemorySegment symbol(String name) {
    return LIBRARY
        .find(name)
        .orElseThrow(() ->
            new LinkageError(
                ("Cannot find %s in XGBoost4J's library. Load penstock-xgboost by the class"
                        + " loader that loads xgboost4j, and use XGBoost 3.0.4.")
                    .formatted(name)));
  }

  private static MethodHandle function(String name, int pointers) {
    MemoryLayout[] arguments = new MemoryLayout[pointers];
    Arrays.fill(arguments, ADDRESS);
    return LINKER.downcallHandle(symbol(name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  static void createProxy(MemorySegment result) throws XGBoostError {
    call(PROXY_CREATE, result);
  }

  static void free(MemorySegment matrix) throws XGBoostError {
    call(FREE, matrix);
  }

  static void setDense(MemorySegment proxy, MemorySegment array) throws XGBoostError {
    call(SET_DENSE, proxy, array);
  }

  static void setInfo(MemorySegment proxy, MemorySegment field, MemorySegment array)
      throws XGBoostError {
    call(SET_INFO, proxy, field, array);
  }

  static void createQuantile(
      MemorySegment proxy,
      MemorySegment reference,
      MemorySegment reset,
      MemorySegment next,
      MemorySegment config,
      MemorySegment result)
      throws XGBoostError {
    call(QUANTILE_CREATE, MemorySegment.NULL, proxy, reference, reset, next, config, result);
  }

  private static void call(MethodHandle function, Object... arguments) throws XGBoostError {
    try {
      check((int) function.invokeWithArguments(arguments));
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
