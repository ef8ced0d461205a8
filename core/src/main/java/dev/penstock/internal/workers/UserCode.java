package dev.penstock.internal.workers;

import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Finds users' code in a stack trace, and logs what it does where nobody else can be told.
public final class UserCode {
  private static final List<String> OUR_ROOMS =
      List.of(
          "java.", "jdk.", "dev.penstock.internal.", "dev.penstock.data.", "dev.penstock.sample.");

  private UserCode() {}

  public static String place() {
    return place(new Throwable().getStackTrace());
  }

  /// Returns the innermost place of users' code, or of all if none is users' code.
  ///
  /// @param stack calls, the innermost first
  public static String place(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(call -> !isOurs(call.getClassName()))
        .findFirst()
        .or(() -> Arrays.stream(stack).findFirst())
        .map(StackTraceElement::toString)
        .orElse("its end");
  }

  /// Logs a warning, and never throws: where things are freed, a log that fails, such as one whose
  /// class loader is closed, must not keep the rest from being freed.
  public static void warn(Class<?> by, String text, Object... details) {
    try {
      LoggerFactory.getLogger(by).warn(text, details);
    } catch (Throwable _) {
      // Nobody is left to tell.
    }
  }

  private static boolean isOurs(String name) {
    return OUR_ROOMS.stream().anyMatch(name::startsWith)
        || (name.startsWith("dev.penstock.") && name.lastIndexOf('.') == "dev.penstock".length());
  }
}
