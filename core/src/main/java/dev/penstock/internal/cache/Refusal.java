package dev.penstock.internal.cache;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/// Says in words why the operating system refused something.
final class Refusal {
  private Refusal() {}

  static String reason(IOException refused) {
    return switch (refused) {
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "it is a file";
      case FileSystemException told when told.getReason() != null -> told.getReason();
      default -> refused.getMessage() == null ? refused.toString() : refused.getMessage();
    };
  }
}
