/// Decoded columns of files on a local disk. Begin with
/// [CacheFolder][dev.penstock.internal.cache.CacheFolder].
@NullMarked
package dev.penstock.internal.cache;

import org.jspecify.annotations.NullMarked;
