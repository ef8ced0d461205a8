package dev.penstock.spi.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.storage.Location;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StorageOptionsTest {
  @Test
  void onlyHarmlessValuesAreShown() {
    StorageOptions options =
        StorageOptions.NONE
            .with("endpoint", "http://127.0.0.1:9000")
            .with("secret-access-key", "wJalrXUtnFEMI")
            .with("anything-else", "hush-hush")
            .with("proxy", "http://me:pass@proxy:3128");
    assertThat(options)
        .hasToString(
            "{anything-else=***, endpoint=http://127.0.0.1:9000, proxy=***, secret-access-key=***}");
    assertThat(options.hide("no: wJalrXUtnFEMI at http://me:pass@proxy:3128"))
        .isEqualTo("no: *** at ***");
    assertThatThrownBy(() -> options.number("secret-access-key", 0, 1))
        .hasMessageNotContaining("wJalr");
  }

  @Test
  void valuesAreParsedOrRefused() {
    StorageOptions options =
        StorageOptions.NONE.with("a", "1.5s").with("b", "2m").with("c", "true").with("d", "17");
    assertThat(options.duration("a")).contains(Duration.ofMillis(1500));
    assertThat(options.duration("b")).contains(Duration.ofMinutes(2));
    assertThat(options.isOn("c")).isTrue();
    assertThat(options.number("d", 0, 20)).hasValue(17);
    assertThat(options.number("e", 0, 20)).isEmpty();
    assertThatThrownBy(() -> options.number("d", 0, 16)).hasMessageContaining("in [0, 16]");
    StorageOptions wrong = options.with("deadline", "soon").with("path-style", "yes");
    assertThatThrownBy(() -> wrong.duration("deadline"))
        .hasMessage(
            "Cannot use storage option 'deadline': got 'soon' but expected a time such as '500ms',"
                + " '5s' or '2m'.");
    assertThatThrownBy(() -> wrong.isOn("path-style")).hasMessageContaining("got 'yes'");
    assertThatThrownBy(() -> options.with("Access Key", "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void valuesThatNoRequestCanCarryAreRefusedAndNotShown() {
    for (String key : List.of("bearer-token", "session-token", "password", "account-key")) {
      for (String end : List.of("\n", "\r\n", "\t", "\0", "\u007f", "\u0085")) {
        assertThatThrownBy(() -> StorageOptions.NONE.with(key, "hush" + end))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(
                "Cannot use storage option '" + key + "': its value holds a line")
            .hasMessageNotContaining("hush");
      }
    }
    for (String key : List.of("bearer-token", "query", "sas-token")) {
      for (String wrong : List.of("hush hush", "hush\u20ac", "h\u00fcsh")) {
        assertThatThrownBy(() -> StorageOptions.NONE.with(key, wrong))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(
                "Cannot use storage option '" + key + "': its value holds a space")
            .hasMessageNotContaining("hush");
      }
    }
    assertThat(StorageOptions.NONE.with("password", "my h\u00fcsh").get("password"))
        .contains("my h\u00fcsh");
  }

  @Test
  void optionsThatExcludeEachOtherAreNotSetTogether() {
    List<String> keys = List.of("sas-token", "anonymous", "account-key");
    StorageOptions none = StorageOptions.NONE.with("anonymous", "false").with("region", "x");
    assertThat(none.oneOf(keys)).isEmpty();
    assertThat(none.with("account-key", "hush").oneOf(keys)).contains("account-key");
    assertThat(none.with("anonymous", "true").oneOf(keys)).contains("anonymous");
    assertThatThrownBy(() -> none.with("anonymous", "true").with("account-key", "hush").oneOf(keys))
        .hasMessage(
            "Cannot use storage options 'anonymous' and 'account-key' together: set one of them.");
  }

  @Test
  void addressesAreWholeAndHoldNoUser() {
    StorageOptions good = StorageOptions.NONE.with("endpoint", "http://127.0.0.1:9000/a");
    assertThat(good.address("endpoint")).contains(URI.create("http://127.0.0.1:9000/a"));
    assertThat(good.address("proxy")).isEmpty();
    for (String wrong :
        List.of("somewhere", "host:9000", "http:///x", "http://a b", "http://a:99999", "")) {
      assertThatThrownBy(() -> good.with("proxy", wrong).address("proxy"))
          .hasMessage(
              "Cannot use storage option 'proxy': got '"
                  + wrong
                  + "' but expected an address such as 'http://host:9000'.");
    }
    assertThatThrownBy(() -> good.with("proxy", "http://me:hush@proxy:3128").address("proxy"))
        .hasMessageContaining("got '***'")
        .hasMessageContaining("user and password as 'proxy-username' and 'proxy-password'");
    assertThat(good.with("proxy-username", "me").with("proxy-password", "hush"))
        .hasToString("{endpoint=http://127.0.0.1:9000/a, proxy-password=***, proxy-username=***}");
  }

  @Test
  void someOptionsAreEqualWhereTheOthersDiffer() {
    StorageOptions one = StorageOptions.NONE.with("region", "x").with("query", "y");
    assertThat(one.only(Set.of("region"))).isEqualTo(StorageOptions.NONE.with("region", "x"));
    assertThat(one.keys()).containsExactlyInAnyOrder("region", "query");
  }

  @Test
  void signerStaysWithItsOptionsAndTellsThemApart() {
    RequestSigner signer = (_, uri, headers, _) -> new RequestSigner.Signed(uri, headers);
    StorageOptions signed = StorageOptions.NONE.withSigner(signer).with("region", "x");
    assertThat(signed.only(Set.of()).signer()).contains(signer);
    assertThat(signed)
        .isEqualTo(StorageOptions.NONE.with("region", "x").withSigner(signer))
        .isNotEqualTo(StorageOptions.NONE.with("region", "x"));
  }

  @Test
  void locationsHoldNoSecrets() {
    assertThatThrownBy(() -> new Location("https://me:hush@host/file.parquet"))
        .hasMessageContaining("https://...@host")
        .hasMessageNotContaining("hush");
    for (String url :
        List.of(
            "http://hush@host/a", "HTTPS://hush@host:1", "http://hush@host?a", "http://@host/")) {
      assertThatThrownBy(() -> new Location(url))
          .hasMessageContaining("a user in it: '")
          .hasMessageContaining("://...@host")
          .hasMessageContaining("'bearer-token'")
          .hasMessageNotContaining("hush");
    }
    assertThat(new Location("http://host/a@b:c").text()).isEqualTo("http://host/a@b:c");
    assertThatThrownBy(() -> new Location("https://host/file.parquet?sig=hush"))
        .hasMessageContaining("storage option 'query'")
        .hasMessageNotContaining("hush");
    assertThat(new Location("abfs://container@account.dfs.core.windows.net/a/b?.parquet").scheme())
        .isEqualTo("abfs");
    assertThat(new Location("s3://bucket/a?b").scheme()).isEqualTo("s3");
  }
}
