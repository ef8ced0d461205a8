package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Parts of a file, counted at the same time, give the groups that one pass over it gives.
class LineCountsTest {
  private static final int QUOTE = '"';

  /// Returns text in which much is between quotes, line breaks of all kinds among it.
  private static byte[] text(Random random, int length, String bytes) {
    StringBuilder text = new StringBuilder();
    boolean quoted = false;
    int calm = 1 + random.nextInt(200);
    while (text.length() < length) {
      if (random.nextInt(calm) == 0) {
        text.append(bytes.charAt(random.nextInt(bytes.length())));
      }
      text.append((char) ('a' + random.nextInt(4)));
      if (random.nextInt(30) == 0) {
        text.append(quoted ? "\"" : ",\"");
        quoted = !quoted;
      }
      if (random.nextInt(12) == 0) {
        text.append(quoted ? "\n" : ",x\n");
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static LineRecords scanner(int kind) {
    return switch (kind) {
      case 0 -> new LineRecords();
      case 1 -> new LineRecords(',', QUOTE, '\\', '#');
      default -> new LineRecords(',', QUOTE, -1, -1);
    };
  }

  private static Object count(
      StorageFile file, int kind, long groupBytes, Concurrency parts, LineCounts.Sizes sizes)
      throws IOException {
    TextForm form = TextForm.PLAIN;
    TextPlace start = new TextPlace(3, 3, 3);
    TextGroups.Cuts cuts = new TextGroups.Cuts(groupBytes, Long.MAX_VALUE, false);
    try {
      return TextGroups.count(file, form, start, scanner(kind), cuts, parts, sizes);
    } catch (MalformedFileException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Seeded(runs = 300)
  void partsGiveTheGroupsOfOnePass(Random random) throws IOException {
    int kind = random.nextInt(3);
    byte[] bytes = text(random, 10 + random.nextInt(30_000), "\n\r\n,\"\"\\#\n\r \t\n \n");
    StorageFile file = new BytesFile(bytes);
    int groupBytes = 1 + random.nextInt(9000);
    var sizes = new LineCounts.Sizes(1 + random.nextInt(300), 1 + random.nextInt(9));
    assertThat(count(file, kind, groupBytes, new VirtualThreads(), sizes))
        .isEqualTo(count(file, kind, groupBytes, Concurrency.NONE, sizes));
  }

  @Test
  void fileThatEndsBetweenQuotesIsRefusedWhereTheyWereOpened() {
    byte[] bytes =
        "a,b\n"
            .repeat(500)
            .concat("c,\"d\n")
            .concat("e,f\n".repeat(500))
            .getBytes(StandardCharsets.UTF_8);
    TextForm form = TextForm.PLAIN;
    assertThatThrownBy(() ->
            TextGroups.count(
                new BytesFile(bytes),
                form,
                form.start(),
                scanner(2),
                new TextGroups.Cuts(1000, Long.MAX_VALUE, false),
                new VirtualThreads(),
                new LineCounts.Sizes(64, 3)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "Truncated text: a quote is opened here but never closed."
                + " [memory://file, line 501, byte 2002]");
  }
}
