/// Readers of Parquet side by side in one JVM: who fills a column's buffers fastest.
///
/// Open [Compare] first. The types of this package are shared by all readers; each reader has a
/// package of its own, and a class loader of its own, so that no library meets another's version.
@NullMarked
package dev.penstock.benchmarks.readers;

import org.jspecify.annotations.NullMarked;
