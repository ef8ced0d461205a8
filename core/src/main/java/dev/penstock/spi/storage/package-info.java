/// Where bytes live: what a store implements. Users of a loader need none of it.
///
/// Open [Storage] first. A store behind a network is a [RemoteStorage] over its [RemoteRequests].
@NullMarked
package dev.penstock.spi.storage;

import org.jspecify.annotations.NullMarked;
