/// Models that are applied to batches.
///
/// Open [dev.penstock.model.Model] first.
@NullMarked
package dev.penstock.model;

import org.jspecify.annotations.NullMarked;
