/// Side-by-side runs against other loaders, and the limits they are judged by. Never published.
///
/// Open [LoaderRun] first: it delivers one workload and prints one line of JSON, as every system
/// that we compare with does.
@NullMarked
package dev.penstock.benchmarks;

import org.jspecify.annotations.NullMarked;
