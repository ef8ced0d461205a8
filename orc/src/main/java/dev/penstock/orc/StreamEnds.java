package dev.penstock.orc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.BufferChunkList;
import org.apache.orc.impl.StreamName;

/// Makes reading beyond the end of a stream an error.
///
/// ORC's number decoders sum up the return values of reads until they have enough bytes, including
/// the -1 at the end of a stream: on a damaged file they count down for minutes. So ORC sees each
/// stream one byte longer than it is, and a read of that missing byte fails at once.
///
/// Streams that ORC may read to their end stay unchanged.
final class StreamEnds {
  /// An upper bound for the bytes added to all streams of a stripe.
  static final long ROOM_BYTES = 1L << 32;

  private final OrcProto.StripeFooter footer;
  private final long[] shown; // where streams start for ORC, and where the last one ends
  private final long[] starts; // where they start in the file
  private final long[] ends; // where they end in the file
  private int places; // how many streams have bytes

  StreamEnds(long start, OrcProto.StripeFooter stored) {
    int count =
        stored.getStreamsCount()
            + stored.getEncryptionList().stream()
                .mapToInt(OrcProto.StripeEncryptionVariant::getStreamsCount)
                .sum();
    this.shown = new long[count + 1];
    this.starts = new long[count];
    this.ends = new long[count];
    shown[0] = start;
    OrcProto.StripeFooter.Builder padded = stored.toBuilder();
    for (StreamName.Area area :
        new StreamName.Area[] {StreamName.Area.INDEX, StreamName.Area.DATA}) {
      for (int i = 0; i < stored.getStreamsCount(); i++) {
        OrcProto.Stream stream = stored.getStreams(i);
        if (isIn(area, stream)) {
          long length = stream.getLength() + (isReadToItsEnd(stream) ? 0 : 1);
          padded.setStreams(i, stream.toBuilder().setLength(length));
          add(stream.getLength(), length);
        }
      }
      for (OrcProto.StripeEncryptionVariant variant : stored.getEncryptionList()) {
        for (OrcProto.Stream stream : variant.getStreamsList()) {
          if (isIn(area, stream)) {
            add(stream.getLength(), stream.getLength()); // never read: it is encrypted
          }
        }
      }
    }
    Arrays.fill(shown, places, shown.length, shown[places]);
    this.footer = padded.build();
  }

  /// Returns whether a stream lies in a part of the stripe. Encrypted streams lie after the others;
  /// placeholder streams without bytes stand for them.
  private static boolean isIn(StreamName.Area area, OrcProto.Stream stream) {
    OrcProto.Stream.Kind kind = stream.getKind();
    return StreamName.getArea(kind) == area
        && kind != OrcProto.Stream.Kind.ENCRYPTED_INDEX
        && kind != OrcProto.Stream.Kind.ENCRYPTED_DATA;
  }

  private void add(long length, long shownLength) {
    starts[places] = places == 0 ? shown[0] : ends[places - 1];
    ends[places] = starts[places] + length;
    shown[places + 1] = shown[places] + shownLength;
    places++;
  }

  private static boolean isReadToItsEnd(OrcProto.Stream stream) {
    return StreamName.getArea(stream.getKind()) == StreamName.Area.INDEX
        || stream.getKind() == OrcProto.Stream.Kind.DICTIONARY_DATA;
  }

  /// Returns the footer with one extra byte for each stream.
  OrcProto.StripeFooter footer() {
    return footer;
  }

  /// Returns the position in the file for a position that ORC sees.
  long inFile(long shownAt) {
    int stream = Arrays.binarySearch(shown, shownAt);
    if (stream >= 0) {
      while (stream > 0 && shown[stream - 1] == shownAt) {
        stream--;
      }
      return stream < places ? starts[stream] : ends[stream - 1];
    }
    stream = -stream - 2;
    return Math.min(ends[stream], starts[stream] + (shownAt - shown[stream]));
  }

  /// Returns a file footer whose stripes have room for longer streams.
  static OrcProto.Footer withRoom(OrcProto.Footer footer) {
    OrcProto.Footer.Builder roomy = footer.toBuilder();
    for (int i = 0; i < footer.getStripesCount(); i++) {
      OrcProto.StripeInformation stripe = footer.getStripes(i);
      roomy.setStripes(i, stripe.toBuilder().setDataLength(stripe.getDataLength() + ROOM_BYTES));
    }
    return roomy.build();
  }

  /// Returns the piece after the last bytes read; reading it fails.
  static BufferChunk behind(BufferChunkList range) {
    long end = 0;
    for (var chunk = range.get(); chunk != null; chunk = (BufferChunk) chunk.next) {
      end = chunk.getEnd();
    }
    return new BufferChunk(end, 1) {
      @Override
      public ByteBuffer getData() {
        throw new IllegalStateException("a stream is at its end but more of it is needed");
      }
    };
  }
}
