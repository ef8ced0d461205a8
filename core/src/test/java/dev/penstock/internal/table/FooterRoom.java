package dev.penstock.internal.table;

/// How many bytes of footers datasets keep, in tests.
public final class FooterRoom {
  private static final long USUAL = FooterMemory.bytesMax;

  private FooterRoom() {}

  /// Lets footers be dropped at once.
  public static void none() {
    FooterMemory.bytesMax = 0;
  }

  public static void usual() {
    FooterMemory.bytesMax = USUAL;
  }

  static void of(long bytes) {
    FooterMemory.bytesMax = bytes;
  }
}
