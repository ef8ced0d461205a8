package dev.penstock.s3;

import dev.penstock.spi.storage.RequestSigner;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/// Replaces the SDK's own signatures (version 4) by those of an external signer.
record SignedElsewhere(RequestSigner by)
    implements AuthScheme<AwsCredentialsIdentity>, HttpSigner<AwsCredentialsIdentity> {
  @Override
  public String schemeId() {
    return AwsV4AuthScheme.SCHEME_ID;
  }

  @Override
  public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders all) {
    return all.identityProvider(AwsCredentialsIdentity.class);
  }

  @Override
  public HttpSigner<AwsCredentialsIdentity> signer() {
    return this;
  }

  @Override
  public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
    SdkHttpRequest plain = request.request();
    String region = request.requireProperty(AwsV4HttpSigner.REGION_NAME);
    try {
      RequestSigner.Signed signed =
          by.sign(plain.method().name(), plain.getUri(), plain.headers(), region);
      SdkHttpRequest.Builder sent =
          plain.toBuilder().encodedPath("").uri(signed.uri()); // else the SDK joins the two paths
      signed.headers().forEach(sent::putHeader);
      return SignedRequest.builder()
          .request(sent.build())
          .payload(request.payload().orElse(null))
          .build();
    } catch (IOException e) {
      throw SdkClientException.create("not signed", e); // unwrapped again by the caller
    }
  }

  @Override
  public CompletableFuture<AsyncSignedRequest> signAsync(
      AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
    throw new UnsupportedOperationException("Only requests that are waited for are signed.");
  }
}
