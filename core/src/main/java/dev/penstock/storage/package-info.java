/// What users of a loader see of stores: a [Location] names a file or folder, and a
/// [StorageException] says why a store gave no data.
///
/// What a store implements is in `dev.penstock.spi.storage`.
@NullMarked
package dev.penstock.storage;

import org.jspecify.annotations.NullMarked;
