package dev.penstock.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that runs with many seeds and takes a `java.util.Random`.
///
/// With odd seeds no dataset keeps a footer that it can read anew, see [#dropsFooters()].
///
/// At night it runs with all of them, each night with others; else with the first tenth, at least
/// three. A failure prints the command that runs it again with the same seed.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeededExtension.class)
public @interface Seeded {
  /// Returns how many seeds to run with at night.
  int runs() default 100;

  /// Returns whether footers are dropped with odd seeds: a test that counts requests may need them.
  boolean dropsFooters() default true;
}
