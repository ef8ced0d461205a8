package dev.penstock.serve;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.Opening;
import dev.penstock.options.LoaderOptions;
import dev.penstock.serve.BatchColumns.Pair;
import dev.penstock.serve.Frames.Frame;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.steps.StepDigest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One client's connection: at most one loader, and its batches until the client needs them no
/// more; or scores, for which the client is the model.
///
/// **Ownership.** When the connection ends, by either side, the loader is closed and the batches
/// are freed. The client's memory stays valid: it is the client's.
///
/// **Threads.** [#run()] on a thread of its own, which only reads frames, so that it notices at
/// once when the client is gone. Requests are worked on by a second thread, one by one, and an
/// epoch by a third. It is one file because all three act on the same few fields, under one lock.
final class Session implements Runnable, Epoch.Sender {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private static final int CREDITS_MAX = 1 << 20;

  /// How many requests may wait: each may hold a long text.
  private static final int REQUESTS_MAX = 8;

  /// A little longer than a scorer waits for its threads.
  private static final int SCORES_SECONDS = 40;

  private final Frames frames;
  private final Server.Connection connection;
  private final Gate gate;
  private final Connections connections;
  private final Shortage shortage;
  private final Opening.Keeper datasets;
  // Made while there is heap.
  private final Shortage.SmallStep<Shortage.Work> entering;
  private final Shortage.SmallStep<Boolean> taking = this::take;
  private final Frames.Room room;
  private final Shortage.SmallStep<Boolean> closing = this::closeAll;
  private final ExecutorService requests;
  private final StepQuestions steps = new StepQuestions(); // of the requests' thread
  private final Map<Long, Batch> sent = new HashMap<>(); // guarded by itself
  private long lastBatch; // of the epoch's thread

  // Of the thread that reads.
  private @Nullable Frame arrived;
  private long held; // the room of a frame that no request has yet

  // Guarded by this.
  private @Nullable DataLoader loader;
  private @Nullable SharedMemory memory;
  private @Nullable ClientModel model; // the client, where it scores
  private @Nullable Epoch epoch;
  private @Nullable Thread epochThread;
  private boolean closed;

