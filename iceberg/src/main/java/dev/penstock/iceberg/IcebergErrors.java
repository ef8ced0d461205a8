package dev.penstock.iceberg;

import dev.penstock.format.MalformedFileException;
import dev.penstock.iceberg.internal.files.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RESTException;

/// Turns Iceberg's exceptions into messages about a table, without secrets that they may contain.
final class IcebergErrors {
  private IcebergErrors() {}

  static IOException of(TableSource source, Throwable e) {
    return told(source, e, malformed(e).orElseGet(() -> reason(source, e)));
  }

  /// Does the same for exceptions while a metadata file is read.
  static IOException ofMetadata(TableSource source, RuntimeException e) {
    return switch (e) {
      case IllegalArgumentException _ -> told(source, e, noMetadata(ErrorText.message(e)));
      // Not from the storage: Iceberg wraps a parser's error.
      case UncheckedIOException _ when e.getCause() != null && !isOfStorage(e) ->
          told(
              source,
              e,
              isOfStorage(e.getCause())
                  ? ErrorText.message(e.getCause())
                  : noMetadata(ErrorText.message(e.getCause())));
      default -> of(source, e);
    };
  }

  private static boolean isOfStorage(Throwable e) {
    return ErrorText.message(e).startsWith("Cannot ");
  }

  /// Returns our own readers' error about a file, even if Iceberg and Avro have wrapped it.
  private static Optional<String> malformed(Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof MalformedFileException) {
        return Optional.of(ErrorText.message(each));
      }
    }
    return Optional.empty();
  }

  private static IOException told(TableSource source, Throwable e, String reason) {
    String sentence =
        reason.startsWith("Cannot read ") // already names its subject
            ? reason + " [table '" + source.name() + "']"
            : "Cannot read table '" + source.name() + "': " + reason;
    String hidden = ErrorText.hide(sentence, source.secrets());
    return new IOException(hidden, ErrorText.isClean(e, source.secrets()) ? e : null);
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
              + ErrorText.message(e)
              + "). Set catalog option 'credential' or 'token'.";
      case ForbiddenException _ ->
          "the catalog denies access ("
              + ErrorText.message(e)
              + "). Check the credentials' rights.";
      case NotFoundException _ -> ErrorText.message(e);
      case UncheckedIOException _ -> ErrorText.message(e);
      case RESTException _ ->
          ErrorText.withCause(e)
              + ". Check catalog option 'uri', and that the catalog answers there.";
      case UnsupportedOperationException _
          when ErrorText.message(e).startsWith("Unknown catalog type") ->
          "the catalog's type is unknown ("
              + ErrorText.message(e)
              + "). Set catalog option 'type' to rest, jdbc, glue or hive, or 'catalog-impl' to a"
              + " class.";
      case LinkageError _ ->
          "the catalog needs a class that is not here ("
              + ErrorText.message(e)
              + "). Add the library that has it; a Hadoop table is read by its folder.";
      default -> ErrorText.withCause(e);
    };
  }

  private static String noMetadata(String why) {
    return "the file is no table metadata that can be read ("
        + why
        + "). Name a metadata file (.metadata.json) of an Iceberg table.";
  }
}
