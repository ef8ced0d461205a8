package dev.penstock.advice;

/// An exception whose message names options or modules.
public interface Advised {
  /// {@return the message, with what it advises as data}
  Advice advice();
}
