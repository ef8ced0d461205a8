/// Tensors for native libraries that support DLPack.
///
/// Open [DlpackTensor] first.
@NullMarked
package dev.penstock.dlpack;

import org.jspecify.annotations.NullMarked;
