/// What all formats of text share: compression and encoding, where records end, types told from a
/// sample, values from their text.
///
/// Open [TextInput] and [TextColumn] first.
@NullMarked
package dev.penstock.internal.text;

import org.jspecify.annotations.NullMarked;
