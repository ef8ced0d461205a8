/// Arrow IPC files and streams as a file format, including Feather V2.
///
/// Open [IpcFormat] first. Slices have Arrow's layout, so bytes read from a file become a slice's
/// memory unchanged.
@NullMarked
package dev.penstock.arrow.ipc;

import org.jspecify.annotations.NullMarked;
