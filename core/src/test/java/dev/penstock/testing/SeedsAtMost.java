package dev.penstock.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A class whose [Seeded] tests run with fewer seeds, because each takes long.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface SeedsAtMost {
  /// Returns how many seeds to run with at most.
  int value();
}
