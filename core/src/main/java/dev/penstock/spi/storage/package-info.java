/// The interfaces of a store, where bytes live. Users of a loader do not need them.
///
/// Open [Storage] first. A network store is a [RemoteStorage] over its [RemoteRequests].
@NullMarked
package dev.penstock.spi.storage;

import org.jspecify.annotations.NullMarked;
