/// Blocks of LZ4, which pages of Parquet and frames of text share: [Lz4].
@NullMarked
package dev.penstock.internal.lz4;

import org.jspecify.annotations.NullMarked;
