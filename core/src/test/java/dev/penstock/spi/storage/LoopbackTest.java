package dev.penstock.spi.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "127.0.0.0", "127.255.249.199", "::1", "[::1]"})
  void thisMachineIsKnownByItsAddresses(String host) {
    assertThat(Loopback.isHost(host)).isTrue();
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "127.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1\n",
        "localhost.evil.example",
        "localhost.",
        "evil.localhost",
        "LOCALHOST",
        "127.1",
        "127.0.0.256",
        "127.0.0.01",
        "127.0.0.1.",
        "127.0.0.\u0661",
        "128.0.0.1",
        "2130706433",
        "[::1",
        "::1]",
        "::2",
        "::ffff:192.0.2.1"
      })
  void otherHostsAreNot(String host) {
    assertThat(Loopback.isHost(host)).isFalse();
  }
}
