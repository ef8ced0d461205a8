package dev.penstock.spark;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What a rank gives back, on its way to the driver.
///
/// @param <R> what it is
/// @param value something serializable, or null
record RankResult<R extends @Nullable Object>(R value) implements Serializable {}
