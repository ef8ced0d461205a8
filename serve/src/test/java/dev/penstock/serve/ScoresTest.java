package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.serve.Client.Received;
import dev.penstock.serve.Frames.Frame;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScoresTest {
  private static final int ROWS = 500;
  private static final String TOKEN = "a token of the tests";

  @TempDir Path folder;
  private Server server;
  private Thread running;
  private MappedByteBuffer memory;

  @BeforeEach
  void start() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      String name = row % 3 == 0 ? "null" : "\"n" + row + '"';
      String list = row % 2 == 0 ? "[]" : "[" + row + "]";
      lines.append("{\"id\":").append(row).append(",\"name\":").append(name);
      lines.append(",\"list\":").append(list).append("}\n");
    }
    Files.writeString(folder.resolve("rows.jsonl"), lines);
    try (RandomAccessFile made = new RandomAccessFile(folder.resolve("memory").toFile(), "rw")) {
      made.setLength(64 << 20);
      memory = made.getChannel().map(MapMode.READ_WRITE, 0, 64 << 20);
      memory.order(ByteOrder.LITTLE_ENDIAN);
    }
    run(Server.local(folder.resolve("s")));
  }

  private void run(Server made) {
    server = made;
    running = Thread.ofPlatform().start(made::run);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    running.join();
    assertThat(server.await(false, 60_000)).isTrue(); // nobody is left
  }

  private Client client() throws IOException {
    Client client = new Client(folder.resolve("s")).greet("");
    client.expect(FrameKind.WELCOME);
    return client;
  }

  private String request(String more) {
    return Json.object(json -> {
      json.writeRaw("\"dataset\": {\"locations\": [\"" + folder.resolve("rows.jsonl") + "\"]},");
      json.writeRaw("\"loader\": {\"batchSize\": 50, \"workers\": 2},");
      json.writeRaw("\"memory\": \"" + folder.resolve("memory") + "\",");
      json.writeRaw("\"scores\": {\"out\": \"" + folder.resolve("out") + "\"" + more + "}");
    });
  }

  /// What a client makes of the ids of a batch.
  private interface Reply {
    byte[] to(long[] ids) throws IOException;
  }

  private static byte[] reply(String document, byte[] values) {
    byte[] text = document.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + text.length + values.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(text.length)
        .put(text)
        .put(values)
        .array();
  }

  private static byte[] twice(long[] ids) {
    ByteBuffer values = ByteBuffer.allocate(8 * ids.length).order(ByteOrder.LITTLE_ENDIAN);
    LongStream.of(ids).forEach(id -> values.putLong(2 * id));
    return reply(
        "{\"outputs\": [{\"name\": \"twice\", \"dtype\": \"int64\", \"shape\": []}]}",
        values.array());
  }

  /// Is the model until an answer or an error comes.
  private Frame score(Client client, String request, Reply model) throws IOException {
    client.frames.write(FrameKind.SCORE, request);
    while (true) {
      Frame frame = client.read();
      switch (frame.kind()) {
        case COLUMNS, PROGRESS -> {
          // Not looked at.
        }
        case BATCH -> {
          Received batch = client.batch(frame);
          byte[] outputs = model.to(ids(batch));
          ByteBuffer made =
              Frames.begin(FrameKind.OUTPUTS, 8 + outputs.length).putLong(batch.id()).put(outputs);
          client.frames.gather(Frames.finish(made));
          client.frames.flush();
        }
        default -> {
          return frame;
        }
      }
    }
  }

  private long[] ids(Received batch) {
    ByteBuffer in = batch.start() < 0 ? batch.memory() : memory;
    int start = (int) (Math.max(batch.start(), 0) + batch.pairs().getFirst());
    return LongStream.range(0, batch.rows())
        .map(row -> in.getLong(start + 8 * (int) row))
        .toArray();
  }

  private List<Long> scores() {
    List<Long> scores = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.resolve("out").toString()), o -> o.rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          scores.addAll(LongStream.of((long[]) batch.tensor("twice").toArray()).boxed().toList());
        }
      }
    }
    return scores;
  }

  @Test
  void theClientIsTheModel() throws IOException {
    try (Client client = client()) {
      Frame answer =
          score(
              client, request(", \"keys\": [\"id\"], \"columns\": [\"name\"]"), ScoresTest::twice);
      assertThat(answer.kind()).isEqualTo(FrameKind.ANSWER);
      JsonFields scored = JsonTree.read("an answer", answer.text()).nested("scores");
      assertThat(scored.whole("rows", 0, ROWS)).isEqualTo(ROWS);
      assertThat(scored.bool("isComplete")).isTrue();
    }
    assertThat(scores()).isEqualTo(LongStream.range(0, ROWS).map(id -> 2 * id).boxed().toList());
    try (Client client = client()) {
      assertThat(score(client, request(", \"check\": true"), ScoresTest::twice).text())
          .isEqualTo("{\"scores\":{\"parts\":1,\"rows\":500,\"skipped\":0}}");
    }
  }

  @Test
  void anErrorOfTheClientNamesTheRow() throws IOException {
    Reply fails =
        ids ->
            LongStream.of(ids).anyMatch(id -> id == 333)
                ? reply("{\"error\": \"no 333\"}", new byte[0])
                : twice(ids);
    try (Client client = client()) {
      Frame error = score(client, request(", \"keys\": [\"id\"], \"columns\": [\"name\"]"), fails);
      assertThat(error.kind()).isEqualTo(FrameKind.ERROR);
      assertThat(error.text()).contains("The model failed for row 333 of ", "rows.jsonl: no 333.");
    }
  }

  @Test
  void outputsThatAreMalformedAreErrors() throws IOException {
    List<byte[]> wrong =
        List.of(
            new byte[0],
            new byte[] {1, 0, 0, 0},
            reply("{", new byte[0]),
            reply("{}", new byte[0]),
            reply("{\"outputs\": []}", new byte[8]),
            reply(
                "{\"outputs\": [{\"name\": \"x\", \"dtype\": \"int64\", \"shape\": [9]}]}",
                new byte[8]),
            reply(
                "{\"outputs\": [{\"name\": \"x\", \"dtype\": \"complex\", \"shape\": []}]}",
                new byte[8]),
            reply("{\"outputs\": [{\"name\": \"x\", \"dtype\": \"string\"}]}", new byte[2]));
    for (byte[] each : wrong) {
      try (Client client = client()) {
        Frame error = score(client, request(", \"keys\": [\"id\"]"), _ -> each);
        assertThat(error.text()).contains("The model failed for row 0 of ");
      }
    }
  }

  @Test
  void outputsOfNoBatchEndTheConnection() throws IOException {
    try (Client client = client()) {
      client.frames.write(FrameKind.OUTPUTS, "12345678{}");
      assertThat(client.expect(FrameKind.ERROR).text()).contains("outputs where nothing is scored");
      assertThat(client.next()).isEmpty();
    }
  }

  /// Whoever comes next finds no lock and no thread of it.
  @Test
  void aClientThatGoesAwayLeavesWholePartsOnly() throws Exception {
    String request = request(", \"keys\": [\"id\"], \"partRows\": 50");
    for (int batches = 1; batches <= 4; batches++) {
      int last = batches;
      int[] count = {0};
      try (Client client = client()) {
        assertThatThrownBy(() ->
                score(
                    client,
                    request,
                    ids -> {
                      if (count[0]++ == last) {
                        throw new IOException("gone");
                      }
                      return twice(ids);
                    }))
            .isInstanceOf(IOException.class);
      }
      assertThat(server.await(false, 60_000)).isTrue();
    }
    try (Client client = client()) {
      assertThat(score(client, request, ScoresTest::twice).text()).contains("\"isComplete\":true");
    }
    assertThat(scores()).isEqualTo(LongStream.range(0, ROWS).map(id -> 2 * id).boxed().toList());
  }

  @Test
  void whatCannotBeAskedForIsRefused() throws IOException {
    assertRefused(request(""), "keys");
    assertRefused(
        request(", \"keys\": [\"id\"], \"onError\": \"ignore\""), "expected stop or skip");
    assertRefused(request(", \"keys\": [\"id\"], \"more\": 1"), "unknown field 'more'");
    assertRefused(request(", \"inputs\": {\"x\": [1]}"), "Cannot feed input 'x'");
    assertRefused(
        request(", \"storage\": {\"credentials-file\": \"x\"}"), "storage option credentials-file");
    String relative = request("").replace(folder.resolve("out").toString(), "out");
    assertRefused(relative, "Cannot use out 'out': it is relative");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  private void assertRefused(String request, String said) throws IOException {
    try (Client client = client()) {
      Frame error = score(client, request, ScoresTest::twice);
      assertThat(error.kind()).isEqualTo(FrameKind.ERROR);
      assertThat(error.text()).contains(said);
    }
  }

  @Test
  void nothingIsWrittenForClientsOverTheNetwork() throws Exception {
    stop();
    run(
        Server.network(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), TOKEN));
    InetSocketAddress at = server.address().orElseThrow();
    try (Client client = new Client(new Socket(at.getAddress(), at.getPort())).greet(TOKEN)) {
      client.expect(FrameKind.WELCOME);
      Frame error = score(client, request(", \"keys\": [\"id\"]"), ScoresTest::twice);
      assertThat(error.text())
          .contains("Cannot write scores for a client over the network: no files are written");
    }
    assertThat(folder.resolve("out")).doesNotExist();
  }
}
