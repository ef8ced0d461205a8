package dev.penstock.cli;

import dev.penstock.cli.measure.RowDigest;

/// The part of an epoch that an earlier run of `load` has received.
///
/// @param rank the rank of the part, as `index/count`
/// @param rows how many rows it has
/// @param digest the digest of their values
record BegunEpoch(String rank, long rows, RowDigest digest) {}
