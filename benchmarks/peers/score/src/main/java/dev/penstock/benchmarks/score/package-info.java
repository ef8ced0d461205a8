/// A model over a table: by Penstock, by Spark, and from memory. See `benchmarks/score.sh`.
@NullMarked
package dev.penstock.benchmarks.score;

import org.jspecify.annotations.NullMarked;
