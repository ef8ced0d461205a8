package dev.penstock.spi.format;

/// Access to memory by `sun.misc.Unsafe`, which some libraries need and a JVM may deny.
public final class UnsafeAccess {
  /// The flag of Java that allows it.
  public static final String FLAG = "--sun-misc-unsafe-memory-access=allow";

  private UnsafeAccess() {}

  /// {@return whether a library failed because this JVM denies it `sun.misc.Unsafe`: the denial is
  /// among the causes}
  ///
  /// @param failure what it threw
  public static boolean isDenied(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      // The second time a class cannot be used, the JVM gives the first cause as text only.
      if (each.toString().contains(UnsupportedOperationException.class.getName())) {
        return true;
      }
    }
    return false;
  }
}
