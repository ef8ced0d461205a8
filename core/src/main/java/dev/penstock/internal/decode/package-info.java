/// Decodes the rows of an epoch, run by run.
///
/// Open [RunDecoder] first: what a worker does. A [RunSource] opens the reader of a run, and
/// [RowSteps] says what is done with its rows, from files that [FetchAhead] has asked for.
@NullMarked
package dev.penstock.internal.decode;

import org.jspecify.annotations.NullMarked;
