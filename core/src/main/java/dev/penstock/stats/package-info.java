/// What a loader counts while it works: where time goes ([EpochTimes], [Stage]), what was read, how
/// much memory it holds, how many batches are ready. [LoaderStats] has them all.
@NullMarked
package dev.penstock.stats;

import org.jspecify.annotations.NullMarked;
