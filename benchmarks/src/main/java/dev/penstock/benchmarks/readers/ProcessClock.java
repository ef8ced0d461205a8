package dev.penstock.benchmarks.readers;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The processor time of this process, all its threads together, in nanoseconds.
///
/// The JVM's own bean counts in hundredths of a second, too coarse for one scan. Linux only.
final class ProcessClock {
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

  private static final MethodHandle CLOCK_GETTIME =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().find("clock_gettime").orElseThrow(),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

  private static final MemorySegment TIME = Arena.global().allocate(16, 8);

  private ProcessClock() {}

  static long nanos() {
    try {
      int result = (int) CLOCK_GETTIME.invokeExact(CLOCK_PROCESS_CPUTIME_ID, TIME);
      if (result != 0) {
        throw new IllegalStateException("Cannot read the process clock: it says " + result + ".");
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return TIME.get(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L + TIME.get(ValueLayout.JAVA_LONG, 8);
  }
}
