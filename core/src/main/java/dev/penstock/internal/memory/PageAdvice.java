package dev.penstock.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Tells the system which mapped bytes will be read soon, by `posix_madvise` of POSIX.1-2001, so
/// that the disk reads many of them at once. Elsewhere nothing is told.
public final class PageAdvice {
  private static final int WILL_NEED = 3;

  /// A multiple of any page size: only whole pages can be named.
  private static final long PAGE = 1 << 16;

  private static final Optional<MethodHandle> ADVISE =
      Linker.nativeLinker()
          .defaultLookup()
          .find("posix_madvise")
          .map(function ->
              Linker.nativeLinker()
                  .downcallHandle(
                      function, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT)));

  private PageAdvice() {}

  /// Begins to read bytes of a file, all of which is mapped.
  public static void soon(MemorySegment mapped, long offset, long bytes) {
    if (ADVISE.isEmpty()) {
      return;
    }
    long start = offset / PAGE * PAGE;
    try {
      int _ =
          (int) ADVISE.get().invokeExact(mapped.asSlice(start), offset + bytes - start, WILL_NEED);
    } catch (Throwable e) {
      throw new IllegalStateException("Cannot call posix_madvise", e);
    }
  }
}
