package dev.penstock.cli;

/**
 * Starts the command from its jar.
 *
 * <p>The only class compiled for Java 8, so that an older Java runs it and prints which version is
 * needed. Any other class would fail there with a LinkageError.
 */
public final class Launcher {
  static final int JAVA = 25;

  private Launcher() {}

  /**
   * Starts the command, or prints what it needs.
   *
   * @param args the arguments after {@code penstock}
   * @throws Exception if the command cannot be started
   */
  public static void main(String[] args) throws Exception {
    String refusal = refusal(System.getProperty("java.specification.version", "0"));
    if (!refusal.isEmpty()) {
      System.err.println(refusal);
      System.exit(1);
    }
    Class.forName("dev.penstock.cli.Main")
        .getMethod("main", String[].class)
        .invoke(null, (Object) args);
  }

  /** Returns why a version of Java is unsuitable, or an empty text. */
  static String refusal(String version) {
    String feature = version.startsWith("1.") ? version.substring(2) : version;
    return Integer.parseInt(feature) >= JAVA
        ? ""
        : "Cannot start penstock: it needs Java "
            + JAVA
            + " or newer, but this is Java "
            + feature
            + " ("
            + System.getProperty("java.home")
            + "). Install one, or start it with the java of one.";
  }
}
