/// What there is to choose from: the providers of a [Services], and texts about names, suggestions
/// for unknown ones in [Choices], lists of limited length in [Shown], values in a [Sentence].
@NullMarked
package dev.penstock.internal.choice;

import org.jspecify.annotations.NullMarked;
