package dev.penstock.score;

import java.time.Duration;

/// What a run of a [Scorer] did.
///
/// @param rows the rows that it wrote
/// @param skipped the rows that the model failed for, and that were left out
/// @param parts the parts that it made
/// @param found the parts of this rank that were there before
/// @param partsTotal the parts of all ranks
/// @param bytes the bytes of the files that it wrote
/// @param elapsed how long it took
/// @param reading how long its threads waited for rows, all added up, as the next three
/// @param scoring how long they were in the model
/// @param encoding how long they made Parquet of the results
/// @param storing how long they waited for the store
/// @param isComplete whether all parts of all ranks are there, and the manifest
public record ScoreResult(
    long rows,
    long skipped,
    int parts,
    int found,
    int partsTotal,
    long bytes,
    Duration elapsed,
    Duration reading,
    Duration scoring,
    Duration encoding,
    Duration storing,
    boolean isComplete) {}
