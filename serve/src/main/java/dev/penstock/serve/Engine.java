package dev.penstock.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.LoggerFactory;

/// A server for the processes of one user on this machine, at a Unix socket: the first of them
/// starts it, and it ends with the last.
///
/// A client holds the lock while it connects, and starts an engine if none answers; the engine
/// holds it while it ends. So no client finds an engine that is about to end.
public final class Engine {
  /// How long it waits for its first client, whose process may have died.
  private static final long FIRST_MILLIS = 30_000;

  private static final int WRITE_ONLY = 1; // O_WRONLY
  private static final int STDERR = 2;

  private static final long ENDLESS = Long.MAX_VALUE / 2_000_000;

  private Engine() {}

  /// Serves until the last client is gone. Prints `ready` when clients can connect.
  ///
  /// @param args the path of the socket, and that of the file to lock
  /// @throws Exception if it cannot serve
  public static void main(String[] args) throws Exception {
    Path lock = Path.of(args[1]);
    Server server = Server.local(Path.of(args[0]));
    Thread.ofPlatform().daemon().start(server::run);
    System.out.println("ready");
    System.out.close();
    try (FileChannel file =
        FileChannel.open(lock, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      server.await(true, FIRST_MILLIS);
      boolean ended = false;
      while (!ended) {
        server.await(false, ENDLESS);
        try (FileLock _ = file.lock()) {
          ended = !server.hasClients();
          if (ended) {
            server.close();
          }
        }
      }
    }
    silence();
    System.exit(0); // whatever still runs
  }

  /// Leaves stderr to the process that started this one. At its exit, a JVM that writes an
  /// ahead-of-time cache starts another, which prints how it was started.
  private static void silence() {
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = linker.defaultLookup();
    if (library.find("open").isEmpty() || library.find("dup2").isEmpty()) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      int nowhere =
          (int)
              linker
                  .downcallHandle(
                      library.findOrThrow("open"),
                      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                      Linker.Option.firstVariadicArg(2))
                  .invokeExact(arena.allocateFrom("/dev/null"), WRITE_ONLY);
      int _ =
          (int)
              linker
                  .downcallHandle(
                      library.findOrThrow("dup2"),
                      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT))
                  .invokeExact(nowhere, STDERR);
    } catch (Throwable e) {
      LoggerFactory.getLogger(Engine.class).debug("Cannot close stderr", e);
    }
  }
}
