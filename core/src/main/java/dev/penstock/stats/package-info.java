/// What a loader counts while it works: where its workers' time goes ([Stage], [StageTimes]), and
/// how many batches are ready. [dev.penstock.LoaderStats] has them all.
@NullMarked
package dev.penstock.stats;

import org.jspecify.annotations.NullMarked;
