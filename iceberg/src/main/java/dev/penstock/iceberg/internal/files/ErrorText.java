package dev.penstock.iceberg.internal.files;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Messages of exceptions, without secrets that they may contain.
public final class ErrorText {
  private static final Set<String> HARMLESS =
      Set.of(
          "type",
          "catalog-impl",
          "catalog-name",
          "io-impl",
          "warehouse",
          "prefix",
          "scope",
          "client.region");

  private ErrorText() {}

  public static String withCause(Throwable e) {
    String cause = message(root(e));
    return message(e).contains(cause) ? message(e) : message(e) + " (" + cause + ")";
  }

  private static Throwable root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /// Returns the first line: some messages have a stack trace below.
  public static String message(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }

  /// Returns the values of options that may be secrets.
  public static List<String> secrets(Map<String, String> options) {
    List<String> secrets = new ArrayList<>();
    options.forEach((key, value) -> {
      boolean address = key.equals("uri") || key.endsWith("-uri") || key.endsWith(".endpoint");
      boolean shown =
          HARMLESS.contains(key)
              || (address
                  && value.indexOf('@') < 0
                  && value.indexOf('?') < 0
                  && value.indexOf(';') < 0);
      if (!shown && value.length() > 3) {
        secrets.add(value);
        if (key.equals("credential") && value.indexOf(':') >= 0) {
          secrets.add(value.substring(value.indexOf(':') + 1));
        }
      }
    });
    return secrets;
  }

  public static String hide(String text, List<String> secrets) {
    String hidden = text;
    for (String secret : secrets) {
      hidden = secret.isEmpty() ? hidden : hidden.replace(secret, "***");
    }
    return hidden;
  }

  public static boolean isClean(Throwable e, List<String> secrets) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage());
      if (!hide(message, secrets).equals(message)) {
        return false;
      }
    }
    return true;
  }
}
