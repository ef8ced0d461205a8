package dev.penstock.s3;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.ProxyServer;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.spi.storage.TrustedCertificates;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/// Makes the SDK's client from options. It does not retry: the caller does, from where a read
/// broke.
final class S3Clients {
  private S3Clients() {}

  static S3Client client(StorageOptions options, AwsCredentialsProvider credentials) {
    AwsProfile profile = AwsProfile.of(options);
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(http(options, profile)) // so that it is closed with the client
            .credentialsProvider(credentials)
            .crossRegionAccessEnabled(true)
            // What servers other than Amazon's may not know.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(c -> {
              c.retryStrategy(AwsRetryStrategy.doNotRetry()).defaultProfileName(profile.name());
              if (options.isOn("requester-pays")) {
                c.putHeader("x-amz-request-payer", "requester");
              }
            });
    options.signer().ifPresent(signer -> builder.putAuthScheme(new SignedElsewhere(signer)));
    Optional<URI> address = options.address("endpoint").or(() -> configured(builder));
    address.ifPresent(builder::endpointOverride);
    // Few servers other than Amazon's have a host name for each bucket.
    boolean isSaid = options.get("path-style").isPresent();
    return builder
        .region(region(options, profile, address))
        .forcePathStyle(isSaid ? options.isOn("path-style") : address.isPresent())
        .build();
  }

  /// Returns the endpoint that the environment or the profile sets, in general or for this service.
  private static Optional<URI> configured(S3ClientBuilder builder) {
    try (S3Client asking = builder.region(Region.US_EAST_1).build()) {
      return asking.serviceClientConfiguration().endpointOverride();
    }
  }

  private static Apache5HttpClient.Builder http(StorageOptions options, AwsProfile profile) {
    Apache5HttpClient.Builder http =
        Apache5HttpClient.builder()
            .socketTimeout(RetryPolicy.readTimeout(options))
            .connectionTimeout(RetryPolicy.connectTimeout(options))
            // One per simultaneous request, so that none waits for a connection.
            .maxConnections(FetchAdvice.of(options).requestsMax())
            .connectionAcquisitionTimeout(RetryPolicy.of(options).deadline());
    ProxyServer.of(options).ifPresent(proxy -> http.proxyConfiguration(proxy(proxy)));
    trusted(options, profile, System.getenv())
        .ifPresent(trusted -> http.tlsTrustManagersProvider(trusted::managers));
    return http;
  }

  /// Returns the authorities to trust, from the option, else the environment, else the profile.
  static Optional<TrustedCertificates> trusted(
      StorageOptions options, AwsProfile profile, Map<String, String> environment) {
    String bundle = environment.getOrDefault("AWS_CA_BUNDLE", "");
    return TrustedCertificates.of(options)
        .or(() -> bundle.isEmpty() ? Optional.empty() : Optional.of(read(bundle, "AWS_CA_BUNDLE")))
        .or(() ->
            profile
                .property("ca_bundle")
                .map(file -> read(file, "ca_bundle of profile '" + profile.name() + "'")));
  }

  private static TrustedCertificates read(String file, String source) {
    try {
      return TrustedCertificates.read(file);
    } catch (IOException e) {
      IllegalArgumentException wrong =
          Advice.argumentError(
              "Cannot use %s: got '%s' but expected %s. Correct it, or set %s.",
              source, file, TrustedCertificates.FILE, Remedy.storageOption("ca-file"));
      wrong.initCause(e);
      throw wrong;
    }
  }

  private static ProxyConfiguration proxy(ProxyServer proxy) {
    ProxyConfiguration.Builder builder = ProxyConfiguration.builder().endpoint(proxy.uri());
    proxy
        .username()
        .ifPresent(user ->
            builder
                .username(user)
                .password(proxy.password())
                .preemptiveBasicAuthenticationEnabled(true));
    return builder.build();
  }

  private static Region region(StorageOptions options, AwsProfile profile, Optional<URI> address) {
    if (options.get("region").isPresent()) {
      return Region.of(options.get("region").get());
    }
    if (options.get("endpoint").isPresent() && options.get("profile").isEmpty()) {
      return Region.US_EAST_1; // what servers other than Amazon's expect
    }
    var machine = DefaultAwsRegionProviderChain.builder().profileName(profile.name()).build();
    var told =
        new AwsRegionProviderChain(
            new SystemSettingsRegionProvider(), new AwsProfileRegionProvider(null, profile.name()));
    try {
      return (address.isPresent() ? told : machine).getRegion();
    } catch (SdkClientException e) {
      return Region.US_EAST_1; // if the region differs, the store names it
    }
  }
}
