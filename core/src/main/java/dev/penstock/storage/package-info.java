/// Where bytes live: what a store implements.
///
/// Open [Storage] first; a [Location] names a file or folder in it. A store behind a network is a
/// [RemoteStorage] over its [RemoteRequests].
@NullMarked
package dev.penstock.storage;

import org.jspecify.annotations.NullMarked;
