/// Arrow IPC files and streams, of which Feather V2 is one, as a file format.
///
/// Open [IpcFormat] first. Slices have Arrow's layout, so what is read from a file is a slice's
/// memory as it is.
@NullMarked
package dev.penstock.arrow.ipc;

import org.jspecify.annotations.NullMarked;
