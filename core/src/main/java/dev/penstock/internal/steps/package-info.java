/// What is told of the steps of an epoch: digests of their rows, and the log of these.
@NullMarked
package dev.penstock.internal.steps;

import org.jspecify.annotations.NullMarked;
