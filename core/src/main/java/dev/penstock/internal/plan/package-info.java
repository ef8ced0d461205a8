/// Plans what an epoch reads before a row is read: the sequence of splits, its shares and runs.
///
/// In order: [Planner] orders splits, [Sequence] counts their rows, [Dealing] gives each rank its
/// share, [RowRun] is the part that a worker takes.
@NullMarked
package dev.penstock.internal.plan;

import org.jspecify.annotations.NullMarked;
