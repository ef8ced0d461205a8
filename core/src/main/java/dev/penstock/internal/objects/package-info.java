/// Rows that are Java objects: epochs of datasets from users' code.
///
/// Start with [SampleEpoch].
@NullMarked
package dev.penstock.internal.objects;

import org.jspecify.annotations.NullMarked;
