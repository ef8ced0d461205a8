/// Files in Amazon S3 and compatible stores. Open [dev.penstock.s3.S3Storage] first.
@NullMarked
package dev.penstock.s3;

import org.jspecify.annotations.NullMarked;
