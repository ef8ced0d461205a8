package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.serve.Visits.Limits;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VisitsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private Visits visits = new Visits(new Limits(2, 2, LONG));

  /// A client that never says anything.
  private static final class Silent implements Server.Visit {
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
    Silent visit = new Silent();
    visits.enter(visit);
    return visit;
  }

  private Silent welcomed() throws IOException {
    Silent visit = entered();
    assertThat(visits.welcome(visit)).isTrue();
    return visit;
  }

  @AfterEach
  void close() {
    visits.close();
  }

  @Test
  void onlyStrangersAreDisconnectedWhenTheirTimeIsOver() throws Exception {
    visits.close();
    visits = new Visits(new Limits(2, 2, Duration.ofMillis(500)));
    Silent guest = welcomed();
    Silent stranger = entered(); // later, so its time is over last
    assertThat(stranger.closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(guest.isClosed()).isFalse();
    assertThatThrownBy(() -> visits.welcome(stranger))
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
    assertThat(visits.welcome(third)).isTrue();
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
    assertThat(visits.welcome(third)).isFalse();
    visits.leave(first);
    assertThat(visits.welcome(third)).isTrue();
  }

  @Test
  void closingDisconnectsAllAndThoseThatComeLater() throws Exception {
    Silent guest = welcomed();
    Silent stranger = entered();
    visits.close();
    Silent late = entered();
    assertThat(guest.isClosed() && stranger.isClosed() && late.isClosed()).isTrue();
    visits.leave(guest);
    visits.leave(stranger);
    assertThat(visits.await(false, 0)).isFalse();
    visits.leave(late);
    assertThat(visits.await(false, 0)).isTrue();
  }
}
