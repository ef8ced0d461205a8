/// The bundled example: a small classifier in plain Java, trained on batches from a loader.
///
/// Copy it. [dev.penstock.cli.demo.FlightDelayModel] is where batches become gradients.
@NullMarked
package dev.penstock.cli.demo;

import org.jspecify.annotations.NullMarked;
