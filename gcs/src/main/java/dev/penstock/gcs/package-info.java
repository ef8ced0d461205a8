/// Files in Google Cloud Storage. Open [dev.penstock.gcs.GcsStorage] first.
@NullMarked
package dev.penstock.gcs;

import org.jspecify.annotations.NullMarked;
