/// The threads of loaders, and all waits of workers and consumers.
///
/// Start with [WorkerPool]: it starts the threads, gives each a [WorkerTask] and a [WorkerScope],
/// and ends them whatever users' code does.
@NullMarked
package dev.penstock.internal.workers;

import org.jspecify.annotations.NullMarked;
