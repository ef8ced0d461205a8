package dev.penstock.iceberg;

import dev.penstock.format.MalformedFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RESTException;

/// Turns what Iceberg throws into sentences about a table, without the secrets that it may repeat.
final class IcebergErrors {
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

  private IcebergErrors() {}

  static IOException of(TableSource source, Throwable e) {
    return told(source, e, malformed(e).orElseGet(() -> reason(source, e)));
  }

  /// Does the same for what is thrown while a metadata file is read.
  static IOException ofMetadata(TableSource source, RuntimeException e) {
    return switch (e) {
      case IllegalArgumentException _ -> told(source, e, noMetadata(message(e)));
      // Not told by the storage: it is Iceberg's, around what a parser says.
      case UncheckedIOException _ when e.getCause() != null && !isOfStorage(e) ->
          told(
              source,
              e,
              isOfStorage(e.getCause())
                  ? message(e.getCause())
                  : noMetadata(message(e.getCause())));
      default -> of(source, e);
    };
  }

  private static boolean isOfStorage(Throwable e) {
    return message(e).startsWith("Cannot ");
  }

  /// Returns what our own readers say of a file, whatever Iceberg and Avro have put around it.
  private static Optional<String> malformed(Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof MalformedFileException) {
        return Optional.of(message(each));
      }
    }
    return Optional.empty();
  }

  private static IOException told(TableSource source, Throwable e, String reason) {
    String sentence =
        reason.startsWith("Cannot read ") // names what it is about
            ? reason + " [table '" + source.name() + "']"
            : "Cannot read table '" + source.name() + "': " + reason;
    String hidden = hide(sentence, source.secrets());
    return new IOException(hidden, isClean(e, source.secrets()) ? e : null);
  }

  private static String reason(TableSource source, Throwable e) {
    return switch (e) {
      case NoSuchTableException _, NoSuchNamespaceException _ ->
          "the catalog has no such table. Check the name"
              + (source instanceof TableSource.InCatalog catalog && catalog.isJdbc()
                  ? ", and option 'catalog-name': a JDBC catalog keeps tables by its own name."
                  : ".");
      case NotAuthorizedException _ ->
          "the catalog does not know who asks ("
              + message(e)
              + "). Set catalog option 'credential' or 'token'.";
      case ForbiddenException _ ->
          "the catalog denies access (" + message(e) + "). Check the credentials' rights.";
      case NotFoundException _ -> message(e);
      case UncheckedIOException _ -> message(e);
      case RESTException _ ->
          withCause(e) + ". Check catalog option 'uri', and that the catalog answers there.";
      case UnsupportedOperationException _ when message(e).startsWith("Unknown catalog type") ->
          "the catalog's type is unknown ("
              + message(e)
              + "). Set catalog option 'type' to rest, jdbc, glue or hive, or 'catalog-impl' to a"
              + " class.";
      case LinkageError _ ->
          "the catalog needs a class that is not here ("
              + message(e)
              + "). Add the library that has it; a Hadoop table is read by its folder.";
      default -> withCause(e);
    };
  }

  private static String noMetadata(String why) {
    return "the file is no table metadata that can be read ("
        + why
        + "). Name a metadata file (.metadata.json) of an Iceberg table.";
  }

  static String withCause(Throwable e) {
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

  /// Returns the first line: some have a stack trace below.
  private static String message(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }

  /// Returns the values of options that may be secrets.
  static List<String> secrets(Map<String, String> options) {
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

  static String hide(String text, List<String> secrets) {
    String hidden = text;
    for (String secret : secrets) {
      hidden = secret.isEmpty() ? hidden : hidden.replace(secret, "***");
    }
    return hidden;
  }

  static boolean isClean(Throwable e, List<String> secrets) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage());
      if (!hide(message, secrets).equals(message)) {
        return false;
      }
    }
    return true;
  }
}
