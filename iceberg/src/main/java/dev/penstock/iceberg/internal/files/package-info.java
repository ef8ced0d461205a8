/// The files that a table's metadata names, opened from our stores: where they are now, with which
/// access, and whether they are as long as is stated.
///
/// Open [TableFiles] first: Iceberg's metadata and our data go through it. [StoreAccess] is what
/// the stores are told.
@NullMarked
package dev.penstock.iceberg.internal.files;

import org.jspecify.annotations.NullMarked;
