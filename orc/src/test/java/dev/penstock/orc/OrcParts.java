package dev.penstock.orc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.orc.OrcProto;

/// A file of one stripe that is not compressed, taken apart, so that tests can make it lie and put
/// it together again.
final class OrcParts {
  final List<OrcProto.Stream.Builder> streams = new ArrayList<>();
  final List<byte[]> bytes = new ArrayList<>();
  final OrcProto.StripeFooter.Builder stripe;
  final OrcProto.Footer.Builder footer;
  private final OrcProto.PostScript postscript;

  OrcParts(byte[] file) throws IOException {
    int postscriptEnd = file.length - 1;
    int footerEnd = postscriptEnd - (file[postscriptEnd] & 0xff);
    postscript = OrcProto.PostScript.parseFrom(Arrays.copyOfRange(file, footerEnd, postscriptEnd));
    int footerStart = footerEnd - (int) postscript.getFooterLength();
    footer =
        OrcProto.Footer.parseFrom(Arrays.copyOfRange(file, footerStart, footerEnd)).toBuilder();
    OrcProto.StripeInformation place = footer.getStripes(0);
    int at = (int) place.getOffset();
    int end = at + (int) (place.getIndexLength() + place.getDataLength());
    stripe =
        OrcProto.StripeFooter.parseFrom(
            Arrays.copyOfRange(file, end, end + (int) place.getFooterLength()))
            .toBuilder();
    for (OrcProto.Stream stream : stripe.getStreamsList()) {
      streams.add(stream.toBuilder());
      bytes.add(Arrays.copyOfRange(file, at, at + (int) stream.getLength()));
      at += (int) stream.getLength();
    }
  }

  /// Returns the place of a stream among the others.
  int find(int column, OrcProto.Stream.Kind kind) {
    for (int i = 0; i < streams.size(); i++) {
      if (streams.get(i).getColumn() == column && streams.get(i).getKind() == kind) {
        return i;
      }
    }
    throw new AssertionError("No " + kind + " of column " + column);
  }

  byte[] put() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write("ORC".getBytes(StandardCharsets.US_ASCII));
    stripe.clearStreams();
    long index = 0;
    long data = 0;
    for (int i = 0; i < streams.size(); i++) {
      stripe.addStreams(streams.get(i).setLength(bytes.get(i).length));
      out.write(bytes.get(i));
      boolean isIndex = streams.get(i).getKind() == OrcProto.Stream.Kind.ROW_INDEX;
      index += isIndex ? bytes.get(i).length : 0;
      data += isIndex ? 0 : bytes.get(i).length;
    }
    byte[] stripeFooter = stripe.build().toByteArray();
    out.write(stripeFooter);
    footer.setStripes(
        0,
        footer.getStripes(0).toBuilder()
            .setOffset(3)
            .setIndexLength(index)
            .setDataLength(data)
            .setFooterLength(stripeFooter.length)
            .setNumberOfRows(footer.getNumberOfRows()));
    byte[] foot = footer.build().toByteArray();
    out.write(foot);
    byte[] post =
        postscript.toBuilder()
            .setFooterLength(foot.length)
            .setMetadataLength(0)
            .build()
            .toByteArray();
    out.write(post);
    out.write(post.length);
    return out.toByteArray();
  }
}
