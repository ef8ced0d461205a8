package dev.penstock.testing;

import java.util.Locale;

/// How much is tested, each ring within the next: CONTRIBUTING.md has what belongs to which.
///
/// A test that does not run in all of them has the JUnit tag `outer` or `night`, or asks
/// [#isRunning].
public enum Ring {
  /// `./mvnw verify`: before each commit.
  INNER,

  /// `.ci/run`: before a change lands.
  OUTER,

  /// `dev/night`: daily, with other seeds each time.
  NIGHT;

  private static final Ring RUNNING =
      valueOf(System.getProperty("penstock.ring", "inner").toUpperCase(Locale.ROOT));

  /// Returns the profiles of the ring that runs, as an option of Maven with a space before it.
  static String profiles() {
    return switch (RUNNING) {
      case INNER -> "";
      case OUTER -> " -Pouter";
      case NIGHT -> " -Pouter,night";
    };
  }

  /// Returns whether tests of this ring run now.
  public boolean isRunning() {
    return compareTo(RUNNING) <= 0;
  }
}
