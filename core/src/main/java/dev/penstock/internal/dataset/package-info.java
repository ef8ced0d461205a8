/// What the user chooses of a dataset, and the files that this leads to: begin with
/// [DatasetSettings][dev.penstock.internal.dataset.DatasetSettings].
@NullMarked
package dev.penstock.internal.dataset;

import org.jspecify.annotations.NullMarked;
