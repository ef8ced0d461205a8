/// Files behind HTTP and HTTPS, read by ranges. Start with
/// [dev.penstock.internal.http.HttpStorage].
@NullMarked
package dev.penstock.internal.http;

import org.jspecify.annotations.NullMarked;
