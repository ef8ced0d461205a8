package dev.penstock.orc;

import java.io.IOException;
import java.util.Arrays;

/// Reads bytes in runs (ORC specification, "Byte Run Length Encoding"). A byte `n` in `[0, 127]` is
/// followed by one value, repeated `n + 3` times; a byte `-n` in `[-128, -1]` by `n` single bytes.
final class ByteRuns {
  private static final int REPEATED_MIN = 3;

  private final StoredStream in;
  private int left; // of the run
  private boolean repeats;
  private byte value;

  ByteRuns(StoredStream in) {
    this.in = in;
  }

  void open(StripeStreams.Place place) {
    in.open(place);
    left = 0;
  }

  void seek(Positions positions) throws IOException {
    in.seek(positions);
    left = 0;
    skip(positions.next());
  }

  void read(byte[] to, int count) throws IOException {
    for (int done = 0; done < count; ) {
      if (left == 0) {
        begin();
      }
      int some = Math.min(left, count - done);
      if (repeats) {
        Arrays.fill(to, done, done + some, value);
      } else {
        in.read(to, done, some);
      }
      left -= some;
      done += some;
    }
  }

  void skip(long count) throws IOException {
    for (long done = 0; done < count; ) {
      if (left == 0) {
        begin();
      }
      int some = (int) Math.min(left, count - done);
      if (!repeats) {
        in.skip(some);
      }
      left -= some;
      done += some;
    }
  }

  private void begin() throws IOException {
    int header = (byte) in.next();
    repeats = header >= 0;
    if (repeats) {
      value = (byte) in.next();
    }
    left = repeats ? header + REPEATED_MIN : -header;
  }
}
