package dev.penstock.s3;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.StorageOptions;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/// Credentials that are looked up again when the store says that they have expired.
///
/// The SDK's providers refresh themselves before credentials expire. But they rely on the machine's
/// clock and on the stated lifetime, and a store may end a session at any time.
///
/// **Threads.** Safe for any.
final class RenewedCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private final Supplier<AwsCredentialsProvider> source;
  private final boolean renewable;
  private AwsCredentialsProvider provider;
  private long generation;

  private RenewedCredentials(Supplier<AwsCredentialsProvider> source, boolean renewable) {
    this.source = source;
    this.renewable = renewable;
    this.provider = source.get();
  }

  /// Chooses the source of the credentials.
  ///
  /// @throws IllegalArgumentException if half of a pair is missing
  static RenewedCredentials of(StorageOptions options) {
    String key = options.get("access-key-id").orElse("");
    String secret = options.get("secret-access-key").orElse("");
    String token = options.get("session-token").orElse("");
    if (options.isOn("anonymous") || options.signer().isPresent()) {
      return new RenewedCredentials(AnonymousCredentialsProvider::create, false);
    }
    if (key.isEmpty() != secret.isEmpty() || (key.isEmpty() && !token.isEmpty())) {
      String alone =
          !key.isEmpty()
              ? "access-key-id"
              : !secret.isEmpty() ? "secret-access-key" : "session-token";
      throw Advice.argumentError(
          "Cannot use %s alone: set 'access-key-id' and 'secret-access-key' together.",
          Remedy.storageOption(alone));
    }
    if (!key.isEmpty()) {
      AwsCredentials given =
          token.isEmpty()
              ? AwsBasicCredentials.create(key, secret)
              : AwsSessionCredentials.create(key, secret, token);
      return new RenewedCredentials(() -> StaticCredentialsProvider.create(given), false);
    }
    return options
        .get("profile")
        .map(name -> new RenewedCredentials(() -> ProfileCredentialsProvider.create(name), true))
        .orElseGet(
            () -> new RenewedCredentials(() -> DefaultCredentialsProvider.builder().build(), true));
  }

  @Override
  public AwsCredentials resolveCredentials() {
    AwsCredentialsProvider current;
    synchronized (this) {
      current = provider;
    }
    return current.resolveCredentials();
  }

  /// Ends what looks for credentials, some of which have a thread.
  @Override
  public synchronized void close() {
    if (provider instanceof SdkAutoCloseable open) {
      open.close();
    }
  }

  /// Returns how often credentials were renewed.
  synchronized long generation() {
    return generation;
  }

  /// Looks credentials up again, unless they were renewed since.
  ///
  /// @param expired the generation of the credentials that a request used
  /// @return false if they come from the options and so never change
  synchronized boolean renew(long expired) {
    if (renewable && expired == generation) {
      generation++;
      provider = source.get();
    }
    return renewable;
  }
}
