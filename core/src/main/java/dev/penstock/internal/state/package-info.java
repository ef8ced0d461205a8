/// What a [dev.penstock.LoaderState] says: what was read, where it goes on, its JSON, and how those
/// of all ranks are joined.
@NullMarked
package dev.penstock.internal.state;

import org.jspecify.annotations.NullMarked;
