package dev.penstock.cli;

import dev.penstock.cli.output.Terminal;
import dev.penstock.serve.Server;
import dev.penstock.serve.Server.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock serve`: loaders for other processes.
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Serves loaders to other processes, such as those of the Python package penstock-torch, until"
          + " Ctrl-C.",
      "A client names what to read and how; it reads what this process can read, with its"
          + " credentials."
    },
    footer = {
      "penstock serve --socket penstock.sock",
      "penstock serve --listen 127.0.0.1:7200 --token-file token"
    })
final class ServeCommand implements Callable<Integer> {
  private static final Pattern ADDRESS = Pattern.compile("(.*):([0-9]{1,5})");

  private final Terminal terminal;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description =
          "Serve processes of this user on this machine at a Unix socket, through shared memory.")
  private @Nullable Path socket;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Serve other machines at a TCP port; 0 chooses a free one. Needs --token-file and, except"
              + " on 127.0.0.1, --tls.")
  private @Nullable String listen;

  @Option(
      names = "--tls",
      paramLabel = "CERT,KEY",
      split = ",",
      hideParamSyntax = true,
      description =
          "PEM files of the server's certificate, with those that signed it, and of its private key.")
  private List<Path> tls = List.of();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token that clients have to say, at least 16 characters.")
  private @Nullable Path tokenFile;

  ServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if ((socket == null) == (listen == null)) {
      throw new UsageException("Cannot serve: give either --socket or --listen.");
    }
    try (Server server = terminal.closeOnInterrupt(socket == null ? network() : local(socket))) {
      String place =
          server
              .address()
              .map(address -> address.getHostString() + ":" + address.getPort())
              .orElseGet(() -> String.valueOf(socket));
      terminal.say("Serving at " + place + "; Ctrl-C ends it.");
      server.run();
    } catch (IOException e) {
      throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
    }
    return terminal.isInterrupted() ? Main.INTERRUPTED : Main.DONE;
  }

  private Server local(Path path) throws IOException {
    if (!tls.isEmpty() || tokenFile != null) {
      throw new UsageException(
          "Cannot use --tls or --token-file with --socket, which only this user's processes reach.");
    }
    return Server.local(path);
  }

  private Server network() throws IOException {
    if (tokenFile == null) {
      throw new UsageException("Cannot use --listen without --token-file.");
    }
    if (!tls.isEmpty() && tls.size() != 2) {
      throw new UsageException(
          "Cannot use --tls with " + tls.size() + " files: expected CERT,KEY.");
    }
    tls.stream().skip(1).forEach(key -> SecretFile.warnIfOpen("--tls", key));
    Optional<TlsFiles> files =
        tls.isEmpty() ? Optional.empty() : Optional.of(new TlsFiles(tls.get(0), tls.get(1)));
    return Server.network(address(), files, SecretFile.text("--token-file", tokenFile).strip());
  }

  private InetSocketAddress address() {
    Matcher address = ADDRESS.matcher(String.valueOf(listen));
    if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
      throw new UsageException(
          "Cannot listen at '" + listen + "': expected HOST:PORT, such as 0.0.0.0:7200.");
    }
    InetSocketAddress found =
        new InetSocketAddress(address.group(1), Integer.parseInt(address.group(2)));
    if (found.isUnresolved()) {
      throw new UsageException(
          "Cannot listen at '" + listen + "': this machine knows no host of that name.");
    }
    return found;
  }
}
