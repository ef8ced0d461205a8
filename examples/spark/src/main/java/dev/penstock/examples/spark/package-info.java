/// Programs for a Spark cluster, run by `examples/run` or by `spark-submit`.
@NullMarked
package dev.penstock.examples.spark;

import org.jspecify.annotations.NullMarked;
