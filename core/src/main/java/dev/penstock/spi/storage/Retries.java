package dev.penstock.spi.storage;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/// Retries requests that may succeed later, and gives up with a one-sentence error.
///
/// **Threads.** Safe for any.
public final class Retries {
  private static final Pattern PROXY_REFUSAL =
      Pattern.compile(
          "proxy.*\\b407\\b|too many authentication attempts", Pattern.CASE_INSENSITIVE);

  private static final Remedy ENDPOINT =
      Remedy.of("storage", "endpoint=VALUE", "the storage option 'endpoint'");

  private final RetryPolicy policy;
  private final Pace pace;
  private final Optional<Advice> ifDenied;

  /// A request.
  ///
  /// @param <T> the type of the result
  public interface Request<T> {
    /// {@return the result of the request, made once}
    ///
    /// @throws IOException if it fails; a [StorageException] says whether a retry may help, any
    ///   other counts as a broken connection
    T make() throws IOException;
  }

  /// Makes the retries of a store.
  ///
  /// @param policy attempts and times
  /// @param pace the clock
  public Retries(RetryPolicy policy, Pace pace) {
    this(policy, pace, Optional.empty());
  }

  /// Makes the retries of a store.
  ///
  /// @param ifDenied what errors say in addition if the store denies access
  Retries(RetryPolicy policy, Pace pace, Optional<Advice> ifDenied) {
    this.policy = policy;
    this.pace = pace;
    this.ifDenied = ifDenied;
  }

  /// Makes a request, with retries if they may help.
  ///
  /// @param <T> the type of the result
  /// @param what the purpose, for example `list 's3://bucket/a/'`
  /// @param request the request
  /// @return the result
  /// @throws StorageException if it finally fails; the message names the purpose and the number of
  ///   attempts
  public <T> T call(String what, Request<T> request) throws IOException {
    Attempts attempts = begin(what);
    while (true) {
      attempts.attempt();
      try {
        return request.make();
      } catch (IOException e) {
        attempts.failed(e, false);
      }
    }
  }

  RetryPolicy policy() {
    return policy;
  }

  Pace pace() {
    return pace;
  }

  Attempts begin(String what) {
    return new Attempts(what);
  }

  /// The attempts at one thing.
  final class Attempts {
    private final String what;
    private final long start = pace.nanos();
    private int attempts;
    private int inVain; // in a row

    private Attempts(String what) {
      this.what = what;
    }

    void attempt() {
      attempts++;
    }

    long nanosLeft() {
      return policy.deadline().toNanos() - (pace.nanos() - start);
    }

    /// Waits for the next attempt, or fails.
    ///
    /// @param progress whether the attempt brought any bytes
    void failed(IOException cause, boolean progress) throws IOException {
      inVain = progress ? 0 : inVain + 1;
      if (Thread.currentThread().isInterrupted() || isInterruption(cause)) {
        throw given(cause, Advice.text(" It was interrupted."));
      }
      if (!isTemporary(cause) || inVain >= policy.attempts()) {
        throw given(cause, Advice.text(""));
      }
      long wait = wait(cause);
      if (wait >= nanosLeft()) {
        throw given(
            cause,
            Advice.of(
                " Its time of %s s is over; raise %s if the store needs longer.",
                policy.deadline().toSeconds(), Remedy.storageOption("deadline")));
      }
      try {
        pace.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw given(cause, Advice.text(" It was interrupted."));
      }
    }

    /// Waits between half and all of a time that doubles with each failed attempt, at random, and
    /// at least as long as the store asked for.
    private long wait(IOException cause) {
      int doublings = Math.min(30, Math.max(0, inVain - 1));
      double doubled = Math.scalb((double) policy.backoff().toNanos(), doublings);
      double most = Math.min((double) policy.backoffMax().toNanos(), doubled);
      long wait = (long) (most * (0.5 + pace.random() / 2));
      Optional<Duration> told =
          cause instanceof StorageException storage ? storage.retryAfter() : Optional.empty();
      return Math.max(wait, told.map(Duration::toNanos).orElse(0L));
    }

    private StorageException given(IOException cause, Advice more) {
      StorageException.Kind kind =
          cause instanceof StorageException storage
              ? storage.kind()
              : StorageException.Kind.UNAVAILABLE;
      return new StorageException(
          kind,
          Advice.of(
              "Cannot %s%s: %s%s%s",
              what,
              attempts == 1 ? "" : " in " + attempts + " attempts",
              reason(cause),
              more,
              kind == StorageException.Kind.DENIED
                  ? ifDenied.map(text -> Advice.of(" %s", text)).orElse(Advice.text(""))
                  : ""),
          cause);
    }
  }

  private static boolean isInterruption(IOException cause) {
    return cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
  }

  private static boolean isTemporary(IOException cause) {
    return switch (cause) {
      case StorageException storage -> storage.kind().isTemporary();
      case SSLHandshakeException _, SSLPeerUnverifiedException _ -> false;
      default -> !isRefusedByProxy(cause);
    };
  }

  /// How the JDK's client reports a host that DNS does not know.
  private static boolean isUnresolved(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof UnresolvedAddressException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /// Only the message of a client's error says that a proxy opens no tunnel or refuses a password.
  private static boolean isRefusedByProxy(IOException cause) {
    return PROXY_REFUSAL.matcher(String.valueOf(cause.getMessage())).find();
  }

  private static Advice reason(IOException cause) {
    return switch (cause) {
      case StorageException storage -> storage.advice();
      case UnknownHostException _ ->
          Advice.of(
              "there is no host '%s'. Check the location, %s and the name service.",
              cause.getMessage(), ENDPOINT);
      case ConnectException _ when isUnresolved(cause) ->
          Advice.of(
              "there is no such host. Check the location, %s and the name service.", ENDPOINT);
      case ConnectException _ ->
          Advice.of(
              "no connection to the store (%s). Check the location, %s and the network.",
              said(cause), ENDPOINT);
      case SSLHandshakeException _, SSLPeerUnverifiedException _ ->
          Advice.of(
              "the store's certificate is not trusted (%s). Check the address, or set %s to a file"
                  + " with the certificate of its authority.",
              said(cause), Remedy.storageOption("ca-file"));
      case IOException _ when isRefusedByProxy(cause) ->
          reason(StorageException.ofStatus(407, "", Optional.empty(), null));
      default ->
          Advice.of("the connection broke (%s). Check the network and the store.", said(cause));
    };
  }

  private static String said(IOException cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
