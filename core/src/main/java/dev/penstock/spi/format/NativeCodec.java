package dev.penstock.spi.format;

import com.github.luben.zstd.util.Native;
import dev.penstock.format.LibraryException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

/// A codec whose library is native code, loaded when first needed.
///
/// Call [#require()] before the classes of the library: their own error tells the reason only to
/// the first who uses them, as a cause of a cause.
///
/// **Threads.** Safe for any.
public final class NativeCodec {
  /* Each library is named in lambdas only, so that one can be absent. */

  /// Zstandard, by zstd-jni.
  public static final NativeCodec ZSTD =
      new NativeCodec("zstd", () -> Native.load(), () -> Native.class);

  /// Snappy, by snappy-java.
  public static final NativeCodec SNAPPY =
      new NativeCodec("snappy", () -> Snappy.maxCompressedLength(0), () -> Snappy.class);

  private final String name;
  private final Runnable load;
  private final Supplier<Class<?>> library;
  private volatile boolean isLoaded;
  private @Nullable Throwable failure;

  private NativeCodec(String name, Runnable load, Supplier<Class<?>> library) {
    this.name = name;
    this.load = load;
    this.library = library;
  }

  /// Makes sure that the library is loaded.
  ///
  /// @throws LibraryException if it cannot be loaded, each time with the first reason
  public void require() throws LibraryException {
    if (!isLoaded) {
      requireLoaded();
    }
  }

  private synchronized void requireLoaded() throws LibraryException {
    if (failure == null) {
      try {
        load.run();
        isLoaded = true;
        return;
      } catch (Throwable e) {
        if (e instanceof VirtualMachineError || e.getCause() instanceof ClassNotFoundException) {
          throw e; // Java is out of memory, or has no jar with it.
        }
        failure = e;
      }
    }
    throw failure(failure);
  }

  /// Returns the error for what loading the library threw.
  LibraryException failure(Throwable thrown) {
    Throwable first = thrown;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String reason = String.valueOf(first.getMessage()).lines().findFirst().orElse("");
    return new LibraryException(
        "Cannot decompress "
            + name
            + ": its native library cannot be loaded ("
            + reason
            + "). "
            + (reason.contains("Illegal native access")
                ? "Start Java with --enable-native-access=" + module() + ", too."
                : "Set -Djava.io.tmpdir to a folder that can be written and is not mounted with"
                    + " noexec."),
        thrown);
  }

  /// Returns what stands for the library in `--enable-native-access`.
  String module() {
    String module = library.get().getModule().getName();
    return module == null ? "ALL-UNNAMED" : module;
  }
}
