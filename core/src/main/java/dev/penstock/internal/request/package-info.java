/// What a person asks to have loaded: [LoadRequest], a tree of records. The doors are Java, the
/// command and Python; the [OptionTable] has the names and words of all options at each.
/// [RequestJson] reads and writes a request, [Opening] opens it. [PlanJson], [SchemaJson] and
/// [EpochJson] write what the doors answer.
@NullMarked
package dev.penstock.internal.request;

import org.jspecify.annotations.NullMarked;
