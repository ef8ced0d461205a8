/// Values of any shape: Parquet's VARIANT, by its specifications `VariantEncoding.md` and
/// `VariantShredding.md`.
///
/// [VariantColumn] makes a column of what a file stores, and checks it; [VariantValue] is one value
/// of it. In memory a value is its metadata, which has the names of all fields, and then its bytes.
@NullMarked
package dev.penstock.internal.variant;

import org.jspecify.annotations.NullMarked;
