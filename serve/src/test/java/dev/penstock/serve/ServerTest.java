package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.serve.Client.Received;
import dev.penstock.serve.Connections.Limits;
import dev.penstock.serve.Frames.Frame;
import dev.penstock.serve.Server.TlsFiles;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.RangeServer;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTest {
  private static final int ROWS = 1000;
  private static final String TOKEN = "a token of the tests";

  @TempDir Path folder;
  private Path socket;
  private Server server;
  private Thread running;

  @BeforeEach
  void start() throws IOException {
    StringBuilder lines = new StringBuilder("id,name\n");
    for (int row = 0; row < ROWS; row++) {
      lines.append(row).append(",n").append(row % 7).append('\n');
    }
    Files.writeString(folder.resolve("rows.csv"), lines);
    socket = folder.resolve("s");
    run(Server.local(socket));
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
    Client client = new Client(socket).greet("");
    client.expect(FrameKind.WELCOME);
    return client;
  }

  private String request(String more) {
    return """
    {"dataset": {"locations": ["%s"]},
     "loader": {"batchSize": 64, "workers": 2, "shuffle": "window:128", "seed": 3}%s}
    """
        .formatted(folder.resolve("rows.csv"), more);
  }

  private List<Long> expected() {
    List<Long> ids = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.resolve("rows.csv").toString()),
            o ->
                o.batchSize(64)
                    .workers(0)
                    .rank(Rank.SINGLE)
                    .shuffle(Shuffle.window(128))
                    .seed(3))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            ids.add(batch.tensor("id").getLong(row));
          }
        }
      }
    }
    return ids;
  }

  private static void addIds(ByteBuffer memory, int at, int rows, List<Long> ids) {
    for (int row = 0; row < rows; row++) {
      ids.add(memory.getLong(at + 8 * row));
    }
  }

  /// Returns what keeps requests waiting; who holds them lets them go in the end.
  private static RangeServer.Answer held(CountDownLatch until) {
    return _ -> {
      try {
        until.await();
        return false;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void batchThatIsLateComesBehindTheWordThatItIs(int workers) throws IOException {
    CountDownLatch mayRead = new CountDownLatch(1);
    try (RangeServer web = new RangeServer(folder);
        Client client = client()) {
      client.open(
          """
          {"dataset": {"locations": ["%s/rows.csv"]},
           "loader": {"batchSize": 1000, "workers": %d, "timeout": 0.01}}
          """
              .formatted(web.url(), workers));
      client.frames.write(FrameKind.ASK, "{\"what\": \"length\"}"); // has it planned
      assertThat(client.json(FrameKind.ANSWER).integer("length")).isEqualTo(1);
      web.answer(held(mayRead));
      client.begin(1, 2, "");
      Frame frame = client.read();
      JsonFields late = JsonTree.read("an error", frame.text());
      assertThat(late.text("kind")).isEqualTo("timeout");
      assertThat(late.integer("number")).isEqualTo(1);
      mayRead.countDown();
      List<FrameKind> kinds = new ArrayList<>();
      while (!kinds.contains(FrameKind.END)) {
        frame = client.read();
        if (frame.kind() == FrameKind.BATCH) {
          assertThat(client.batch(frame).rows()).isEqualTo(1000);
        }
        kinds.add(frame.kind());
      }
      kinds.removeIf(kind -> kind == FrameKind.ERROR);
      assertThat(kinds).containsExactly(FrameKind.COLUMNS, FrameKind.BATCH, FrameKind.END);
    } finally {
      mayRead.countDown();
    }
  }

  @Test
  void clientLearnsThatTheServerIsThereWhileAnAnswerTakesLong() throws IOException {
    CountDownLatch mayRead = new CountDownLatch(1);
    try (RangeServer web = new RangeServer(folder);
        Client client = client()) {
      client.open("{\"dataset\": {\"locations\": [\"%s/rows.csv\"]}}".formatted(web.url()));
      web.answer(held(mayRead));
      client.frames.write(FrameKind.ASK, "{\"what\": \"length\"}");
      client.frames.write(FrameKind.ASK, "{\"what\": \"alive\"}");
      assertThat(client.json(FrameKind.ANSWER).bool("alive")).isTrue();
      mayRead.countDown();
      assertThat(client.json(FrameKind.ANSWER).integer("length")).isEqualTo(1);
      client.frames.write(FrameKind.ASK, "{\"what\": 1}");
      assertThat(client.json(FrameKind.ERROR).integer("number")).isZero();
    } finally {
      mayRead.countDown();
    }
  }

  @Test
  void clientsAreAcceptedAgainAfterFailures() throws Exception {
    stop();
    LocalListener listener = LocalListener.at(socket);
    Queue<Throwable> failures =
        new ArrayDeque<>(
            List.of(
                new IOException("Too many open files"),
                new OutOfMemoryError("unable to create native thread"),
                new IOException("Too many open files")));
    Server.Listener failing =
        new Server.Listener() {
          @Override
          public Server.Connection accept() throws IOException {
            Throwable failure = failures.poll();
            if (failure instanceof IOException e) {
              throw e;
            }
            if (failure instanceof Error e) {
              throw e;
            }
            return listener.accept();
          }

          @Override
          public void close() throws IOException {
            listener.close();
          }
        };
    run(new Server(failing, new Gate("", true), Limits.USUAL));
    try (Client client = client()) {
      client.open(request(""));
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void batchesThatAreSentAreThoseOfTheLoader() throws IOException {
    try (Client client = client()) {
      client.open(request(""));
      client.begin(1, 2, "");
      List<Long> ids = new ArrayList<>();
      for (Received batch : client.epoch()) {
        addIds(batch.memory(), batch.pairs().getFirst().intValue(), batch.rows(), ids);
      }
      assertThat(ids).isEqualTo(expected());
    }
  }

  @Test
  void batchesInSharedMemoryAreThoseOfTheLoader() throws IOException {
    Path file = folder.resolve("memory");
    int size = 64 << 20;
    try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength(size);
      MappedByteBuffer memory = made.getChannel().map(MapMode.READ_WRITE, 0, size);
      memory.order(ByteOrder.LITTLE_ENDIAN);
      try (Client client = client()) {
        client.open(request(", \"memory\": \"" + file + "\""));
        client.begin(1, 100, "");
        List<Long> ids = new ArrayList<>();
        for (Received batch : client.epoch()) {
          addIds(memory, (int) (batch.start() + batch.pairs().getFirst()), batch.rows(), ids);
          client.more(0, batch.id());
        }
        assertThat(ids).isEqualTo(expected());
      }
    }
  }

  @Test
  void sharedMemoryThatIsFullIsAnError() throws IOException {
    Path file = folder.resolve("memory");
    try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength(4 << 20);
    }
    try (Client client = client()) {
      client.open(request(", \"memory\": \"" + file + "\""));
      Frame last = null;
      for (int epoch = 1; last == null || last.kind() == FrameKind.END; epoch++) {
        client.begin(epoch, 100, "");
        do {
          last = client.read(); // and gives no batch back
        } while (last.kind() == FrameKind.BATCH || last.kind() == FrameKind.COLUMNS);
      }
      assertThat(last.text())
          .contains("Cannot make the next batch: the batches received and still in use fill the 4");
    }
  }

  @Test
  void stateOfAnyBatchGoesOnBehindIt() throws IOException {
    List<Received> whole;
    try (Client client = client()) {
      client.open(request(""));
      client.begin(1, 2, "");
      whole = client.epoch();
    }
    for (int stop = 0; stop < whole.size(); stop += 5) {
      try (Client client = client()) {
        client.open(request(""));
        String state = whole.get(stop).state().replace("\"", "\\\"");
        client.begin(1, 2, ", \"state\": \"" + state + "\"");
        List<Received> rest = client.epoch();
        // The last batch's state is the beginning of the next epoch.
        if (stop < whole.size() - 1) {
          assertThat(rest.stream().map(Received::memory))
              .isEqualTo(
                  whole.subList(stop + 1, whole.size()).stream().map(Received::memory).toList());
        }
      }
    }
  }

  @Test
  void laterEpochEndsTheOneBefore() throws IOException {
    try (Client client = client()) {
      client.open(request(""));
      client.begin(1, 1, "");
      client.expect(FrameKind.COLUMNS);
      client.batch(client.expect(FrameKind.BATCH));
      client.begin(2, 1, ", \"epoch\": 0");
      client.expect(FrameKind.COLUMNS);
      assertThat(client.epoch()).hasSize((ROWS + 63) / 64);
    }
  }

  @Test
  void lengthAndSchemaAreAnsweredAlsoWithinAnEpoch() throws IOException {
    try (Client client = client()) {
      client.open(request(""));
      client.begin(1, 1, "");
      client.expect(FrameKind.COLUMNS);
      client.batch(client.expect(FrameKind.BATCH));
      client.frames.write(FrameKind.ASK, "{\"what\": \"length\"}");
      assertThat(client.json(FrameKind.ANSWER).whole("length", 0, 100)).isEqualTo(16);
      client.frames.write(FrameKind.ASK, "{\"what\": \"schema\"}");
      assertThat(client.expect(FrameKind.ANSWER).text())
          .isEqualTo(
              "{\"columns\":[{\"name\":\"id\",\"type\":\"int64\",\"nullable\":true},"
                  + "{\"name\":\"name\",\"type\":\"string\",\"nullable\":true}]}");
    }
  }

  @Test
  void sourcesOfAMixtureHaveTheirSharesAndOrder() throws IOException {
    String rows = folder.resolve("rows.csv").toString();
    List<Long> ids = new ArrayList<>();
    try (Client client = client()) {
      client.open(
          """
          {"dataset": {"mixture": {"stop": "repeat", "sources": [
              {"weight": 3, "dataset": {"locations": ["%s"], "where": "id < 600"}},
              {"weight": 1, "dataset": {"locations": ["%s"], "where": "id >= 600"}}]},
             "columns": ["id"]},
           "loader": {"batchSize": 64, "seed": 3, "splitRows": 100}}
          """
              .formatted(rows, rows));
      client.begin(1, 2, "");
      for (Received batch : client.epoch()) {
        addIds(batch.memory(), batch.pairs().getFirst().intValue(), batch.rows(), ids);
      }
    }
    assertThat(ids.subList(0, 1024).stream().filter(id -> id < 600).count()).isBetween(767L, 769L);
    List<Long> large = ids.stream().filter(id -> id < 600).toList();
    List<Long> small = ids.stream().filter(id -> id >= 600).toList();
    // The rows of the small source come once; those of the large one begin anew.
    assertThat(small).isEqualTo(LongStream.range(600, 1000).boxed().toList());
    assertThat(large)
        .isEqualTo(LongStream.range(0, large.size()).map(row -> row % 600).boxed().toList());
    assertThat(large).hasSizeBetween(1195, 1205);
  }

  @Test
  void classesAreBalanced() throws IOException {
    List<Long> ids = new ArrayList<>();
    try (Client client = client()) {
      client.open(
          """
          {"dataset": {"mixture": {"balance": {"column": "name", "dataset":
             {"locations": ["%s"], "where": "id < 70 or name = 'n3'"}}}, "columns": ["id"]}}
          """
              .formatted(folder.resolve("rows.csv")));
      client.begin(1, 2, "");
      for (Received batch : client.epoch()) {
        addIds(batch.memory(), batch.pairs().getFirst().intValue(), batch.rows(), ids);
      }
    }
    for (int name = 0; name < 7; name++) {
      int each = name;
      assertThat(ids.stream().filter(id -> id % 7 == each).count()).isBetween(9L, 11L);
    }
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void wrongRequestIsAnErrorAndTheConnectionGoesOn() throws IOException {
    try (Client client = client()) {
      for (String wrong :
          List.of(
              "",
              "{}",
              "[]",
              "{\"dataset\": {\"locations\": []}}",
              "{\"dataset\": {\"locations\": [\"/a\"]}, \"loader\": {\"batchSize\": 0}}",
              "{\"dataset\": {\"locations\": [\"/a\"], \"what\": 1}}",
              "{\"dataset\": {\"mixture\": {\"sources\": []}}}",
              "{\"dataset\": {\"locations\": [\"/a\"], \"table\": {\"version\": 1}}}",
              "{\"dataset\": {\"locations\": [\"/a\"]}, \"loader\": {\"nulls\": {\"\": \"x\"}}}")) {
        client.frames.write(FrameKind.OPEN, wrong);
        assertThat(client.expect(FrameKind.ERROR).text()).contains("\"kind\":\"value\"");
      }
      client.open(request(""));
    }
  }

  @Test
  void storageOptionThatNamesAVariableIsSentAsItIs() throws IOException {
    String named = "@env:" + System.getenv().keySet().iterator().next();
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    try (RangeServer web = new RangeServer(folder);
        Client client = client()) {
      web.answer(exchange -> {
        seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        return false;
      });
      client.open(
          "{\"dataset\": {\"locations\": [\"%s/rows.csv\"], \"storage\": {\"bearer-token\": \"%s\"}}}"
              .formatted(web.url(), named));
      client.frames.write(FrameKind.ASK, "{\"what\": \"schema\"}");
      client.expect(FrameKind.ANSWER);
    }
    assertThat(seen).isNotEmpty().containsOnly("Bearer " + named);
  }

  @Test
  void missingFileIsAnErrorOfTheEpoch() throws IOException {
    try (Client client = client()) {
      client.open("{\"dataset\": {\"locations\": [\"" + folder.resolve("none") + "\"]}}");
      client.begin(7, 1, "");
      assertThat(client.expect(FrameKind.ERROR).text()).contains("\"number\":7", "\"kind\":\"io\"");
    }
  }

  @Test
  void namesInErrorsHaveNothingThatATerminalObeys() throws IOException {
    try (Client client = client()) {
      String name = folder + "/a\\u001bc\\nok.csv"; // as JSON has it
      client.open("{\"dataset\": {\"locations\": [\"" + name + "\"]}}");
      client.begin(7, 1, "");
      assertThat(client.json(FrameKind.ERROR).text("message"))
          .startsWith("Cannot read '" + folder + "/a\\u001bc\\u000aok.csv': no such file");
      client.frames.write(
          FrameKind.OPEN, "{\"dataset\": {\"locations\": [\"/a\"], \"format\": \"x\\u001bc\"}}");
      assertThat(client.json(FrameKind.ERROR).text("message"))
          .startsWith("Cannot read format 'x\\u001bc': no such format here.");
    }
  }

  @Test
  void memoryFileThatTheServerDoesNotFindIsNamed() throws IOException {
    Path file = folder.resolve("no-such-file");
    try (Client client = client()) {
      client.frames.write(FrameKind.OPEN, request(", \"memory\": \"" + file + "\""));
      assertThat(client.expect(FrameKind.ERROR).text())
          .contains("Cannot open the client's memory file '" + file + "': no such file.");
    }
  }

  @Test
  void clientThatGoesAwayFreesItsLoader() throws Exception {
    for (int credits = 1; credits < 20; credits += 6) {
      try (Client client = client()) {
        client.open(request(""));
        client.begin(1, credits, "");
        client.expect(FrameKind.COLUMNS);
      }
      assertThat(server.await(false, 60_000)).isTrue();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("penstock-worker"));
  }

  /// Waits until no thread has such a name.
  private static void awaitEndOf(String name) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(name)) {
        thread.join(60_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ASK", "BEGIN", "OPEN", "STEPS"})
  void workForAClientThatIsGoneEnds(FrameKind kind) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    RangeServer.Answer held = held(never);
    try (RangeServer web = new RangeServer(folder)) {
      web.answer(exchange -> {
        asked.countDown();
        return held.answered(exchange);
      });
      try (Client client = client()) {
        // A folder may be a table, which is looked for when it is opened.
        String place = kind == FrameKind.OPEN ? "/folder/" : "/rows.csv";
        client.frames.write(
            FrameKind.OPEN,
            "{\"dataset\": {\"locations\": [\"%s%s\"]}}".formatted(web.url(), place));
        switch (kind) {
          case ASK -> client.frames.write(kind, "{\"what\": \"length\"}");
          case BEGIN -> client.begin(1, 1, "");
          case STEPS ->
              client.frames.write(kind, "{\"what\": \"rows\", \"steps\": \"0..1\", \"epoch\": 0}");
          default -> {
            // asks already
          }
        }
        asked.await();
      }
      assertThat(server.await(false, 60_000)).isTrue();
      awaitEndOf("penstock-requests");
      awaitEndOf("penstock-epoch");
      never.countDown();
    }
  }

  @Test
  void clientThatReadsNoRowsOfStepsKeepsNobodyWaiting() throws Exception {
    try (Client client = client();
        Client other = client()) {
      client.open(request(""));
      for (int i = 0; i < 8; i++) { // each answer is longer than a socket holds
        client.frames.write(
            FrameKind.STEPS, "{\"what\": \"rows\", \"steps\": \"0..99\", \"epoch\": 0}");
      }
      other.open(request(""));
      other.begin(1, 2, "");
      assertThat(other.epoch()).hasSize(16);
      client.frames.write(FrameKind.ASK, "{\"what\": \"alive\"}");
    }
    assertThat(server.await(false, 60_000)).isTrue();
    awaitEndOf("penstock-requests");
  }

  @Nested
  class WhenFramesAreWrong {
    @Test
    void helloOfAnotherProtocolIsRefused() throws IOException {
      try (Client client = new Client(socket)) {
        client.frames.write(FrameKind.HELLO, "{\"protocol\": 2}");
        assertThat(client.expect(FrameKind.ERROR).text())
            .contains("it speaks protocol 2 but this server 1");
      }
    }

    @Test
    void nothingIsAnsweredBeforeAHello() throws IOException {
      try (Client client = new Client(socket)) {
        client.frames.write(FrameKind.OPEN, request(""));
        assertThat(client.expect(FrameKind.ERROR).text()).contains("it sent no hello.");
        assertThat(client.next()).isEmpty();
      }
    }

    @Test
    void requestsThatPileUpEndTheConnection() throws IOException {
      try (Client client = client()) {
        client.open(request(""));
        byte[] question = "{\"what\": \"length\"}".getBytes(StandardCharsets.UTF_8);
        ByteBuffer many = ByteBuffer.allocate(1 << 20);
        while (many.remaining() > 100) {
          many.put(Frames.finish(Frames.begin(FrameKind.ASK, question.length).put(question)));
        }
        client.send(Arrays.copyOf(many.array(), many.position()));
        Frame frame = client.read();
        while (frame.kind() == FrameKind.ANSWER) {
          frame = client.read();
        }
        assertThat(frame.text()).contains("more than 8 requests at once");
      } catch (IOException e) {
        assertThat(e).hasMessageMatching("(?s).*(closed|reset|Broken pipe).*");
      }
    }

    @Test
    void tooLongFrameIsRefusedBeforeItIsRead() throws IOException {
      try (Client client = client()) {
        client.send(new byte[] {-1, -1, -1, -1, 'O'});
        assertThat(client.expect(FrameKind.ERROR).text()).contains("a frame of 4294967295 bytes");
      }
    }

    @Seeded(runs = 60)
    void randomFramesNeitherEndTheServerNorStayBehind(Random random) throws Exception {
      try (Client client = client()) {
        if (random.nextBoolean()) {
          client.open(request(""));
          client.begin(1, 1 + random.nextInt(4), "");
        }
        for (int i = random.nextInt(8); i >= 0; i--) {
          client.send(randomFrame(random));
        }
        if (random.nextBoolean()) {
          drain(client);
        }
      } catch (IOException e) {
        assertThat(e).isNotNull(); // the server closed it
      }
      assertThat(server.await(false, 60_000)).isTrue();
      try (Client next = client()) {
        next.open(request(""));
        next.begin(1, 2, "");
        assertThat(next.epoch()).hasSize(16);
      }
    }

    private static byte[] randomFrame(Random random) {
      byte[] kinds = "HOBMATShobexcad\0z".getBytes(StandardCharsets.US_ASCII);
      byte[] contents = new byte[random.nextInt(40)];
      random.nextBytes(contents);
      if (random.nextInt(3) == 0) {
        contents =
            "{\"number\":1,\"credits\":9,\"what\":\"state\"}"
                .substring(0, 20 + random.nextInt(20))
                .getBytes(StandardCharsets.US_ASCII);
      }
      int length = random.nextInt(4) == 0 ? random.nextInt() : 1 + contents.length;
      return ByteBuffer.allocate(5 + contents.length)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(length)
          .put(kinds[random.nextInt(kinds.length)])
          .put(contents)
          .array();
    }

    private static void drain(Client client) throws IOException {
      client.frames.write(FrameKind.ASK, "{\"what\": \"length\"}");
      Frame frame = client.read();
      while (frame.kind() != FrameKind.ANSWER && frame.kind() != FrameKind.ERROR) {
        if (frame.kind() == FrameKind.BATCH) {
          client.batch(frame);
        }
        frame = client.read();
      }
    }
  }

  @Nested
  class OverTheNetwork {
    private static final Limits PATIENT = new Limits(2, 2, Duration.ofHours(1));

    /// Longer than a frame or record that takes one byte after another may come.
    private static final int BYTES_MAX = 1000;

    private final InetAddress host = InetAddress.getLoopbackAddress();
    private int port;

    private void listen(boolean secure, Limits limits) throws Exception {
      server.close();
      running.join();
      Optional<TlsFiles> tls = secure ? Optional.of(TestTls.files(folder)) : Optional.empty();
      // As read from a file: its line break is not of the token.
      run(Server.network(new InetSocketAddress(host, 0), tls, " " + TOKEN + "\r\n", limits));
      port = server.address().orElseThrow().getPort();
    }

    private Client connect() throws IOException {
      return new Client(new Socket(host, port));
    }

    private Client connectSecurely() throws Exception {
      SSLContext context = TestTls.trusting(folder.resolve("CERTIFICATE"));
      return new Client(context.getSocketFactory().createSocket(host, port));
    }

    /// Sends bytes one by one, slowly; returns whether the server ends the connection.
    private boolean isEndedWhileSending(byte... start) throws IOException {
      try (Socket socket = new Socket(host, port)) {
        socket.setSoTimeout(10);
        for (int i = 0; i < BYTES_MAX; i++) {
          try {
            socket.getOutputStream().write(i < start.length ? start[i] : 'x');
            if (socket.getInputStream().read() < 0) {
              return true;
            }
          } catch (SocketTimeoutException e) {
            assertThat(e).isNotNull(); // it is still open
          } catch (IOException e) {
            return true;
          }
        }
        return false;
      }
    }

    @Test
    void clientThatKeepsSendingBeforeItsHelloIsDisconnectedInTime() throws Exception {
      Limits impatient = new Limits(2, 2, Duration.ofMillis(300));
      listen(false, impatient);
      assertThat(isEndedWhileSending((byte) 0, (byte) 16, (byte) 0, (byte) 0)).isTrue();
      listen(true, impatient); // a record of a handshake
      assertThat(isEndedWhileSending((byte) 22, (byte) 3, (byte) 1, (byte) 16, (byte) 0)).isTrue();
    }

    @Test
    void clientsWithoutTheTokenTakeNoRoomFromThoseWithIt() throws Exception {
      listen(true, PATIENT);
      try (Client guest = connectSecurely()) {
        guest.greet(TOKEN).expect(FrameKind.WELCOME);
        List<Client> strangers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          strangers.add(connect());
        }
        try (Client late = connectSecurely()) {
          late.greet(TOKEN).expect(FrameKind.WELCOME);
          for (Client served : List.of(guest, late)) {
            served.open(request(""));
            served.begin(1, 2, "");
            assertThat(served.epoch()).hasSize(16);
          }
          try (Client third = connectSecurely()) {
            third.greet(TOKEN);
            assertThat(third.expect(FrameKind.ERROR).text())
                .contains("Cannot serve this client: the server has as many as it takes.");
          }
        }
        for (Client stranger : strangers) {
          stranger.close();
        }
      }
    }

    @Test
    void onlyTheTokenOpens() throws Exception {
      listen(false, PATIENT);
      for (String wrong : List.of("", "a token of the testS", TOKEN + "x")) {
        try (Client client = connect()) {
          client.greet(wrong);
          assertThat(client.expect(FrameKind.ERROR).text())
              .contains("its token is not this server's", "permission")
              .doesNotContain(TOKEN);
        }
      }
      try (Client client = connect()) {
        client.greet(TOKEN).expect(FrameKind.WELCOME);
        client.frames.write(FrameKind.OPEN, request(", \"memory\": \"" + folder + "/m\""));
        assertThat(client.expect(FrameKind.ERROR).text()).contains("Cannot share memory");
        client.open(request(""));
        client.begin(1, 2, "");
        assertThat(client.epoch()).hasSize(16);
      }
    }

    /// A fault of the tokenizer's library would end this JVM.
    @Test
    void clientsCannotHaveTextsTokenised() throws Exception {
      listen(false, PATIENT);
      try (Client client = connect()) {
        client.greet(TOKEN).expect(FrameKind.WELCOME);
        client.frames.write(
            FrameKind.OPEN,
            "{\"dataset\": {\"locations\": [\"/a\"]}, \"loader\": {\"tokenize\":"
                + " [{\"column\": \"a\", \"tokenizer\": \"/b.json\"}]}}");
        assertThat(client.expect(FrameKind.ERROR).text())
            .contains(
                "Cannot tokenise for a client over the network: a fault in the tokenizer's library"
                    + " would end the server, for all its clients.");
        client.open(request(""));
      }
    }

    @Test
    void shortTokensAndPlainPortsForOthersAreRefused() {
      assertThatThrownBy(() ->
              Server.network(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  Optional.empty(),
                  "short" + " ".repeat(20)))
          .hasMessageStartingWith("Cannot serve with a token of 5 characters");
      assertThatThrownBy(() -> Server.network(new InetSocketAddress(0), Optional.empty(), TOKEN))
          .hasMessageStartingWith("Cannot serve at 0.0.0.0 without TLS");
    }
  }
}
