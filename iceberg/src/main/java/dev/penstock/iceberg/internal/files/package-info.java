/// The files that a table's metadata names, opened from our stores: their current location, their
/// credentials, and whether they have the stated size.
///
/// Open [TableFiles] first: Iceberg's metadata and our data go through it. [StoreAccess] holds the
/// stores' options.
@NullMarked
package dev.penstock.iceberg.internal.files;

import org.jspecify.annotations.NullMarked;
