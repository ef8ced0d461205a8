package dev.penstock.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps memory from being swapped out, by `mlock`.
///
/// A process may lock up to its `RLIMIT_MEMLOCK`, often 8 MiB. Memory beyond that is used unlocked,
/// after one warning.
public final class PageLock implements Pinning {
  private static final Logger LOG = LoggerFactory.getLogger(PageLock.class);
  private static final FunctionDescriptor RANGE =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG);
  private static final String REMEDY =
      " Raise the limit (ulimit -l, LimitMEMLOCK= of systemd, --ulimit memlock= of containers), or"
          + " lower the loader's memory(). Memory beyond it is not locked.";

  private final MethodHandle lock;
  private final MethodHandle unlock;
  private final String limit;
  private final AtomicBoolean warned = new AtomicBoolean();

  private PageLock(MethodHandle lock, MethodHandle unlock, String limit) {
    this.lock = lock;
    this.unlock = unlock;
    this.limit = limit;
  }

  /// Returns a pinning that locks memory, or [Pinning#NONE] after a warning if the system has no
  /// `mlock`.
  public static Pinning ofSystem() {
    return of(Linker.nativeLinker().defaultLookup());
  }

  static Pinning of(SymbolLookup library) {
    Linker linker = Linker.nativeLinker();
    if (library.find("mlock").isEmpty() || library.find("munlock").isEmpty()) {
      LOG.warn("lockMemory is set but this system has no mlock: memory is not locked.");
      return NONE;
    }
    return new PageLock(
        linker.downcallHandle(library.findOrThrow("mlock"), RANGE),
        linker.downcallHandle(library.findOrThrow("munlock"), RANGE),
        limit(linker, library));
  }

  private static String limit(Linker linker, SymbolLookup library) {
    boolean isMac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    int memlock = isMac ? 6 : 8;
    if (library.find("getrlimit").isEmpty()) {
      return "not known";
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limits = arena.allocate(JAVA_LONG, 2); // the soft and the hard limit
      MethodHandle getrlimit =
          linker.downcallHandle(
              library.findOrThrow("getrlimit"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
      if ((int) getrlimit.invokeExact(memlock, limits) != 0) {
        return "not known";
      }
      long soft = limits.get(JAVA_LONG, 0);
      return soft < 0 || soft == Long.MAX_VALUE ? "unlimited" : soft + " bytes";
    } catch (Throwable e) {
      throw new IllegalStateException("Cannot call getrlimit", e);
    }
  }

  @Override
  public Runnable pin(MemorySegment pages) {
    if (call(lock, pages) == 0) {
      return () -> call(unlock, pages);
    }
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "Cannot lock {} bytes of memory: the process's RLIMIT_MEMLOCK is {}.{}",
          pages.byteSize(),
          limit,
          REMEDY);
    }
    return () -> {};
  }

  private static int call(MethodHandle function, MemorySegment pages) {
    try {
      return (int) function.invokeExact(pages, pages.byteSize());
    } catch (Throwable e) {
      throw new IllegalStateException("Cannot call mlock", e);
    }
  }
}
