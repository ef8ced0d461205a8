/// What a person asks to have loaded, at whichever door: [LoadRequest], a tree of records. Its
/// options stand in the [OptionTable], with their names and words at each door; [RequestJson] reads
/// and writes it, [Opening] opens it.
@NullMarked
package dev.penstock.internal.request;

import org.jspecify.annotations.NullMarked;
