package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StructuredDataset;
import dev.penstock.internal.request.Opening.Keeper;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDatasetsTest {
  private static final String KEY = "a request";

  @TempDir Path folder;
  private final OpenDatasets datasets = new OpenDatasets();
  private final OpenDatasets.Lease first = datasets.lease();
  private final OpenDatasets.Lease second = datasets.lease();

  @BeforeEach
  void write() throws IOException {
    write(10);
  }

  private void write(int rows) throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("t")).resolve("rows.csv"),
        "id\n" + "1\n".repeat(rows));
  }

  private StructuredDataset anew() {
    return new StructuredDataset(folder.resolve("t").toString());
  }

  private StructuredDataset open(Keeper lease) {
    return lease.open(KEY, this::anew);
  }

  @Test
  void datasetIsSharedForAsLongAsAnybodyHasIt() {
    StructuredDataset shared = open(first);
    assertThat(open(second)).isSameAs(shared);
    assertThat(open(first)).isSameAs(shared);
    first.close();
    assertThat(open(second)).isSameAs(shared);
    second.close();
    second.close();
    assertThat(datasets.size()).isZero();
    assertThat(open(datasets.lease())).isNotSameAs(shared);
  }

  @Test
  void leaseThatIsClosedKeepsNothing() {
    first.close();
    StructuredDataset own = open(first);
    assertThat(datasets.size()).isZero();
    assertThat(open(second)).isNotSameAs(own);
  }

  @Test
  void changedFilesAreOpenedAnewForThoseWhoComeLater() throws IOException {
    StructuredDataset old = open(first);
    assertThat(old.rowCount()).isEqualTo(10);
    write(20);
    StructuredDataset changed = open(second);
    assertThat(changed.rowCount()).isEqualTo(20);
    assertThat(open(datasets.lease())).isSameAs(changed);
    Files.setLastModifiedTime(folder.resolve("t/rows.csv"), FileTime.fromMillis(1_000_000));
    assertThat(open(datasets.lease())).isNotSameAs(changed);
  }

  @Test
  void lookThatFailsIsItsClientsAlone() {
    StructuredDataset shared = open(first);
    Supplier<StructuredDataset> broken =
        () -> {
          throw new IllegalStateException("broken");
        };
    assertThatThrownBy(() -> second.open(KEY, broken)).hasMessage("broken");
    assertThat(open(second)).isSameAs(shared);
  }

  /// Whoever reads it is told what is wrong, as where nobody else has it open.
  @Test
  void filesThatCannotBeListedAreOpenedAnew() throws IOException {
    StructuredDataset shared = open(first);
    Files.delete(folder.resolve("t/rows.csv"));
    StructuredDataset own = open(second);
    assertThat(own).isNotSameAs(shared);
    assertThatThrownBy(own::rowCount).hasMessageContaining("t");
  }

  @Test
  void clientsWhoWaitForALookShareTheNext() throws Exception {
    StructuredDataset shared = open(first);
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<StructuredDataset> found = new ArrayList<>();
    Supplier<StructuredDataset> look =
        () -> {
          looks.incrementAndGet();
          begun.countDown();
          try {
            mayEnd.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return anew();
        };
    List<Thread> clients = new ArrayList<>();
    for (int client = 0; client < 5; client++) {
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                StructuredDataset own = datasets.lease().open(KEY, look);
                synchronized (found) {
                  found.add(own);
                }
              });
      begun.await();
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      clients.add(thread);
    }
    mayEnd.countDown();
    for (Thread client : clients) {
      client.join();
    }
    assertThat(looks).hasValue(2);
    assertThat(found).hasSize(5).allMatch(each -> each == shared);
  }

  @Test
  void requestsThatDifferInRowsAndColumnsShareTheirFiles() {
    for (String more :
        List.of(
            "",
            ", \"columns\": [\"id\"]",
            ", \"where\": \"id > 1\"",
            ", \"onBadFile\": \"fail\"")) {
      parse("\"locations\": [\"%s/t\"]%s", more);
    }
    assertThat(datasets.size()).isEqualTo(2); // onBadFile is told
    parse(
        "\"mixture\": {\"sources\": [{\"weight\": 1, \"dataset\": {\"locations\": [\"%s/t\"]}}]}%s",
        "");
    assertThat(datasets.size()).isEqualTo(2);
    parse("\"locations\": [\"%s/t\"]%s", ", \"formatOptions\": {\"delimiter\": \";\"}");
    assertThat(datasets.size()).isEqualTo(3);
  }

  @Test
  void credentialsOfOneClientAreNotForAnother() {
    String secret = ", \"storage\": {\"bearer-token\": \"%s\"}";
    parse("\"locations\": [\"%s/t\"]%s", "");
    parse("\"locations\": [\"%s/t\"]%s", secret.formatted("one"));
    parse("\"locations\": [\"%s/t\"]%s", secret.formatted("two"));
    assertThat(datasets.size()).isEqualTo(3);
  }

  private void parse(String dataset, String more) {
    assertThat(
            Request.parse(
                "{\"dataset\": {" + dataset.formatted(folder, more) + "}, \"loader\": {}}",
                first,
                true))
        .isNotNull();
  }

  /// The second client asks the web server what is there, and for no byte of it.
  @Test
  void secondClientReadsNoFooter() throws Exception {
    Path socket = folder.resolve("s");
    Server server = Server.local(socket);
    Thread running = Thread.ofPlatform().start(server::run);
    try (RangeServer web = new RangeServer(folder.resolve("t"))) {
      String request =
          "{\"dataset\": {\"locations\": [\"%s/rows.csv\"]}, \"loader\": {\"batchSize\": 1}}"
              .formatted(web.url());
      try (Client one = client(socket);
          Client two = client(socket);
          Client three = client(socket)) {
        assertThat(batches(one, request)).isEqualTo(10);
        assertThat(web.requests()).anyMatch(each -> each.startsWith("GET"));
        web.requests().clear();
        assertThat(batches(two, request)).isEqualTo(10);
        assertThat(web.requests()).isNotEmpty().noneMatch(each -> each.startsWith("GET"));
        write(20);
        assertThat(batches(three, request)).isEqualTo(20);
      }
    } finally {
      server.close();
      running.join();
    }
  }

  private static Client client(Path socket) throws IOException {
    Client client = new Client(socket).greet("");
    client.expect(FrameKind.WELCOME);
    return client;
  }

  private static int batches(Client client, String request) throws IOException {
    client.open(request);
    client.frames.write(FrameKind.ASK, "{\"what\": \"length\"}");
    return client.json(FrameKind.ANSWER).integer("length");
  }
}
