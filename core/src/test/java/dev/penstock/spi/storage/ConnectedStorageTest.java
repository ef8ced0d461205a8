package dev.penstock.spi.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectedStorageTest {
  private static final int CONCURRENCY = 2;
  private static final int AT_ONCE = 8 * CONCURRENCY;

  /// A store that answers nobody before as many have asked as may at once.
  private static final class Counting implements RemoteRequests {
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch full = new CountDownLatch(AT_ONCE);

    private void enter() throws IOException {
      most.accumulateAndGet(now.incrementAndGet(), Math::max);
      full.countDown();
      try {
        full.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public Optional<FileEntry> stat(Location location) throws IOException {
      enter();
      now.decrementAndGet();
      return Optional.of(new FileEntry(location, 1, false, "1"));
    }

    @Override
    public FilePage list(Location folder, String from, int most) {
      return FilePage.last(List.of());
    }

    @Override
    public RangeBody open(FileEntry file, long offset, long length) throws IOException {
      enter();
      return new RangeBody() {
        @Override
        public ServedRange served() {
          return new ServedRange(offset, length, 1);
        }

        @Override
        public int read(ByteBuffer target) {
          target.put((byte) 7);
          return 1;
        }

        @Override
        public void close() {
          now.decrementAndGet();
        }
      };
    }
  }

  private record Store(RemoteRequests requests) implements RemoteStorage {
    @Override
    public List<String> schemes() {
      return List.of("counting");
    }

    @Override
    public Set<String> ownOptionKeys() {
      return Set.of();
    }

    @Override
    public RemoteRequests requests(StorageOptions options) {
      return requests;
    }
  }

  /// A store that counts its clients.
  private static final class Clients implements RemoteStorage {
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public List<String> schemes() {
      return List.of("counting");
    }

    @Override
    public Set<String> ownOptionKeys() {
      return Set.of("number");
    }

    @Override
    public RemoteRequests requests(StorageOptions options) {
      made.incrementAndGet();
      return new Client(closed);
    }

    /// Waits until `count` clients are open. They are closed in the background, so it may take a
    /// moment.
    private void awaitOpen(int count) {
      while (made.get() - closed.get() > count) {
        Thread.onSpinWait();
      }
      assertThat(made.get() - closed.get()).isEqualTo(count);
    }

    private Storage withToken(int number) {
      return with(StorageOptions.NONE.with("bearer-token", "token" + number));
    }
  }

  private static final class Client implements RemoteRequests {
    private final AtomicInteger closed;
    private volatile boolean isClosed;

    private Client(AtomicInteger closed) {
      this.closed = closed;
    }

    @Override
    public Optional<FileEntry> stat(Location location) {
      assertThat(isClosed).isFalse();
      return Optional.of(new FileEntry(location, 1, false, "1"));
    }

    @Override
    public FilePage list(Location folder, String from, int most) {
      return FilePage.last(List.of());
    }

    @Override
    public RangeBody open(FileEntry file, long offset, long length) {
      return new RangeBody() {
        @Override
        public ServedRange served() {
          return new ServedRange(offset, length, 1);
        }

        @Override
        public int read(ByteBuffer target) {
          assertThat(isClosed).isFalse();
          target.put((byte) 7);
          return 1;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void close() {
      assertThat(isClosed).isFalse();
      isClosed = true;
      if (closed.incrementAndGet() == 1) {
        throw new IllegalStateException("A client that fails at its end harms no request.");
      }
    }
  }

  @Test
  void clientsThatWereNotUsedForLongestAreClosed() throws IOException {
    Clients clients = new Clients();
    List<Storage> stores = IntStream.range(0, 300).mapToObj(clients::withToken).toList();
    clients.awaitOpen(StoreClient.IDLE_MAX);
    for (int round = 0; round < 2; round++) {
      for (Storage store : stores.subList(0, StoreClient.IDLE_MAX)) {
        assertThat(readByte(store, "counting://files/a")).isEqualTo((byte) 7);
        assertThat(store.stat(new Location("counting://files/a"))).isPresent();
      }
      clients.awaitOpen(StoreClient.IDLE_MAX);
    }
    assertThat(clients.made).hasValue(300 + StoreClient.IDLE_MAX);
  }

  @Test
  void clientsThatStayIdleAreClosed() throws IOException {
    Clients clients = new Clients();
    Storage store = clients.withToken(1);
    StoreClient.closeIdleFor(Duration.ofDays(1));
    clients.awaitOpen(1);
    StoreClient.closeIdleFor(Duration.ZERO);
    clients.awaitOpen(0);
    assertThat(store.stat(new Location("counting://files/a"))).isPresent();
    clients.awaitOpen(1);
  }

  @Test
  void clientsMadeAtTheSameTimeBecomeOne() throws Exception {
    Clients clients = new Clients();
    CountDownLatch both = new CountDownLatch(2);
    StoreClient client =
        new StoreClient(() -> {
          both.countDown();
          try {
            both.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return clients.requests(StorageOptions.NONE);
        });
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RemoteRequests> first = executor.submit(client::take);
      Future<RemoteRequests> second = executor.submit(client::take);
      assertThat(first.get()).isSameAs(second.get());
    }
    assertThat(clients.made).hasValue(2);
    clients.awaitOpen(1);
  }

  @Test
  void clientIsNotClosedWhileABodyIsOpen() throws IOException {
    Clients clients = new Clients();
    StoreClient client = new StoreClient(() -> clients.requests(StorageOptions.NONE));
    RequestGate gate = new RequestGate(1, client);
    Location location = new Location("counting://files/a");
    RangeBody body = gate.open(new FileEntry(location, 1, false, "1"), 0, 1);
    IntStream.range(0, 300).forEach(clients::withToken);
    assertThat(body.read(ByteBuffer.allocate(1))).isEqualTo(1);
    clients.awaitOpen(StoreClient.IDLE_MAX + 1);
    body.close();
    clients.awaitOpen(StoreClient.IDLE_MAX);
    gate.call(requests -> requests.stat(location));
    assertThat(clients.made).hasValue(301);
    IntStream.range(300, 600).forEach(clients::withToken);
    gate.call(requests -> requests.stat(location));
    assertThat(clients.made).hasValue(602);
  }

  @Test
  void requestsAtOnceAreBoundedUntilTheirBodiesAreClosed() throws Exception {
    Counting counting = new Counting();
    Storage store =
        new Store(counting)
            .with(StorageOptions.NONE.with("concurrency", String.valueOf(CONCURRENCY)));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Byte>> reads =
          IntStream.range(0, 5 * AT_ONCE)
              .mapToObj(i -> executor.submit(() -> readByte(store, "counting://files/" + i)))
              .toList();
      for (Future<Byte> read : reads) {
        assertThat(read.get()).isEqualTo((byte) 7);
      }
    }
    assertThat(counting.most).hasValue(AT_ONCE);
    assertThat(counting.now).hasValue(0);
  }

  private static byte readByte(Storage store, String location) throws IOException {
    try (Arena arena = Arena.ofConfined();
        StorageFile file = store.open(new Location(location))) {
      MemorySegment target = arena.allocate(1);
      file.read(0, target);
      return target.get(ValueLayout.JAVA_BYTE, 0);
    }
  }
}
