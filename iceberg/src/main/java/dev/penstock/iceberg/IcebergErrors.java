package dev.penstock.iceberg;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.advice.Remedy;
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
                  ? message(e.getCause())
                  : noMetadata(ErrorText.message(e.getCause())));
      default -> of(source, e);
    };
  }

  private static boolean isOfStorage(Throwable e) {
    return ErrorText.message(e).startsWith("Cannot ");
  }

  /// Returns our own readers' error about a file, even if Iceberg and Avro have wrapped it.
  private static Optional<Advice> malformed(Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof MalformedFileException malformed) {
        return Optional.of(malformed.advice());
      }
    }
    return Optional.empty();
  }

  private static IOException told(TableSource source, Throwable e, Advice reason) {
    Advice advice =
        reason.toString().startsWith("Cannot read ") // already names its subject
            ? Advice.of("%s [table '%s']", reason, source.name())
            : Advice.of("Cannot read table '%s': %s", source.name(), reason);
    return new AdvisedIOException(
        advice.withTexts(text -> ErrorText.hide(text, source.secrets())),
        ErrorText.isClean(e, source.secrets()) ? e : null);
  }

  private static Advice message(Throwable e) {
    return Advice.repeating(ErrorText.message(e), e);
  }

  private static Advice reason(TableSource source, Throwable e) {
    return switch (e) {
      case NoSuchTableException _, NoSuchNamespaceException _ ->
          Advice.of(
              "the catalog has no such table. Check the name%s.",
              source instanceof TableSource.InCatalog catalog && catalog.isJdbc()
                  ? Advice.of(
                      ", and %s: a JDBC catalog keeps tables by its own name",
                      Remedy.of("catalog", "catalog-name=VALUE", "option 'catalog-name'"))
                  : "");
      case NotAuthorizedException _ ->
          Advice.of(
              "the catalog does not know who asks (%s). Set %s or 'token'.",
              ErrorText.message(e), Remedy.catalogOption("credential"));
      case ForbiddenException _ ->
          Advice.of(
              "the catalog denies access (%s). Check the credentials' rights.",
              ErrorText.message(e));
      case NotFoundException _ -> message(e);
      case UncheckedIOException _ -> message(e);
      case RESTException _ ->
          Advice.of(
              "%s. Check %s, and that the catalog answers there.",
              ErrorText.withCause(e), Remedy.catalogOption("uri"));
      case UnsupportedOperationException _
          when ErrorText.message(e).startsWith("Unknown catalog type") ->
          Advice.of(
              "the catalog's type is unknown (%s). Set %s to rest, jdbc, glue or hive, or"
                  + " 'catalog-impl' to a class.",
              ErrorText.message(e), Remedy.catalogOption("type"));
      case LinkageError _ ->
          Advice.of(
              "the catalog needs a class that is not here (%s). Add the library that has it; a"
                  + " Hadoop table is read by its folder.",
              ErrorText.message(e));
      default -> Advice.repeating(ErrorText.withCause(e), e);
    };
  }

  private static Advice noMetadata(String why) {
    return Advice.of(
        "the file is no table metadata that can be read (%s). Name a metadata file (.metadata.json)"
            + " of an Iceberg table.",
        why);
  }
}
