package dev.penstock.iceberg;

import dev.penstock.split.FileDetails;

/// What a table knows of a data file.
///
/// @param path where the table says it is
record IcebergDataFileInfo(String path) implements FileDetails {}
