package dev.penstock.cli;

import dev.penstock.LoaderState;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// The contents of a `--save-state` file: a loader's state, and what `load` knows about the epoch
/// in which it was stopped.
///
/// The file is the state's JSON, with an extra field `load` at its end for the latter.
///
/// @param state where to continue
/// @param begun the rows before it, of the same epoch and rank, as far as known
record SavedState(LoaderState state, Optional<BegunEpoch> begun) {
  /// Enough for the joint states of about ten thousand ranks.
  private static final int BYTES_MAX = 1 << 20;

  /// The number of symbolic links that Linux follows.
  private static final int LINKS_MAX = 40;

  private static final String LOAD = "load";

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// Reads a file.
  ///
  /// @throws IllegalArgumentException if it is not a state
  /// @throws UncheckedIOException if it cannot be read
  static SavedState read(Path file) {
    String text = text(file);
    StringWriter rest = new StringWriter();
    Optional<BegunEpoch> begun = copy(text, rest);
    try {
      return new SavedState(LoaderState.parse(begun.isPresent() ? rest.toString() : text), begun);
    } catch (IllegalArgumentException fault) {
      throw new IllegalArgumentException(
          "Cannot resume from '"
              + file
              + "': it is no state of Penstock, or a damaged one. Give a file that --save-state"
              + " wrote. ["
              + fault.getMessage()
              + "]",
          fault);
    }
  }

  /// Reads the file of one rank, or joins those of all ranks.
  ///
  /// @param files at least one
  /// @throws IllegalArgumentException if one is not a state, or they do not belong together
  /// @throws UncheckedIOException if one cannot be read
  static SavedState read(List<Path> files) {
    if (files.size() == 1) {
      return read(files.getFirst());
    }
    List<LoaderState> states = files.stream().map(SavedState::read).map(SavedState::state).toList();
    return new SavedState(LoaderState.merge(states), Optional.empty());
  }

  /// Copies a state without the field `load`.
  ///
  /// @param rest receives the copy
  /// @return the field; empty if there is none, or the text is one that [LoaderState] refuses
  private static Optional<BegunEpoch> copy(String text, StringWriter rest) {
    try (JsonParser from = JSON.createParser(ObjectReadContext.empty(), text);
        JsonGenerator to = JSON.createGenerator(ObjectWriteContext.empty(), rest)) {
      Optional<BegunEpoch> begun = copy(from, to);
      return from.nextToken() == null ? begun : Optional.empty();
    } catch (JacksonException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<BegunEpoch> copy(JsonParser from, JsonGenerator to) {
    Optional<BegunEpoch> begun = Optional.empty();
    from.nextToken();
    to.writeStartObject();
    while (from.nextToken() == JsonToken.PROPERTY_NAME) {
      if (from.currentName().equals(LOAD)) {
        begun = Optional.of(BegunEpoch.read(from));
      } else {
        to.copyCurrentStructureExact(from);
      }
    }
    return begun;
  }

  private static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1); // a pipe or device has no size
      if (bytes.length > BYTES_MAX) {
        throw new IllegalArgumentException(
            "Cannot resume from '"
                + file
                + "': it has more than "
                + BYTES_MAX
                + " bytes, too many for a state. Give a file that --save-state wrote.");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new UncheckedIOException("Cannot resume from '" + file + "': no such file.", e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot resume from '" + file + "': " + reason(e), e);
    }
  }

  /// Writes a file atomically: readers find the old state or the new one, even if this process is
  /// killed.
  ///
  /// @throws UncheckedIOException if it cannot be written
  void write(Path file) {
    Path target = target(file);
    StringWriter text = new StringWriter();
    try (JsonParser from = JSON.createParser(ObjectReadContext.empty(), state.toJson());
        JsonGenerator to = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      copy(from, to);
      begun.ifPresent(each -> each.write(to.writeName(LOAD)));
      to.writeEndObject().writeRaw('\n');
    }
    Path draft = target.resolveSibling(target.getFileName() + ".tmp");
    try {
      Files.deleteIfExists(draft); // left by a run that was killed
      try (FileChannel channel =
          FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true); // before it replaces the old file: the machine may crash
      }
      Files.move(
          draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot save the state to '" + file + "': " + reason(e), e);
    }
  }

  /// Returns the file to write: the target of links, so that the links stay.
  ///
  /// @throws UncheckedIOException if no file can be created there, or something other than a file
  ///   exists
  static Path target(Path file) {
    Path target = file.toAbsolutePath();
    try {
      for (int links = 0; Files.isSymbolicLink(target) && links < LINKS_MAX; links++) {
        target = target.resolveSibling(Files.readSymbolicLink(target));
      }
    } catch (IOException e) {
      throw refusal(file, reason(e));
    }
    if (Files.isDirectory(file)) {
      throw refusal(file, "it is a folder.");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw refusal(file, "it is a pipe or a device, not a file. Name a file.");
    }
    if (Files.isSymbolicLink(target)) {
      throw refusal(file, "its links lead in a circle.");
    }
    if (target.getParent() == null || !Files.isDirectory(target.getParent())) {
      throw refusal(file, "there is no such folder.");
    }
    return target;
  }

  private static UncheckedIOException refusal(Path file, String why) {
    String sentence = "Cannot save the state to '" + file + "': " + why;
    return new UncheckedIOException(sentence, new IOException(sentence));
  }

  private static String reason(IOException fault) {
    return fault.getClass().getSimpleName().replace("Exception", "")
        + " ("
        + fault.getMessage()
        + ").";
  }
}
