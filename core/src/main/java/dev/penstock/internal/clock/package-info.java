/// Measures where time goes: a [StageClock] for each worker, the [ConsumerClock], and the flight
/// recorder's events. Only this room uses `jdk.jfr`, which may be absent.
@NullMarked
package dev.penstock.internal.clock;

import org.jspecify.annotations.NullMarked;
