/// Where bytes live: what a store implements.
///
/// Open [Storage] first; a [Location] names a file or folder in it.
@NullMarked
package dev.penstock.storage;

import org.jspecify.annotations.NullMarked;
