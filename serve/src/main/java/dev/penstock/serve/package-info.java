/// Loaders for other processes: a client opens one, and gets its batches in memory that both map,
/// or over the network.
///
/// Start with [Server]; a client's side is [Session]. The frames between them are described in
/// docs/reference/serving-protocol.md.
@NullMarked
package dev.penstock.serve;

import org.jspecify.annotations.NullMarked;
