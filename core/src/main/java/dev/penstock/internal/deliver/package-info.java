/// Batches on their way from workers to the consumer.
///
/// Start with [DeliveryQueue]: it limits how far workers are ahead, and orders batches, failures
/// and the end.
@NullMarked
package dev.penstock.internal.deliver;

import org.jspecify.annotations.NullMarked;
