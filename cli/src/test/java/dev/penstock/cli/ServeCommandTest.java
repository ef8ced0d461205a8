package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Places where `serve` cannot listen: a sentence each.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "files there have no such rights")
class ServeCommandTest {
  @TempDir private Path folder;

  private static void isRefused(int status, String sentence, String... options) {
    String[] serve = new String[options.length + 1];
    serve[0] = "serve";
    System.arraycopy(options, 0, serve, 1, options.length);
    CommandRun run = CommandRun.of(serve);
    assertThat(run.err()).startsWith(sentence);
    assertThat(run.status()).isEqualTo(status);
  }

  @Test
  void aSocketNeedsAFolder() {
    Path socket = folder.resolve("none/s");
    isRefused(
        1,
        "Cannot serve at '%s': there is no folder '%s'. Make it, or name another path.\n"
            .formatted(socket, socket.getParent()),
        "--socket",
        socket.toString());
  }

  @Test
  void aFileInTheWayOfASocketIsLeft() throws IOException {
    Path file = Files.writeString(folder.resolve("s"), "data");
    isRefused(
        1,
        "Cannot serve at '%s': it exists already. Name another path, or delete it if no server uses it.\n"
            .formatted(file),
        "--socket",
        file.toString());
    assertThat(file).hasContent("data");
  }

  @Test
  void aPathMayBeTooLongForASocket() {
    Path socket = folder.resolve("s".repeat(200));
    isRefused(1, "Cannot serve at '" + socket + "': ", "--socket", socket.toString());
  }

  @Test
  void aPortMayBeTakenAndAFileMissing() throws IOException {
    String token =
        Files.createFile(
                folder.resolve("token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
            .toString();
    Files.writeString(Path.of(token), "0123456789abcdef");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      isRefused(
          1, "Cannot listen at '" + address + "': ", "--listen", address, "--token-file", token);
    }
    isRefused(
        1,
        "Cannot read '" + folder.resolve("none") + "', a certificate or its key: there is no such",
        "--listen",
        "127.0.0.1:0",
        "--token-file",
        token,
        "--tls",
        token + "," + folder.resolve("none"));
    isRefused(
        2,
        "Cannot listen at 'no host:7200': this machine knows no host of that name.",
        "--listen",
        "no host:7200",
        "--token-file",
        token);
  }
}
