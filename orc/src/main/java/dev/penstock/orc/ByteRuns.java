package dev.penstock.orc;

import java.io.IOException;
import java.util.Arrays;

/// Bytes in runs, as the ORC specification has them in "Byte Run Length Encoding": a byte of 0 to
/// 127 and the value of so many and three bytes; or one of -1 to -128 and so many bytes.
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
