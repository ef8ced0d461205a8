package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
  private static final MemorySegment MEMORY = Arena.global().allocate(256);

  private static long end(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MEMORY.fill((byte) '7');
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, MEMORY, 0, bytes.length);
    return MEMORY.address() + bytes.length;
  }

  private static long timestamp(String text, TimeUnit unit, boolean utc) {
    long to = end(text);
    return TimeText.timestamp(MEMORY.address(), to, unit, utc);
  }

  @Seeded(runs = 20)
  void everyTimeIsTheOneThatJavaWrites(Random random) {
    for (int i = 0; i < 1000; i++) {
      LocalDate date = LocalDate.ofEpochDay(random.nextInt() >> random.nextInt(20));
      long dateEnd = end(date.toString());
      assertThat(TimeText.date(MEMORY.address(), dateEnd))
          .as("%s", date)
          .isEqualTo(date.toEpochDay());
      LocalTime time = LocalTime.ofNanoOfDay(1000 * random.nextLong(86_400_000_000L));
      long timeEnd = end(time.toString());
      assertThat(TimeText.time(MEMORY.address(), timeEnd, TimeUnit.MICROS))
          .as("%s", time)
          .isEqualTo(time.toNanoOfDay() / 1000);
      LocalDateTime both = LocalDate.ofEpochDay(random.nextInt(200_000) - 100_000).atTime(time);
      long micros = ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), both);
      assertThat(timestamp(both.toString(), TimeUnit.MICROS, false)).isEqualTo(micros);
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2000) - 1000));
      OffsetDateTime moment = both.atOffset(offset);
      assertThat(timestamp(moment.toString().replace('T', ' '), TimeUnit.MICROS, true))
          .as("%s", moment)
          .isEqualTo(micros - 1_000_000L * offset.getTotalSeconds());
    }
  }

  @Test
  void nanosecondsReachAsFarAsTheyCanBeCounted() {
    String[] ends = {"1677-09-21T00:12:43.145224193", "2262-04-11T23:47:16.854775807"};
    String[] same = {"1677-09-20T23:12:43.145224193-01:00", "2262-04-12T00:47:16.854775807+01:00"};
    String[] beyond = {"1677-09-21T00:12:43.145224191", "2262-04-11T23:47:16.854775808"};
    for (int i = 0; i < 2; i++) {
      long end = i == 0 ? Long.MIN_VALUE + 1 : Long.MAX_VALUE;
      assertThat(timestamp(ends[i], TimeUnit.NANOS, false)).isEqualTo(end);
      assertThat(timestamp(same[i], TimeUnit.NANOS, true)).isEqualTo(end);
      assertThat(timestamp(beyond[i], TimeUnit.NANOS, false)).isEqualTo(TimeText.NONE);
    }
    assertThat(timestamp("1677-09-21T23:59", TimeUnit.NANOS, false))
        .isEqualTo(-9_223_286_460L * 1_000_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2001-02-29",
        "2001-13-01",
        "2001-00-01",
        "2001-01-00",
        "2001-1-01",
        "2001/01/01",
        "2001-01-01x10:00",
        "2001-01-01T",
        "2001-01-01T24:00",
        "2001-01-01T10:60",
        "2001-01-01T10:00:00.",
        "2001-01-01T10:00:00.1234567",
        "2001-01-01T10:00Z",
        "+2001-01",
        "+99999999999-01-01",
        "+292279-01-01T00:00x",
      })
  void otherTextIsNoLocalTimestamp(String text) {
    assertThat(timestamp(text, TimeUnit.MICROS, false)).isEqualTo(TimeText.NONE);
  }
}
