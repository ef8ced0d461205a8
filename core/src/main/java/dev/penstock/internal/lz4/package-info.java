/// LZ4 blocks, in Parquet pages, Arrow buffers and LZ4 frames of text: [Lz4].
@NullMarked
package dev.penstock.internal.lz4;

import org.jspecify.annotations.NullMarked;
