package dev.penstock.spi.storage;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The pages of a store's list, one after another. An endless list is an error: one that returns to
/// an earlier page, or whose pages stay empty until the deadline.
///
/// **Threads.** One at a time.
final class FilePages {
  private final String what;
  private final Request request;
  private final Duration deadline;
  private final Pace pace;
  private final Set<String> seen = new HashSet<>();
  private Optional<String> from = Optional.of("");
  private long emptySince;

  /// Asks for one page.
  @FunctionalInterface
  interface Request {
    FilePage page(String from) throws IOException;
  }

  /// Starts a listing.
  ///
  /// @param what the purpose, for example `list 's3://bucket/a/'`
  /// @param request asks for a page
  /// @param deadline how long pages may be empty
  /// @param pace the time
  FilePages(String what, Request request, Duration deadline, Pace pace) {
    this.what = what;
    this.request = request;
    this.deadline = deadline;
    this.pace = pace;
    this.emptySince = pace.nanos();
  }

  boolean hasNext() {
    return from.isPresent();
  }

  /// Asks for the next page, which may be empty without being the last.
  ///
  /// @throws StorageException if the list would never end
  FilePage next() throws IOException {
    String place = from.orElseThrow();
    if (!seen.add(place)) {
      throw endless(Advice.text("leads back to where it was, so it would never end."));
    }
    FilePage page = request.page(place);
    from = page.next();
    if (!page.files().isEmpty()) {
      emptySince = pace.nanos();
    } else if (from.isPresent() && pace.nanos() - emptySince > deadline.toNanos()) {
      throw endless(
          Advice.of(
              "had nothing but empty pages for %s s; raise %s if the store needs longer.",
              deadline.toSeconds(), Remedy.storageOption("deadline")));
    }
    return page;
  }

  private StorageException endless(Advice why) {
    return new StorageException(
        StorageException.Kind.REFUSED,
        Advice.of(
            "Cannot %s: the store's list %s Name the files, or ask who runs the store.", what, why),
        null);
  }
}
