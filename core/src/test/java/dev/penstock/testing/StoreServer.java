package dev.penstock.testing;

import java.io.IOException;

/// An object store that tests start, fill and kill.
public interface StoreServer extends AutoCloseable {
  /// Returns the port on the loopback interface.
  int port();

  /// Stores an object, in a bucket that is made if it is not there.
  void put(String bucket, String name, byte[] content) throws IOException;

  /// Deletes an object.
  void delete(String bucket, String name) throws IOException;

  /// Kills the server.
  void stop();

  @Override
  default void close() {
    stop();
  }
}
