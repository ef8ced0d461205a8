package dev.penstock.internal.workers;

import java.util.Arrays;
import java.util.List;

/// Tells users' code from this library's in a stack of calls.
public final class UserCode {
  private static final List<String> OUR_ROOMS =
      List.of(
          "java.", "jdk.", "dev.penstock.internal.", "dev.penstock.data.", "dev.penstock.sample.");

  private UserCode() {}

  /// Returns where users' code calls this library now.
  ///
  /// @return the innermost such place
  public static String place() {
    return place(new Throwable().getStackTrace());
  }

  /// Returns the innermost place of users' code.
  ///
  /// @param stack calls, the innermost first
  /// @return where it is, or where the innermost call is if none is users' code
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
