package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.serve.Connections.Limits;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private Connections connections = new Connections(new Limits(2, 2, LONG));

  /// A client that never says anything.
  private static final class Silent implements Server.Connection {
    final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public Frames open() {
      throw new IllegalStateException();
    }

    @Override
    public void close() {
      closed.countDown();
    }

    boolean isClosed() {
      return closed.getCount() == 0;
    }
  }

  private Silent entered() {
    Silent connection = new Silent();
    connections.enter(connection);
    return connection;
  }

  private Silent welcomed() throws IOException {
    Silent connection = entered();
    assertThat(connections.welcome(connection)).isTrue();
    return connection;
  }

  @AfterEach
  void close() {
    connections.close();
  }

  @Test
  void onlyStrangersAreDisconnectedWhenTheirTimeIsOver() throws Exception {
    connections.close();
    connections = new Connections(new Limits(2, 2, Duration.ofMillis(500)));
    Silent guest = welcomed();
    Silent stranger = entered(); // later, so its time is over last
    assertThat(stranger.closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(guest.isClosed()).isFalse();
    assertThatThrownBy(() -> connections.welcome(stranger))
        .isInstanceOf(IOException.class)
        .hasMessage("The client was disconnected before its hello was accepted.");
  }

  @Test
  void oldestStrangerGivesWayToAnotherAndGuestsDoNot() throws IOException {
    Silent guest = welcomed();
    Silent oldest = entered();
    Silent second = entered();
    assertThat(oldest.isClosed()).isFalse();
    Silent third = entered();
    assertThat(oldest.isClosed()).isTrue();
    assertThat(second.isClosed() || third.isClosed() || guest.isClosed()).isFalse();
    assertThat(connections.welcome(third)).isTrue();
  }

  @Test
  void strangersHoldASmallPartOfTheDescriptors() {
    assertThat(Limits.strangersOf(1 << 20)).isEqualTo(64);
    assertThat(Limits.strangersOf(400)).isEqualTo(25);
    assertThat(Limits.strangersOf(20)).isEqualTo(8);
  }

  @Test
  void guestsAreBounded() throws IOException {
    Silent first = welcomed();
    welcomed();
    Silent third = entered();
    assertThat(connections.welcome(third)).isFalse();
    connections.leave(first);
    assertThat(connections.welcome(third)).isTrue();
  }

  @Test
  void closingDisconnectsAllAndThoseThatComeLater() throws Exception {
    Silent guest = welcomed();
    Silent stranger = entered();
    connections.close();
    Silent late = entered();
    assertThat(guest.isClosed() && stranger.isClosed() && late.isClosed()).isTrue();
    connections.leave(guest);
    connections.leave(stranger);
    assertThat(connections.await(false, 0)).isFalse();
    connections.leave(late);
    assertThat(connections.await(false, 0)).isTrue();
  }
}
