package dev.penstock.blackbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that runs with many seeds and takes a `java.util.Random`.
///
/// A failure prints its seed; `-Dseed=...` runs that one alone.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeededExtension.class)
@interface Seeded {
  /// Returns how many seeds to run with.
  int runs() default 100;
}
