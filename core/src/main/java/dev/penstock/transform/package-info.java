/// Feature engineering on columns, before rows are batched.
///
/// Open [Transform] first, or [Preprocessing] for the ready ones. An argument that is out of the
/// range of its documentation is an [IllegalArgumentException].
@NullMarked
package dev.penstock.transform;

import org.jspecify.annotations.NullMarked;
