/// Decodes the rows of an epoch, run by run.
///
/// Start with [RunDecoder], the work of one worker. A [RunSource] opens the reader of a run,
/// [RowSteps] says what is done with its rows, and [FetchAhead] fetches their bytes ahead.
@NullMarked
package dev.penstock.internal.decode;

import org.jspecify.annotations.NullMarked;
