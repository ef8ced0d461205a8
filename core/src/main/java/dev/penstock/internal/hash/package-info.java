/// The hash that bloom filters and buckets of strings share, [XxHash64], and the checksum of LZ4.
@NullMarked
package dev.penstock.internal.hash;

import org.jspecify.annotations.NullMarked;
