/// The threads of loaders, and all waiting: for users' code, and of a consumer.
///
/// Open [WorkerPool] first: it starts the threads, gives each a [WorkerTask], and ends them
/// whatever users' code does.
@NullMarked
package dev.penstock.internal.workers;

import org.jspecify.annotations.NullMarked;
