package dev.penstock.spi.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.StillPace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RemoteFileTest {
  private static final long SECOND = 1_000_000_000;
  private static final Location PLACE = new Location("mock://bucket/part-0.parquet");

  private final StillPace pace = new StillPace();
  private final byte[] data = new byte[10_000];
  private final List<String> asked = new ArrayList<>();
  private long retries; // of the last read

  RemoteFileTest() {
    new Random(1).nextBytes(data);
  }

  /// What a connection does behind some bytes.
  private interface Fault {
    void happen() throws IOException;
  }

  /// Sends bytes in small steps, then lets something happen.
  private final class Body implements RangeBody {
    private final ServedRange served;
    private final long faultAt;
    private final Fault fault;
    private final int step;
    private long position;

    Body(ServedRange served, int step, long faultBehind, Fault fault) {
      this.served = served;
      this.position = served.offset();
      this.step = step;
      this.faultAt = position + faultBehind;
      this.fault = fault;
    }

    @Override
    public ServedRange served() {
      return served;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      if (position >= faultAt) {
        fault.happen();
      }
      long end =
          Math.min(
              faultAt > position ? faultAt : Long.MAX_VALUE, served.offset() + served.length());
      int count = (int) Math.min(Math.min(step, target.remaining()), end - position);
      if (count <= 0) {
        return -1;
      }
      target.put(data, (int) position, count);
      position += count;
      return count;
    }

    @Override
    public void close() {}
  }

  private Body good(long offset, long length) {
    return broken(offset, length, Long.MAX_VALUE / 2, () -> {});
  }

  private Body broken(long offset, long length, long behind, Fault fault) {
    return new Body(new ServedRange(offset, length, data.length), 1000, behind, fault);
  }

  private static RetryPolicy policy(int attempts, int deadlineSeconds) {
    return new RetryPolicy(
        attempts,
        Duration.ofSeconds(deadlineSeconds),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        500,
        Duration.ofSeconds(5));
  }

  private byte[] read(RetryPolicy policy, RangeSource source, long offset, int length)
      throws IOException {
    RangeSource noting =
        (from, count) -> {
          asked.add(from + "+" + count);
          return source.open(from, count);
        };
    RemoteFile file =
        new RemoteFile(
            new FileEntry(PLACE, data.length, false, "v1"),
            noting,
            new Retries(policy, pace),
            FetchAdvice.of(StorageOptions.NONE));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      file.read(offset, target);
      retries = file.retries();
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private byte[] expected(int offset, int length) {
    return Arrays.copyOfRange(data, offset, offset + length);
  }

  @Test
  void cutReadGoesOnFromWhereItBroke() throws IOException {
    RangeSource cutsEveryConnection =
        (offset, length) ->
            broken(
                offset,
                length,
                3000,
                () -> {
                  throw new SocketException("Connection reset");
                });
    assertThat(read(policy(2, 60), cutsEveryConnection, 100, 9000)).isEqualTo(expected(100, 9000));
    assertThat(asked).containsExactly("100+9000", "3100+6000", "6100+3000");
    assertThat(retries).isEqualTo(2);
  }

  /// What is skipped of a file that is sent whole grows with what was read before.
  @Test
  void cutReadOfWholeFilesGoesOnFromWhereItBroke() throws IOException {
    RangeSource cutsWholeFiles =
        (offset, _) ->
            broken(
                0,
                data.length,
                offset + 3000,
                () -> {
                  throw new SocketException("Connection reset");
                });
    assertThat(read(policy(2, 60), cutsWholeFiles, 100, 9000)).isEqualTo(expected(100, 9000));
    assertThat(asked).containsExactly("100+9000", "3100+6000", "6100+3000");
  }

  @Test
  void bodyThatEndsTooEarlyIsACut() throws IOException {
    RangeSource shortBody =
        new RangeSource() {
          private boolean first = true;

          @Override
          public RangeBody open(long offset, long length) {
            ServedRange stated = new ServedRange(offset, length, data.length);
            if (!first) {
              return good(offset, length);
            }
            first = false;
            Body some =
                new Body(
                    new ServedRange(offset, 1500, data.length), 1000, Long.MAX_VALUE / 2, () -> {});
            return new RangeBody() {
              @Override
              public ServedRange served() {
                return stated;
              }

              @Override
              public int read(ByteBuffer target) throws IOException {
                return some.read(target);
              }

              @Override
              public void close() {}
            };
          }
        };
    assertThat(read(policy(3, 60), shortBody, 0, 4000)).isEqualTo(expected(0, 4000));
    assertThat(asked).containsExactly("0+4000", "1500+2500");
  }

  @Seeded(runs = 200)
  void anyMixOfPassingFaultsGivesTheBytes(Random random) throws IOException {
    int[] inVain = {0};
    RangeSource source =
        (offset, length) -> {
          boolean fail = inVain[0] < 4 && random.nextInt(3) > 0;
          if (!fail) {
            inVain[0] = 0;
            return good(offset, length);
          }
          return switch (random.nextInt(5)) {
            case 0 -> {
              inVain[0]++;
              throw StorageException.ofStatus(503, "SlowDown", Optional.of("3"), null);
            }
            case 1 -> {
              inVain[0]++;
              throw StorageException.ofStatus(500, "", Optional.empty(), null);
            }
            case 2 -> {
              inVain[0]++;
              throw new UnknownHostException("bucket");
            }
            case 3 -> {
              inVain[0]++;
              yield good(offset + 1, length); // another range than asked for
            }
            default -> {
              long behind = 1L + random.nextInt(3000);
              inVain[0] = 0;
              yield broken(
                  offset,
                  length,
                  behind,
                  () -> {
                    throw new SocketTimeoutException("Read timed out");
                  });
            }
          };
        };
    int offset = random.nextInt(5000);
    int length = 1 + random.nextInt(data.length - offset);
    assertThat(read(policy(6, 100_000), source, offset, length))
        .isEqualTo(expected(offset, length));
  }

  @Test
  void attemptsInVainAreCountedAndTheErrorNamesAll() {
    RangeSource busy =
        (_, _) -> {
          throw StorageException.ofStatus(503, "SlowDown", Optional.empty(), null);
        };
    StorageException e =
        catchThrowableOfType(StorageException.class, () -> read(policy(4, 60), busy, 0, 10));
    assertThat(e)
        .hasMessage(
            "Cannot read bytes [0, 10) of 'mock://bucket/part-0.parquet' in 4 attempts: the store is"
                + " busy (503 SlowDown). Ask less at once: lower storage option 'concurrency'.")
        .hasCauseInstanceOf(StorageException.class);
    assertThat(e.kind()).isEqualTo(Kind.THROTTLED);
    // Waits double, each of them at its longest here.
    assertThat(pace.sleeps()).hasSize(3);
    assertThat(pace.sleeps().get(1)).isBetween(199_000_000L, 200_000_000L);
    assertThat(pace.sleeps().get(2)).isBetween(399_000_000L, 400_000_000L);
  }

  @Test
  void storeThatSaysWhenToComeBackIsObeyed() throws IOException {
    RangeSource busy =
        (offset, length) -> {
          if (asked.size() == 1) {
            throw StorageException.ofStatus(429, "", Optional.of("7"), null);
          }
          return good(offset, length);
        };
    assertThat(read(policy(4, 60), busy, 0, 10)).isEqualTo(expected(0, 10));
    assertThat(pace.sleeps()).containsExactly(7 * SECOND);
  }

  @Test
  void deadlineEndsAReadThatAlwaysBringsALittle() {
    RangeSource drips =
        (offset, length) ->
            broken(
                offset,
                length,
                1,
                () -> {
                  pace.pass(2 * SECOND);
                  throw new SocketException("Connection reset");
                });
    assertThatThrownBy(() -> read(policy(3, 20), drips, 0, 10_000))
        .hasMessageStartingWith(
            "Cannot read bytes [0, 10000) of 'mock://bucket/part-0.parquet' in 10 attempts: the"
                + " connection broke (Connection reset).")
        .hasMessageContaining("Its time of 20 s is over; raise storage option 'deadline'");
  }

  @Test
  void slowConnectionIsGivenUpForAnother() throws IOException {
    RangeSource slow =
        (offset, length) -> {
          if (asked.size() > 1) {
            return good(offset, length);
          }
          Body body = good(offset, length);
          return new RangeBody() {
            @Override
            public ServedRange served() {
              return body.served();
            }

            @Override
            public int read(ByteBuffer target) throws IOException {
              pace.pass(SECOND);
              return body.read(target.limit(100)); // 100 bytes a second, but 500 are the least
            }

            @Override
            public void close() {}
          };
        };
    assertThat(read(policy(3, 60), slow, 0, 10_000)).isEqualTo(expected(0, 10_000));
    assertThat(asked).containsExactly("0+10000", "500+9500");
  }

  @Test
  void answersThatStayAreErrorsAtOnceEachWithItsSentence() {
    int[] statuses = {401, 403, 404, 412, 416, 400};
    Kind[] kinds = {Kind.DENIED, Kind.DENIED, Kind.MISSING, Kind.CHANGED, Kind.RANGE, Kind.REFUSED};
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i < statuses.length; i++) {
      int status = statuses[i];
      asked.clear();
      RangeSource source =
          (_, _) -> {
            throw StorageException.ofStatus(status, "", Optional.empty(), null);
          };
      StorageException e =
          catchThrowableOfType(StorageException.class, () -> read(policy(5, 60), source, 5, 10));
      assertThat(e.kind()).isEqualTo(kinds[i]);
      assertThat(e)
          .hasMessageStartingWith("Cannot read bytes [5, 15) of 'mock://bucket/part-0.parquet': ");
      sentences.add(String.valueOf(e.getMessage()).replaceAll("[0-9]", ""));
      assertThat(asked).hasSize(1);
    }
    assertThat(sentences).doesNotHaveDuplicates();
  }

  @Test
  void smallFileOfAServerThatIgnoresRangesIsReadWhole() throws IOException {
    assertThat(read(policy(3, 60), (_, _) -> good(0, data.length), 5, 10))
        .isEqualTo(expected(5, 10));
    assertThat(asked).hasSize(1);
  }

  @Test
  void fileOfAnotherSizeIsAChangedFile() {
    RangeSource grown =
        (offset, length) ->
            new Body(new ServedRange(offset, length, data.length + 1), 1000, 1 << 20, () -> {});
    assertThatThrownBy(() -> read(policy(3, 60), grown, 5, 10))
        .hasMessageContaining("the file has 10001 bytes but had 10000");
  }

  @Test
  void readBeyondTheFileAsksNobody() {
    assertThatThrownBy(() -> read(policy(3, 60), this::good, 9_995, 10))
        .hasMessageContaining("[9995, 10005)")
        .hasMessageContaining("has 10000 bytes");
    assertThat(asked).isEmpty();
  }

  @Test
  void contentRangeIsParsedOrRefused() throws IOException {
    assertThat(ServedRange.of(206, Optional.of("bytes 5-14/100"), 10))
        .isEqualTo(new ServedRange(5, 10, 100));
    assertThat(ServedRange.of(206, Optional.of("bytes 5-14/*"), -1))
        .isEqualTo(new ServedRange(5, 10, -1));
    assertThat(ServedRange.of(200, Optional.empty(), 7)).isEqualTo(new ServedRange(0, 7, 7));
    for (String wrong :
        new String[] {
          "",
          "bytes 5-",
          "items 0-1/2",
          "bytes 5-14/99999999999999999999",
          "bytes 5-2/10",
          "bytes 5-14/10"
        }) {
      assertThatThrownBy(() -> ServedRange.of(206, Optional.of(wrong), 10))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("without saying which");
    }
  }
}
