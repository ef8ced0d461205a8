package dev.penstock.advice;

/// An exception whose message names options or modules.
public interface Advised {
  /// {@return the message, with what it advises as data}
  Advice advice();

  /// {@return the class that messages name an exception by: that of the JDK for those which only
  /// add advice to it}
  ///
  /// @param met the exception
  static Class<?> type(Throwable met) {
    Class<?> type = met.getClass();
    return type.getPackage() == Advised.class.getPackage() ? type.getSuperclass() : type;
  }
}
