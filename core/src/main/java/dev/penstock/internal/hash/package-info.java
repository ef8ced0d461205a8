/// The hash of bloom filters and buckets of strings, [XxHash64], and the checksum of LZ4,
/// [XxHash32].
@NullMarked
package dev.penstock.internal.hash;

import org.jspecify.annotations.NullMarked;
