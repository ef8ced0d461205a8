package dev.penstock.serve;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a frame is. A client sends upper-case kinds, the server lower-case ones.
enum FrameKind {
  /// The first frame: JSON with the protocol's version and the token.
  HELLO('H'),
  /// JSON that says what to read and how to deliver it.
  OPEN('O'),
  /// JSON that starts an epoch, and ends the one before.
  BEGIN('B'),
  /// Credits for more batches, and batches that are not needed any more.
  MORE('M'),
  /// JSON with a question about the loader.
  ASK('A'),
  /// JSON with a question about the rows of steps, or with steps and rows to leave out.
  STEPS('T'),
  /// JSON that says what to score, by the client as the model.
  SCORE('S'),
  /// What the client's model made of a batch.
  OUTPUTS('R'),
  /// JSON that accepts a hello.
  WELCOME('h'),
  /// JSON that says that the loader is open.
  OPENED('o'),
  /// JSON with the columns of an epoch's batches; before its first batch.
  COLUMNS('c'),
  /// JSON with the digest of the rows of the batch that follows, where digests are asked for.
  DIGEST('d'),
  /// A batch.
  BATCH('b'),
  /// JSON with the state at the end of an epoch.
  END('e'),
  /// JSON with an error.
  ERROR('x'),
  /// JSON that answers a question, or says what was scored.
  ANSWER('a'),
  /// JSON that says how far scoring is.
  PROGRESS('p');

  /// The longest question: it may name a column.
  private static final int QUESTION_MAX = 64 << 10;

  private static final int MORE_MAX = 1 << 20;

  /// Found without an allocation, as the heap may be short.
  private static final Map<Byte, Optional<FrameKind>> BY_CODE =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(FrameKind::code, Optional::of));

  private final byte code;

  FrameKind(char code) {
    this.code = (byte) code;
  }

  /// Returns how long a frame of this kind may be.
  int longest() {
    return switch (this) {
      case HELLO -> Frames.HELLO_MAX;
      case ASK -> QUESTION_MAX;
      case MORE -> MORE_MAX;
      case OPEN,
          BEGIN,
          STEPS,
          SCORE,
          OUTPUTS,
          WELCOME,
          OPENED,
          COLUMNS,
          DIGEST,
          BATCH,
          END,
          ERROR,
          ANSWER,
          PROGRESS ->
          Frames.LENGTH_MAX;
    };
  }

  byte code() {
    return code;
  }

  static Optional<FrameKind> of(byte code) {
    return BY_CODE.getOrDefault(code, Optional.empty());
  }
}
