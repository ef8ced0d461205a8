/// Training ranks as tasks of Apache Spark.
///
/// Open [SparkRanks] first.
@NullMarked
package dev.penstock.spark;

import org.jspecify.annotations.NullMarked;
