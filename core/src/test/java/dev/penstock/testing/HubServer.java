package dev.penstock.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Hugging Face Hub with one data set, `owner/name`, on the loopback interface: the calls
/// `revision`, `tree` and `resolve` as the Hub documents them, and another server that has the
/// bytes of its large files, at addresses that are signed.
///
/// A test may let something else answer first, at either server.
public final class HubServer implements AutoCloseable {
  public static final String MAIN = "main";
  public static final String EXPORT = "refs/convert/parquet";

  /// Files with this extension are small ones, which the Hub sends itself.
  public static final String SMALL = ".txt";

  private static final String API = "/api/datasets/owner/name/";
  private static final String RESOLVE = "/datasets/owner/name/resolve/";
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]+)");

  private final HttpServer hub;
  private final HttpServer cdn;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> cdnRequests = new CopyOnWriteArrayList<>();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final List<String> cdnTokens = new CopyOnWriteArrayList<>();
  private final Map<String, String> branches = new ConcurrentHashMap<>();
  private final Map<String, SequencedMap<String, byte[]>> commits = new ConcurrentHashMap<>();
  private final Map<String, byte[]> contents = new ConcurrentHashMap<>(); // by hash
  private final AtomicInteger signature = new AtomicInteger(1);
  private volatile RangeServer.Answer answer = _ -> false;
  private volatile RangeServer.Answer cdnAnswer = _ -> false;
  private volatile int pageFiles = 1_000;
  private volatile long millis;

  public HubServer() throws IOException {
    hub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    cdn = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    hub.createContext("/", exchange -> handle(exchange, requests, tokens, this::answerOfHub));
    cdn.createContext("/", exchange -> handle(exchange, cdnRequests, cdnTokens, this::answerOfCdn));
    hub.setExecutor(executor);
    cdn.setExecutor(executor);
    hub.start();
    cdn.start();
  }

  /// Returns the address, for storage option `endpoint`.
  public String url() {
    return "http://127.0.0.1:" + hub.getAddress().getPort();
  }

  /// Returns the address of the server with the bytes.
  public String cdnUrl() {
    return "http://127.0.0.1:" + cdn.getAddress().getPort();
  }

  /// Returns what the Hub was asked: method, path and query.
  public List<String> requests() {
    return requests;
  }

  /// Returns what the server with the bytes was asked.
  public List<String> cdnRequests() {
    return cdnRequests;
  }

  /// Returns the headers `Authorization` that the Hub was sent.
  public List<String> tokens() {
    return tokens;
  }

  /// Returns those that the server with the bytes was sent.
  public List<String> cdnTokens() {
    return cdnTokens;
  }

  /// Lets something else answer first.
  public void answer(RangeServer.Answer first) {
    answer = first;
  }

  public void cdnAnswer(RangeServer.Answer first) {
    cdnAnswer = first;
  }

  public void pageFiles(int most) {
    pageFiles = most;
  }

  /// Lets each answer take so long.
  public void delay(long time) {
    millis = time;
  }

  /// Lets addresses that were given out be too old.
  public void expire() {
    signature.incrementAndGet();
  }

  /// Moves a branch to a new commit, which has these files.
  ///
  /// @return the commit
  public String commit(String branch, Map<String, byte[]> files) {
    StringBuilder all = new StringBuilder(branch + commits.size());
    files.forEach((path, bytes) -> {
      String hash = hash(bytes);
      all.append(path).append(hash);
      contents.put(hash, bytes);
    });
    String commit = hash(all.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 40);
    commits.put(commit, new TreeMap<>(files));
    branches.put(branch, commit);
    return commit;
  }

  /// Moves a branch to a new commit, which has the files of a folder.
  public String commit(String branch, Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(path).toString(), Files.readAllBytes(path));
      }
    }
    return commit(branch, files);
  }

  /// Sends a text.
  public static boolean send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    return true;
  }

  /// Refuses a request as the Hub does.
  public static boolean refuse(HttpExchange exchange, int status, String code) throws IOException {
    exchange.getResponseHeaders().set("X-Error-Code", code);
    exchange.getResponseHeaders().set("X-Error-Message", "told by the Hub");
    return send(exchange, status, exchange.getRequestMethod().equals("HEAD") ? "" : "{}");
  }

  public static boolean redirect(HttpExchange exchange, String target) throws IOException {
    exchange.getResponseHeaders().set("Location", target);
    return send(exchange, 302, "");
  }

  private void handle(
      HttpExchange exchange, List<String> asked, List<String> sent, RangeServer.Answer usual)
      throws IOException {
    try (exchange) {
      asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      sent.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
      if (millis > 0) {
        Thread.sleep(millis);
      }
      usual.answered(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean answerOfHub(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    if (answer.answered(exchange)) {
      return true;
    }
    if (path.startsWith(API + "revision/")) {
      String commit = commitOf(path.substring((API + "revision/").length()));
      return commit.isEmpty()
          ? refuse(exchange, 404, "RevisionNotFound")
          : send(
              exchange,
              200,
              "{\"id\": \"owner/name\", \"gated\": null, \"sha\": \"" + commit + "\"}");
    }
    if (path.startsWith(API + "tree/")) {
      String[] parts = path.substring((API + "tree/").length()).split("/", 2);
      return tree(exchange, commitOf(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
    }
    if (path.startsWith(RESOLVE)) {
      String[] parts = path.substring(RESOLVE.length()).split("/", 2);
      return resolve(exchange, commitOf(parts[0]), decoded(parts[1]));
    }
    return refuse(exchange, 401, "RepoNotFound");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private String commitOf(String revision) {
    String name = decoded(revision);
    return commits.containsKey(name) ? name : branches.getOrDefault(name, "");
  }

  private boolean tree(HttpExchange exchange, String commit, String folder) throws IOException {
    if (commit.isEmpty()) {
      return refuse(exchange, 404, "RevisionNotFound");
    }
    List<String> paths = new ArrayList<>();
    SequencedMap<String, byte[]> files = Objects.requireNonNull(commits.get(commit));
    for (String path : files.keySet()) {
      if (folder.isEmpty() || path.startsWith(folder + "/")) {
        paths.add(path);
      }
    }
    if (paths.isEmpty() && !folder.isEmpty()) {
      return refuse(exchange, 404, "EntryNotFound");
    }
    Matcher cursor =
        Pattern.compile("cursor=([0-9]+)").matcher(exchange.getRequestURI().getQuery());
    int from = cursor.find() ? Integer.parseInt(cursor.group(1)) : 0;
    int end = Math.min(paths.size(), from + pageFiles);
    List<String> entries = new ArrayList<>();
    entries.add("{\"type\": \"directory\", \"oid\": \"1\", \"size\": 0, \"path\": \"any\"}");
    for (String path : paths.subList(from, end)) {
      byte[] bytes = Objects.requireNonNull(files.get(path));
      String lfs =
          path.endsWith(SMALL)
              ? ""
              : ", \"lfs\": {\"oid\": \"" + hash(bytes) + "\", \"size\": " + bytes.length + "}";
      entries.add(
          "{\"type\": \"file\", \"oid\": \""
              + hash(bytes).substring(0, 40)
              + "\", \"size\": "
              + bytes.length
              + lfs
              + ", \"path\": \""
              + path
              + "\"}");
    }
    if (end < paths.size()) {
      exchange
          .getResponseHeaders()
          .set(
              "Link",
              "<https://other.example"
                  + exchange.getRequestURI().getRawPath()
                  + "?recursive=true&cursor="
                  + end
                  + ">; rel=\"next\"");
    }
    return send(exchange, 200, entries.toString());
  }

  private boolean resolve(HttpExchange exchange, String commit, String path) throws IOException {
    if (commit.isEmpty()) {
      return refuse(exchange, 404, "RevisionNotFound");
    }
    exchange.getResponseHeaders().set("X-Repo-Commit", commit);
    byte[] bytes = Objects.requireNonNull(commits.get(commit)).get(path);
    if (bytes == null) {
      return refuse(exchange, 404, "EntryNotFound");
    }
    if (path.endsWith(SMALL)) {
      exchange.getResponseHeaders().set("ETag", "\"" + hash(bytes).substring(0, 40) + "\"");
      return sendRange(exchange, bytes);
    }
    exchange.getResponseHeaders().set("X-Linked-Size", "" + bytes.length);
    exchange.getResponseHeaders().set("X-Linked-ETag", "\"" + hash(bytes) + "\"");
    return redirect(
        exchange, cdnUrl() + "/" + hash(bytes) + "?Signature=s3cret-" + signature.get());
  }

  private boolean answerOfCdn(HttpExchange exchange) throws IOException {
    if (cdnAnswer.answered(exchange)) {
      return true;
    }
    if (!("Signature=s3cret-" + signature.get()).equals(exchange.getRequestURI().getQuery())) {
      return send(exchange, 403, "expired");
    }
    byte[] bytes = contents.get(exchange.getRequestURI().getPath().substring(1));
    return bytes == null ? send(exchange, 404, "") : sendRange(exchange, bytes);
  }

  private static boolean sendRange(HttpExchange exchange, byte[] bytes) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", "" + bytes.length);
      exchange.sendResponseHeaders(200, -1);
      return true;
    }
    String range = exchange.getRequestHeaders().getFirst("Range");
    Matcher wanted = RANGE.matcher(range == null ? "" : range);
    if (!wanted.matches()) {
      exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      return true;
    }
    int first = Integer.parseInt(wanted.group(1));
    int end = (int) Math.min(bytes.length, Long.parseLong(wanted.group(2)) + 1);
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes " + first + "-" + (end - 1) + "/" + bytes.length);
    exchange.sendResponseHeaders(206, end - first);
    exchange.getResponseBody().write(bytes, first, end - first);
    return true;
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    hub.stop(0);
    cdn.stop(0);
    executor.close();
  }
}
