package dev.penstock.spark;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A rank's result on its way to the driver.
///
/// @param <R> the type of the result
/// @param value something serializable, or null
record RankResult<R extends @Nullable Object>(R value) implements Serializable {}