  Session(
      Server.Connection connection,
      Gate gate,
      Connections connections,
      Shortage shortage,
      Opening.Keeper datasets)
      throws IOException {
    this.frames = connection.open();
    this.connection = connection;
    this.gate = gate;
    this.connections = connections;
    this.shortage = shortage;
    this.datasets = datasets;
    this.entering = () -> shortage.enter(this::abandon);
    this.room = bytes -> held = shortage.arriving.take(bytes);
    this.requests =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(REQUESTS_MAX),
            Thread.ofPlatform().daemon().name("penstock-requests-", 0).factory()) {
          @Override
          protected void terminated() {
            steps.close();
          }
        };
  }

  @Override
  public void run() {
    try {
      if (welcome()) {
        while (hasNext()) {
          boolean _ = Shortage.insist(taking);
        }
      }
    } catch (ProtocolException | OutOfMemoryError e) {
      error(0, e);
    } catch (InterruptedException e) {
      LOG.debug("A connection was interrupted", e);
    } catch (EOFException e) {
      LOG.debug("A client went away within a frame", e);
    } catch (IOException e) {
      LOG.debug("A connection broke", e);
    } finally {
      shortage.arriving.give(held);
      close();
    }
  }

  /// Waits for the next frame for which there is room, and lets go of the one before, which may be
  /// long.
  private boolean hasNext() throws IOException, InterruptedException {
    arrived = null;
    while (true) {
      try {
        arrived = frames.read(Frames.LENGTH_MAX, room).orElse(null);
        return arrived != null;
      } catch (MemoryLimitException e) {
        error(0, e);
      }
    }
  }

  private boolean welcome() throws IOException, InterruptedException {
    Optional<Frame> first = frames.read(Frames.HELLO_MAX, Frames.Room.BOUNDLESS);
    if (first.isEmpty()) {
      return false;
    }
    if (first.get().kind() != FrameKind.HELLO) {
      throw new ProtocolException("no hello.");
    }
    try {
      gate.check(JsonTree.read("a hello", first.get().text()));
      if (!connections.welcome(connection)) {
        throw new IllegalStateException(
            "Cannot serve this client: the server has as many as it takes. Close loaders, or use"
                + " another server.");
      }
    } catch (IllegalArgumentException | IllegalStateException | SecurityException e) {
      error(0, e);
      return false;
    }
    frames.write(
        FrameKind.WELCOME,
        Json.object(json -> {
          json.writeNumberProperty("protocol", Gate.PROTOCOL);
          json.writeStringProperty("java", System.getProperty("java.version"));
        }));
    return true;
  }

  /// Takes a frame. Where the heap is short, this is done again.
  private boolean take() throws IOException {
    Frame frame = Objects.requireNonNull(arrived);
    switch (frame.kind()) {
      case OPEN -> request(frame, () -> open(frame.text()));
      case BEGIN -> request(frame, () -> begin(frame.text()));
      case ASK -> ask(frame);
      case STEPS ->
          request(
              frame, () -> frames.write(FrameKind.ANSWER, steps.answer(loader(), frame.text())));
      case MORE -> more(frame.contents().rewind());
      case SCORE -> request(frame, () -> score(frame.text()));
      case OUTPUTS -> outputs(frame);
      default -> throw new ProtocolException("a frame of kind " + frame.kind() + ".");
    }
    return true;
  }

  private void ask(Frame frame) throws IOException {
    String what;
    try {
      what = JsonTree.read("a question", frame.text()).text("what");
    } catch (IllegalArgumentException e) {
      error(0, e);
      return;
    }
    if (what.equals("alive")) { // at once, whatever is worked on
      frames.write(FrameKind.ANSWER, Json.object(json -> json.writeBooleanProperty("alive", true)));
    } else {
      request(frame, () -> frames.write(FrameKind.ANSWER, Answers.to(loader(), frame.text())));
    }
  }

  private void request(Frame frame, Shortage.Step step) throws ProtocolException {
    try {
      requests.execute(new RequestWork(frame, step));
      held = 0;
    } catch (RejectedExecutionException e) {
      throw (ProtocolException)
          new ProtocolException("more than " + REQUESTS_MAX + " requests at once.").initCause(e);
    }
  }

  /// A request that waits for its turn, with the room that its text holds.
  private final class RequestWork implements Runnable {
    private final Frame frame;
    private final Shortage.Step step;

    RequestWork(Frame frame, Shortage.Step step) {
      this.frame = frame;
      this.step = step;
    }

    /// Works on it; the client is told whatever goes wrong.
    @Override
    public void run() {
      long room = 0;
      try (Shortage.Work work = Shortage.insist(entering)) {
        try {
          room = shortage.reading.take(frame.heapBytes());
          shortage.work(work, step);
        } catch (Throwable e) {
          error(0, work.told(e)); // also an Error: else the client would wait for ever
          if (work.refusal() != null) {
            hangUp();
          }
        }
      } catch (Throwable e) {
        hangUp(); // else a client that was not told would wait
        LOG.warn("Cannot begin or end a request", e);
      } finally {
        shortage.reading.give(room);
        drop();
      }
    }

    void drop() {
      shortage.arriving.give(frame.held());
    }
  }

  private void open(String text) throws IOException {
    Request request = Request.parse(text, datasets, gate.sharesMemory());
    if (request.memory().isPresent() && !gate.sharesMemory()) {
      throw new IllegalArgumentException(
          "Cannot share memory with this client: it may be on another machine. Leave it out.");
    }
    SharedMemory shared = null;
    LoaderOptions options = request.options();
    if (options.reading().workers() == 0) {
      options = options.workers(1); // else nothing is made ahead, and no timeout holds
    }
    if (request.memory().isPresent()) {
      Path file = request.memory().get();
      shared = SharedMemory.map(file);
      options = shared.bounding(options).batchAllocator(shared);
    } else {
      options = options.batchAllocator(BatchAllocator.ofProcess());
    }
    keep(request.dataset(), options, shared);
    frames.write(FrameKind.OPENED, "{}");
  }

  private synchronized void keep(
      StructuredDataset dataset, LoaderOptions options, @Nullable SharedMemory shared) {
    try {
      if (closed || loader != null) {
        throw new IllegalStateException(
            "Cannot open a second loader: this connection has one already, or is closed.");
      }
      loader = DataLoader.of(dataset, options);
      memory = shared;
    } catch (Throwable e) {
      if (shared != null) {
        shared.close();
      }
      throw e;
    }
  }

  private void score(String text) throws IOException, InterruptedException {
    if (!gate.sharesMemory()) {
      throw new IllegalArgumentException(
          "Cannot write scores for a client over the network: no files are written on the server's"
              + " machine. Score where the model is, with an engine there.");
    }
    ClientScores.requireModule();
    ScoreRequest asked = ScoreRequest.parse(text, datasets);
    Path file =
        asked
            .reading()
            .memory()
            .orElseThrow(() -> new IllegalArgumentException("Cannot score without memory."));
    SharedMemory shared = SharedMemory.map(file);
    ClientModel scored = keep(new ClientModel(frames, shared, asked), shared);
    LoaderOptions options = shared.bounding(asked.reading().options()).batchAllocator(shared);
    String answer;
    try (scored) {
      answer = ClientScores.answer(asked, options, scored, frames);
    }
    frames.write(FrameKind.ANSWER, answer);
  }

  private synchronized ClientModel keep(ClientModel asked, SharedMemory shared) {
    if (closed || loader != null || model != null) {
      shared.close();
      throw new IllegalStateException(
          "Cannot score: this connection has a loader or scores already, or is closed.");
    }
    model = asked;
    memory = shared;
    return asked;
  }

  /// Hands over what the client made of a batch.
  private void outputs(Frame frame) throws ProtocolException {
    ClientModel asked;
    synchronized (this) {
      asked = model;
    }
    if (asked == null) {
      throw new ProtocolException("outputs where nothing is scored.");
    }
    asked.outputs(frame.contents().rewind());
    shortage.arriving.give(held);
    held = 0;
  }

  private synchronized DataLoader loader() {
    if (loader == null) {
      throw new IllegalStateException("Cannot do that before a loader is open.");
    }
    return loader;
  }

  private void begin(String text) {
    JsonFields fields = JsonTree.read("where to begin", text);
    int number = fields.integer("number");
    int credits = (int) fields.whole("credits", 1, CREDITS_MAX);
    OptionalLong at =
        fields.has("epoch")
            ? OptionalLong.of(fields.whole("epoch", 0, Long.MAX_VALUE))
            : OptionalLong.empty();
    LoaderState state = fields.has("state") ? LoaderState.parse(fields.text("state")) : null;
    fields.requireNoOthers();
    DataLoader opened = loader();
    Epoch next = new Epoch(number, opened, this, new Epoch.Beginning(at, state), credits, shortage);
    endEpoch();
    synchronized (this) {
      if (closed) {
        return;
      }
      epoch = next;
      epochThread = Thread.ofPlatform().daemon().name("penstock-epoch").start(next);
    }
  }

  /// Ends the running epoch, and waits until its thread leaves the loader alone.
  private void endEpoch() {
    Epoch running;
    Thread thread;
    synchronized (this) {
      running = epoch;
      thread = epochThread;
    }
    if (running != null && thread != null) {
      running.end();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException("Cannot begin an epoch: the connection is closed.", e);
      }
    }
  }

  private void more(ByteBuffer contents) throws IOException {
    if (contents.remaining() < 4 || contents.remaining() % 8 != 4) {
      throw new ProtocolException("credits of " + contents.remaining() + " bytes.");
    }
    int credits = contents.getInt();
    if (credits < 0 || credits > CREDITS_MAX) {
      throw new ProtocolException("credits for " + credits + " batches.");
    }
    while (contents.hasRemaining()) {
      Batch batch;
      synchronized (sent) {
        batch = sent.remove(contents.getLong());
      }
      if (batch != null) { // else it was freed already
        batch.close();
      }
    }
    Epoch now;
    synchronized (this) {
      now = epoch;
    }
    if (now != null && credits > 0) {
      now.more(credits);
    }
  }

  @Override
  public void columns(int number, Batch batch) throws IOException {
    Function<String, NullPolicy> nulls = loader().options().columns().nulls()::forColumn;
    frames.write(
        FrameKind.COLUMNS,
        Json.object(json -> {
          json.writeNumberProperty("number", number);
          BatchColumns.write(batch, nulls, json);
          json.writeArrayPropertyStart("warnings");
          for (Advice warning : loader().warnings()) {
            json.writeStartObject();
            Json.message(json, warning);
            json.writeEndObject();
          }
          json.writeEndArray();
        }));
  }

  @Override
  public void digest(int number, StepDigest digest) throws IOException {
    byte[] contents =
        Json.object(
                json -> {
                  json.writeNumberProperty("number", number);
                  json.writeStringProperty("digest", digest.toJson());
                })
            .getBytes(StandardCharsets.UTF_8);
    frames.gather(Frames.finish(Frames.begin(FrameKind.DIGEST, contents.length).put(contents)));
  }

  @Override
  public void batch(int number, Batch batch, byte[] state, List<Pair> pairs) throws IOException {
    Optional<SharedMemory> shared;
    synchronized (this) {
      shared = Optional.ofNullable(memory);
    }
    long id = ++lastBatch;
    ByteBuffer[] frame = new BatchSender(shared).frame(id, number, batch.rowCount(), state, pairs);
    if (shared.isEmpty()) {
      try (batch) {
        frames.gather(frame);
      }
      return;
    }
    synchronized (sent) {
      sent.put(id, batch);
    }
    if (isClosed()) {
      release(); // the end of the connection may have missed it
    } else {
      frames.gather(frame);
    }
  }

  @Override
  public boolean hasGathered() {
    return frames.hasGathered();
  }

  @Override
  public void flush() throws IOException {
    frames.flush();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void end(int number, String state) throws IOException {
    frames.write(
        FrameKind.END,
        Json.object(json -> {
          json.writeNumberProperty("number", number);
          json.writeStringProperty("state", state);
        }));
  }

  @Override
  public boolean isBroken() {
    return frames.isBroken();
  }

  @Override
  public void error(int number, Throwable met) {
    try {
      for (int pauses = 0; ; pauses++) {
        try {
          frames.write(FrameKind.ERROR, Errors.json(number, met));
          return;
        } catch (OutOfMemoryError e) {
          Shortage.pause(pauses, e);
        }
      }
    } catch (IOException | InterruptedException | OutOfMemoryError e) {
      hangUp(); // else a client that was not told would wait
      LOG.debug("Cannot tell a client its error", e);
    }
  }

  /// Ends the loader, so that whatever it does comes to an end.
  private void abandon() {
    DataLoader open;
    synchronized (this) {
      open = loader;
    }
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void hangUp() {
    Connections.disconnect(connection);
  }

  private void release() {
    synchronized (sent) {
      sent.values().forEach(Batch::close);
      sent.clear();
    }
  }

  /// Closes it, however short the heap is: else the client would wait, and its loader stay open.
  private void close() {
    try {
      boolean _ = Shortage.insist(closing);
    } catch (IOException | InterruptedException | OutOfMemoryError e) {
      LOG.debug("Cannot close all of a connection", e);
    } finally {
      hangUp();
      awaitScores();
    }
  }

  /// Waits until scores are left alone, a bounded time: whoever goes on with them may be the next
  /// client, and must not meet this one.
  private void awaitScores() {
    synchronized (this) {
      if (model == null) {
        return;
      }
    }
    try {
      if (!requests.awaitTermination(SCORES_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("A client is gone, but its scores are still worked on");
      }
    } catch (InterruptedException e) {
      LOG.debug("A connection was interrupted", e);
    }
  }

  private boolean closeAll() {
    // Interrupts also what is planned, opened or counted for a client that is gone.
    requests.shutdownNow().forEach(waiting -> ((RequestWork) waiting).drop());
    DataLoader open;
    SharedMemory shared;
    Epoch running;
    Thread thread;
    synchronized (this) {
      closed = true;
      open = loader;
      shared = memory;
      running = epoch;
      thread = epochThread;
    }
    if (shared != null) {
      shared.close(); // first: batches that the client holds stay as they are
    }
    if (running != null) {
      running.end();
    }
    if (thread != null) {
      thread.interrupt();
    }
    if (open != null) {
      open.close();
    }
    release();
    return true;
  }
}
