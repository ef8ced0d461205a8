package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Predicate;

/// How every object store creates a file: by a condition, whatever becomes of the answer.
///
/// @param server the server that the store asks
/// @param isConditional whether a request is refused where the file is there
/// @param stored answers that the file was stored
/// @param there answers that it is there already
/// @param denied answers that whoever asks may not
public record CreationContract(
    RangeServer server,
    Predicate<HttpExchange> isConditional,
    RangeServer.Answer stored,
    RangeServer.Answer there,
    RangeServer.Answer denied) {
  private static final String CONTENT = "what is in the file";

  /// Breaks the connection once the request was read.
  private static boolean lost(HttpExchange exchange) throws IOException {
    throw new IOException("lost");
  }

  /// Creates a file.
  ///
  /// @param answers what the server answers, in order
  public boolean create(Storage store, Location place, RangeServer.Answer... answers)
      throws IOException {
    Queue<RangeServer.Answer> left = new ArrayDeque<>(Arrays.asList(answers));
    server.requests().clear();
    server.answer(exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(body).contains(CONTENT);
      assertThat(isConditional.test(exchange)).isTrue();
      return left.remove().answered(exchange);
    });
    boolean created = store.create(place, CONTENT.getBytes(StandardCharsets.UTF_8));
    assertThat(left).isEmpty();
    return created;
  }

  /// Checks what a store makes of the answers.
  ///
  /// @param place where to create a file
  /// @param may the end of the sentence where whoever asks may not
  public void check(Storage store, Location place, String may) throws IOException {
    assertThat(create(store, place, stored)).isTrue();
    assertThat(create(store, place, there)).isFalse();
    assertThat(create(store, place, CreationContract::lost, stored)).isTrue();
    assertThat(create(store, place, CreationContract::lost, there)).isFalse();
    assertThatThrownBy(() -> create(store, place, denied))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot create '" + place + "': ")
        .hasMessageEndingWith(may);
  }
}
