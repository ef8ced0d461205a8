/// Files behind HTTP and HTTPS, read by ranges. Open [dev.penstock.internal.http.HttpStorage]
/// first.
@NullMarked
package dev.penstock.internal.http;

import org.jspecify.annotations.NullMarked;
