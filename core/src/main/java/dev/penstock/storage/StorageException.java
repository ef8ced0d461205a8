package dev.penstock.storage;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.advice.Remedy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Thrown if a store gives an error instead of data: says what is wrong, and whether a retry may
/// help.
///
/// The message continues "Cannot read ...: ", and ends with what to do.
public final class StorageException extends AdvisedIOException {
  private static final long serialVersionUID = 1;

  /// What kind of answer it is.
  public enum Kind {
    /// The store cannot answer now: another attempt may help.
    UNAVAILABLE(true),
    /// There were too many requests: another attempt may help later.
    THROTTLED(true),
    /// There is no such file, or bucket, or host.
    MISSING(false),
    /// The credentials are missing, unknown or not permitted to read.
    DENIED(false),
    /// The file is no longer the one that was planned.
    CHANGED(false),
    /// The file does not have the requested bytes.
    RANGE(false),
    /// Any other error that a retry does not change.
    REFUSED(false);

    private final boolean temporary;

    Kind(boolean temporary) {
      this.temporary = temporary;
    }

    /// {@return whether another attempt may help; false if the answer would be the same}
    public boolean isTemporary() {
      return temporary;
    }
  }

  private final Kind kind;
  private final transient Optional<Duration> retryAfter;

  /// Makes the error.
  ///
  /// @param kind what kind of answer it is
  /// @param message what is wrong and what to do, without the file
  /// @param retryAfter how long to wait, if the store said so
  /// @param cause the exception of the vendor's library, or null
  public StorageException(
      Kind kind, String message, Optional<Duration> retryAfter, @Nullable Throwable cause) {
    this(kind, Advice.repeating(message, cause), retryAfter, cause);
  }

  /// Makes the error.
  ///
  /// @param kind what kind of answer it is
  /// @param message what is wrong and what to do, without the file
  /// @param retryAfter how long to wait, if the store said so
  /// @param cause the exception of the vendor's library, or null
  public StorageException(
      Kind kind, Advice message, Optional<Duration> retryAfter, @Nullable Throwable cause) {
    super(message.withTexts(Printable::of), cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /// Makes the error of a store that did not say when to retry.
  ///
  /// @param kind what kind of answer it is
  /// @param message what is wrong and what to do, without the file
  /// @param cause the exception of the vendor's library, or null
  public StorageException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, Optional.empty(), cause);
  }

  /// Makes the error of a store that did not say when to retry.
  ///
  /// @param kind what kind of answer it is
  /// @param message what is wrong and what to do, without the file
  /// @param cause the exception of the vendor's library, or null
  public StorageException(Kind kind, Advice message, @Nullable Throwable cause) {
    this(kind, message, Optional.empty(), cause);
  }

  /// {@return the error of an HTTP status}
  ///
  /// @param status the status, not one of success
  /// @param detail further information, for example an error code; may be empty
  /// @param retryAfter the header `Retry-After`, in seconds or as a date; a date is ignored
  /// @param cause the exception of the vendor's library, or null
  public static StorageException ofStatus(
      int status, String detail, Optional<String> retryAfter, @Nullable Throwable cause) {
    Kind kind =
        switch (status) {
          case 401, 403, 407 -> Kind.DENIED;
          case 404, 410 -> Kind.MISSING;
          case 409, 412 -> Kind.CHANGED;
          case 416 -> Kind.RANGE;
          case 429, 503 -> Kind.THROTTLED;
          case 501, 505 -> Kind.REFUSED;
          default -> status == 408 || status >= 500 ? Kind.UNAVAILABLE : Kind.REFUSED;
        };
    String shown = "(" + status + (detail.isEmpty() ? "" : " " + detail) + ")";
    Optional<Duration> wait = kind.isTemporary() ? seconds(retryAfter) : Optional.empty();
    Advice more =
        kind == Kind.THROTTLED
            ? Advice.of(" Ask less at once: lower %s.", Remedy.storageOption("concurrency"))
            : Advice.text("");
    String sentence = sentence(status, kind).replace("%s", shown);
    return new StorageException(kind, Advice.of("%s%s", sentence, more), wait, cause);
  }

  private static String sentence(int status, Kind kind) {
    return switch (kind) {
      case DENIED ->
          switch (status) {
            case 401 -> "the store wants to know who asks %s. Give credentials.";
            case 403 -> "access is denied %s. Check the credentials, and that they may read it.";
            default ->
                "the proxy asks for a password %s. Set storage options 'proxy-username' and"
                    + " 'proxy-password'; except for S3, Java sends them for 'https' only when it"
                    + " is started with '-Djdk.http.auth.tunneling.disabledSchemes='.";
          };
      case MISSING -> "it is gone %s. List the dataset again, or restore the file.";
      case CHANGED ->
          "it is no longer the file that was planned %s. Make a new dataset to read the changed"
              + " file.";
      case RANGE ->
          "the file does not have these bytes %s. It was cut or replaced; make a new dataset.";
      case THROTTLED -> "the store is busy %s.";
      case UNAVAILABLE -> "the store failed %s. Try again later.";
      case REFUSED -> "the store refuses the request %s.";
    };
  }

  /// {@return the error of a file that is no longer the planned version}
  ///
  /// @param found its version
  /// @param planned the version that was planned
  public static StorageException changed(String found, String planned) {
    return new StorageException(
        Kind.CHANGED,
        ("its version is '" + found + "' but was '" + planned + "' when the dataset was planned.")
            + " Make a new dataset to read the changed file.",
        null);
  }

  private static Optional<Duration> seconds(Optional<String> retryAfter) {
    return retryAfter
        .filter(text -> text.matches("[0-9]{1,6}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }

  /// {@return what kind of answer it is}
  public Kind kind() {
    return kind;
  }

  /// {@return how long to wait before the next attempt; empty if the store did not say}
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
