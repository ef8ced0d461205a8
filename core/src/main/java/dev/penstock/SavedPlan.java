package dev.penstock;

import dev.penstock.storage.Location;

/// A plan of a dataset's files, see [StructuredDataset#savePlan].
///
/// @param location the file
/// @param isNew whether it was written now; false if it was there already
public record SavedPlan(Location location, boolean isNew) {}
