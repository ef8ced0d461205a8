package dev.penstock.spi.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.StillPace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FilePagesTest {
  private static final Location FILE = new Location("store://bucket/a/x");

  private final StillPace pace = new StillPace();
  private final AtomicInteger asked = new AtomicInteger();

  private FilePages pages(FilePages.Request request) {
    return new FilePages(
        "list 'store://bucket/a'",
        from -> {
          asked.incrementAndGet();
          pace.sleep(Duration.ofSeconds(1).toNanos());
          return request.page(from);
        },
        Duration.ofSeconds(10),
        pace);
  }

  private static FilePage page(int files, String next) {
    return new FilePage(
        files == 0 ? List.of() : List.of(new FileEntry(FILE, 1, false)), Optional.of(next));
  }

  private static void goThrough(FilePages pages) throws IOException {
    while (pages.hasNext()) {
      pages.next();
    }
  }

  @Test
  void listThatLeadsBackIsAnError() {
    FilePages pages = pages(from -> page(1, from.equals("a") ? "b" : "a"));
    assertThatThrownBy(() -> goThrough(pages))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith(
            "Cannot list 'store://bucket/a': the store's list leads back to where it was");
    assertThat(asked).hasValue(3);
  }

  @Test
  void pagesThatStayEmptyBeyondTheDeadlineAreAnError() {
    FilePages pages = pages(from -> page(0, from + "x"));
    assertThatThrownBy(() -> goThrough(pages))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("the store's list had nothing but empty pages for 10 s; raise");
    assertThat(asked).hasValue(11);
  }

  @Test
  void longListWithEmptyPagesBetweenEnds() throws IOException {
    FilePages pages =
        pages(from ->
            from.length() == 100 ? FilePage.last(List.of()) : page(from.length() % 2, from + "x"));
    goThrough(pages);
    assertThat(asked).hasValue(101);
  }
}
