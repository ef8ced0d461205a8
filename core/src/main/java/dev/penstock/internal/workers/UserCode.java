package dev.penstock.internal.workers;

import java.util.Arrays;
import java.util.List;

/// Finds users' code in a stack trace.
public final class UserCode {
  private static final List<String> OUR_ROOMS =
      List.of(
          "java.", "jdk.", "dev.penstock.internal.", "dev.penstock.data.", "dev.penstock.sample.");

  private UserCode() {}

  /// Returns the place from which users' code is calling this library.
  ///
  /// @return the innermost such place
  public static String place() {
    return place(new Throwable().getStackTrace());
  }

  /// Returns the innermost place of users' code.
  ///
  /// @param stack calls, the innermost first
  /// @return the place, or that of the innermost call if none is users' code
  public static String place(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(call -> !isOurs(call.getClassName()))
        .findFirst()
        .or(() -> Arrays.stream(stack).findFirst())
        .map(StackTraceElement::toString)
        .orElse("its end");
  }

  private static boolean isOurs(String name) {
    return OUR_ROOMS.stream().anyMatch(name::startsWith)
        || (name.startsWith("dev.penstock.") && name.lastIndexOf('.') == "dev.penstock".length());
  }
}
