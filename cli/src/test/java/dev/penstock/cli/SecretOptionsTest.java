package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.request.OptionTable;
import dev.penstock.testing.RangeServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// Secrets that are not on the command line: in files and in variables of the environment.
class SecretOptionsTest {
  private static final String SECRET = "hush-hush";

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("storage.env");
  }

  private Path written(String text) throws IOException {
    Files.writeString(file, text);
    if (!OS.WINDOWS.isCurrentOs()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  private static KeyValues storage(Map<String, String> environment) {
    return new KeyValues("--storage", environment::get);
  }

  /// Returns what is printed and logged, as one text.
  private static String told(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      CommandRun run = CommandRun.of(args);
      return run.out() + run.err() + log.toString(StandardCharsets.UTF_8);
    } finally {
      System.setErr(before);
    }
  }

  /// Returns what the requests of a command had as `Authorization`.
  private Queue<String> sent(String... storage) throws IOException {
    Files.writeString(folder.resolve("a.csv"), "a\n1\n");
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    try (RangeServer server = new RangeServer(folder)) {
      server.answer(exchange -> {
        seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        return false;
      });
      String[] args = new String[storage.length + 2];
      args[0] = "cat";
      args[1] = server.url() + "/a.csv";
      System.arraycopy(storage, 0, args, 2, storage.length);
      assertThat(CommandRun.of(args).printed()).isEqualTo("{\"a\":1}\n");
    }
    return seen;
  }

  @Test
  void aFileHasStorageOptions() throws IOException {
    String options =
        written("# ours\n\nattempts = 2\r\n bearer-token=" + SECRET + "  \n").toString();
    assertThat(sent("--storage-file", options)).isNotEmpty().containsOnly("Bearer " + SECRET);
    assertThat(sent("--storage", "bearer-token=other", "--storage-file", options))
        .containsOnly("Bearer other");
  }

  @Test
  void aVariableStandsForItsValue() throws IOException {
    Map.Entry<String, String> variable =
        System.getenv().entrySet().stream()
            .filter(each -> each.getValue().matches("[!-~]+"))
            .findFirst()
            .orElseThrow();
    String named = "bearer-token=@env:" + variable.getKey();
    assertThat(sent("--storage", named)).containsOnly("Bearer " + variable.getValue());
    assertThat(sent("--storage-file", written(named).toString()))
        .containsOnly("Bearer " + variable.getValue());
  }

  @Test
  void aFileIsReadOnceForItMayBeAPipe() throws IOException {
    RequestOptions options = RequestOptions.reading();
    CommandSpec command = CommandSpec.create();
    options.addTo(command);
    CommandLine line = new CommandLine(command);
    line.parseArgs("--mix", "1=a.csv", "--storage-file", written("region=x\n").toString());
    assertThat(options.byKey(OptionTable.STORAGE)).isEqualTo(Map.of("region", "x"));
    Files.delete(file);
    assertThat(options.byKey(OptionTable.STORAGE)).isEqualTo(Map.of("region", "x"));
  }

  @Test
  void valuesComeFromFilesThenFromTheCommandLine() throws IOException {
    written("a=1\nb=x=y\nc=@env:TOKEN\n");
    assertThat(
            storage(Map.of("TOKEN", "@env:OTHER"))
                .read(List.of(file), List.of("a=2", "d=@env:TOKEN", "e=")))
        .isEqualTo(Map.of("a", "2", "b", "x=y", "c", "@env:OTHER", "d", "@env:OTHER", "e", ""));
  }

  @Test
  void aVariableThatIsNotSetIsNamedByItsOption() {
    KeyValues storage = storage(Map.of("EMPTY", ""));
    assertThatThrownBy(() -> storage.read(List.of(), List.of("bearer-token=@env:" + SECRET)))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "Cannot use --storage bearer-token: the environment variable that it names is not set."
                + " Export it, and write @env: and its name, without a $.");
    assertThatThrownBy(() -> storage.read(List.of(), List.of("bearer-token=@env:EMPTY")))
        .hasMessageContaining("is empty. Export it");
    CommandRun catalog =
        CommandRun.of("schema", "--table", "a.b", "--catalog", "token=@env:PENSTOCK_" + SECRET);
    assertThat(catalog.status()).isEqualTo(2);
    assertThat(catalog.err())
        .startsWith("Cannot use --catalog token: the environment variable that it names is not set")
        .doesNotContain(SECRET);
  }

  @Test
  void aFileHasOptionsOfTheCatalog() throws IOException {
    String options = written("type=jdbc\njdbc.password=" + SECRET + "\n").toString();
    CommandRun both = CommandRun.of("schema", "--metadata", "x", "--catalog-file", options);
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("Cannot use --catalog and --metadata together");
    CommandRun run = CommandRun.of("schema", "--table", "a.b", "--catalog-file", options);
    assertThat(run.err())
        .startsWith("Cannot open table 'a.b': a jdbc catalog needs --catalog uri.")
        .doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SECRET, // nothing but the secret
        "hush+hush/hush==", // the same, in base64 as it often is
        "hush==",
        "=" + SECRET,
        "bearer-token " + SECRET,
        "export bearer-token=" + SECRET,
        "bearer-token=",
        "{\"bearer-token\": \"" + SECRET + "=\"}",
      })
  void aLineThatIsNoOptionIsTold(String line) throws IOException {
    CommandRun run =
        CommandRun.of(
            "schema", "http://127.0.0.1:9/a.csv", "--storage-file", written("\n" + line) + "");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "Cannot use '"
                + file
                + "' of --storage-file: line 2 is not KEY=VALUE. Write one option a line; lines that"
                + " begin with # are left out.\n")
        .doesNotContain("hush");
  }

  @Test
  void filesThatCannotBeReadAreTold() throws IOException {
    for (String option : List.of("--storage-file", "--catalog-file")) {
      CommandRun absent = CommandRun.of("schema", "--table", "a.b", option, file.toString());
      assertThat(absent.status()).isEqualTo(2);
      assertThat(absent.err())
          .startsWith("Cannot read '" + file + "' of " + option + ": there is no such file.\n");
    }
    String[] schema = {"schema", "a.csv", "--storage-file", file.toString()};
    Files.write(file, new byte[] {'a', '=', (byte) 0xff});
    assertThat(CommandRun.of(schema).err()).contains(": it is not text in UTF-8.");
    Files.write(file, new byte[(1 << 16) + 1]);
    assertThat(CommandRun.of(schema).err()).contains(": it has more than 65536 bytes.");
    CommandRun serve =
        CommandRun.of("serve", "--listen", "127.0.0.1:0", "--token-file", folder + "/none");
    assertThat(serve.status()).isEqualTo(2);
    assertThat(serve.err())
        .startsWith("Cannot read '" + folder + "/none' of --token-file: there is no such file.");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "files there have no such rights")
  void aFileForEveryUserIsWarnedOf() throws IOException {
    String[] schema = {
      "schema", folder + "/none.csv", "--storage-file", file.toString(), "--storage", "region=x",
    };
    written("bearer-token=" + SECRET + "\n");
    assertThat(told(schema)).doesNotContain("WARN");
    for (String rights : List.of("rw----r--", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
      assertThat(told(schema))
          .containsOnlyOnce("WARN")
          .contains(
              "Every user of this machine may read or change '"
                  + file
                  + "' of --storage-file. Allow it to its owner only: chmod 600.")
          .doesNotContain(SECRET);
    }
  }
}
