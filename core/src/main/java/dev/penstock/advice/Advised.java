package dev.penstock.advice;

/// An exception whose message names options or modules.
public interface Advised {
  /// {@return the message, with what it advises as data}
  Advice advice();

  /// {@return the class by which messages name an exception} For an exception that only adds advice
  /// to one of the JDK, it is the JDK's class.
  ///
  /// @param met the exception
  static Class<?> type(Throwable met) {
    Class<?> type = met.getClass();
    return type.getPackage() == Advised.class.getPackage() ? type.getSuperclass() : type;
  }
}
