package dev.penstock.internal.hub;

import dev.penstock.spi.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who asks: the token that the options, the environment or the file of `hf auth login` have, in
/// this order.
final class HubToken {
  private static final Logger LOG = LoggerFactory.getLogger(HubToken.class);

  /// A file that is longer has no token.
  private static final int BYTES_MAX = 4096;

  private HubToken() {}

  /// Finds the token.
  ///
  /// @param environment the value of a variable, or null
  static Optional<String> of(
      StorageOptions options, Function<String, @Nullable String> environment) {
    Optional<String> given = options.get("bearer-token");
    if (options.oneOf(List.of("bearer-token", "anonymous")).isPresent()) {
      return given;
    }
    Optional<String> variable = usable(environment.apply("HF_TOKEN"), "HF_TOKEN");
    return variable.isPresent() ? variable : file(environment).flatMap(HubToken::read);
  }

  private static Optional<Path> file(Function<String, @Nullable String> environment) {
    try {
      for (String[] way :
          new String[][] {
            {"HF_TOKEN_PATH", ""},
            {"HF_HOME", "token"},
            {"XDG_CACHE_HOME", "huggingface/token"},
            {"HOME", ".cache/huggingface/token"},
            {"USERPROFILE", ".cache/huggingface/token"}
          }) {
        String start = environment.apply(way[0]);
        if (start != null && !start.isBlank()) {
          return Optional.of(Path.of(start).resolve(way[1]));
        }
      }
    } catch (InvalidPathException e) {
      LOG.debug("No path of a token file: {}", e.getReason());
    }
    return Optional.empty();
  }

  private static Optional<String> read(Path file) {
    try {
      return Files.isRegularFile(file) && Files.size(file) <= BYTES_MAX
          ? usable(Files.readString(file), file.toString())
          : Optional.empty();
    } catch (IOException e) {
      LOG.warn(
          "The token file '{}' cannot be read ({}), so the Hub is asked without a token.",
          file,
          e.getClass().getSimpleName());
      return Optional.empty();
    }
  }

  /// Returns the token without blanks around it; empty, with a warning, if no header can carry it.
  private static Optional<String> usable(@Nullable String text, String from) {
    String token = text == null ? "" : text.strip();
    if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      LOG.warn("What '{}' has is no token, so the Hub is asked without one.", from);
      return Optional.empty();
    }
    return token.isEmpty() ? Optional.empty() : Optional.of(token);
  }
}
