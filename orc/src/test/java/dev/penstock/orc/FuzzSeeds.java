package dev.penstock.orc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcProto;

/// Makes the good inputs that a fuzzer starts from.
final class FuzzSeeds {
  private static final String[] TYPES = {
    "int", "bigint", "smallint", "tinyint", "boolean", "date", "string", "binary", "float", "double"
  };
  private static final int[] KINDS = {0, 1, 2, 3, 4, 5, 7, 8, 9, 10};

  private FuzzSeeds() {}

  static byte[] of(FuzzTarget target, Path folder, Random random) throws IOException {
    int type = random.nextInt(TYPES.length);
    if (target == FuzzTarget.FILE) {
      return RandomOrc.write(folder, random, 1 + random.nextInt(60)).bytes();
    }
    String text = "struct<c:" + TYPES[type] + ">";
    int rows = 20 + random.nextInt(60);
    OrcParts parts =
        new OrcParts(
            RandomOrc.writeStripe(folder, random, rows, text, CompressionKind.NONE).bytes());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (target != FuzzTarget.COLUMN) {
      out.write(target == FuzzTarget.INTEGERS ? 3 : 0);
      out.write(parts.bytes.get(parts.find(1, OrcProto.Stream.Kind.DATA)));
      return out.toByteArray();
    }
    OrcProto.ColumnEncoding encoding = parts.stripe.getColumns(1);
    out.write(KINDS[type]);
    out.write(encoding.getKind().getNumber());
    out.write(rows);
    out.write(0);
    out.write(encoding.getDictionarySize());
    for (int i = 0; i < parts.streams.size(); i++) {
      int kind =
          switch (parts.streams.get(i).getKind()) {
            case PRESENT -> 0;
            case DATA -> 1;
            case LENGTH -> 2;
            case SECONDARY -> 3;
            case DICTIONARY_DATA -> 4;
            default -> -1;
          };
      if (kind >= 0 && parts.bytes.get(i).length < 256) {
        out.write(kind);
        out.write(parts.bytes.get(i).length);
        out.write(parts.bytes.get(i));
      }
    }
    return out.toByteArray();
  }
}
