package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The ids are those of Python's `tokenizers`, for every kind of model.
class SameIdsAsPythonTest {
  static final List<String> NAMES = Recorded.NAMES;

  /// Lines before the digests of single documents.
  private static final int HEAD = 5;

  private static final int CUT = 24;

  @ParameterizedTest
  @FieldSource("NAMES")
  void everyDocumentHasTheIdsOfPython(String name) {
    List<String> digests = Recorded.digests(name);
    List<int[]> ids = ids(Tokenize.of("text", Recorded.tokenizer(name)).into("ids"));
    assertThat(ids).hasSize(digests.size() - HEAD).hasSize(2000);
    for (int i = 0; i < ids.size(); i++) {
      CRC32 crc = new CRC32();
      crc.update(bytes(ids.get(i)));
      assertThat("%08x".formatted(crc.getValue()))
          .as("document %s: %s", i, ids.get(i))
          .isEqualTo(digests.get(HEAD + i));
    }
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void pairsCutsAndTextsWithoutSpecialTokensHaveTheIdsOfPython(String name)
      throws NoSuchAlgorithmException {
    Tokenize tokenize = Tokenize.of("text", Recorded.tokenizer(name)).into("ids");
    assertThat(
            Stream.of(
                    "pairs " + digest(ids(tokenize.pair("second"))),
                    "without " + digest(ids(tokenize.specialTokens(false))),
                    "cut " + digest(ids(tokenize.truncate(CUT))),
                    "cut-pairs " + digest(ids(tokenize.pair("second").truncate(CUT))))
                .toList())
        .isEqualTo(Recorded.digests(name).subList(1, HEAD));
  }

  private static List<int[]> ids(Tokenize tokenize) {
    return Ids.of(Recorded.DOCUMENTS, tokenize, "ids", 2);
  }

  private static byte[] bytes(int... ids) {
    ByteBuffer bytes = ByteBuffer.allocate(ids.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(ids);
    return bytes.array();
  }

  /// Returns that of the ids of each document, with how many there are before them.
  private static String digest(List<int[]> all) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (int[] ids : all) {
      digest.update(bytes(ids.length));
      digest.update(bytes(ids));
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
