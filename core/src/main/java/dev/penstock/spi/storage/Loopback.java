package dev.penstock.spi.storage;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The loopback interface, which a secret may pass without encryption: nobody else's machine sees
/// it.
///
/// Stores ask for the host as it is written. A name is not looked up, because whoever answers for
/// it may say something else when the connection is made.
public final class Loopback {
  private static final String NUMBER = "(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
  private static final Pattern HOST =
      Pattern.compile("localhost|::1|\\[::1]|127(?:\\." + NUMBER + "){3}");

  private Loopback() {}

  /// {@return whether a host is this machine, whatever a name server says: `localhost`, `::1` with
  /// or without brackets, and addresses of `127.0.0.0/8` written as four decimal numbers}
  ///
  /// @param host the host of an address; null if it has none
  public static boolean isHost(@Nullable String host) {
    return host != null && HOST.matcher(host).matches();
  }
}
