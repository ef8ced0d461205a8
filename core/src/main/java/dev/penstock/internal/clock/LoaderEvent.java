package dev.penstock.internal.clock;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;

/// What all events tell: the loader and its epoch.
abstract class LoaderEvent extends Event {
  @Label("Loader")
  @Description(
      "The number of the loader in this process, counted from 1; 0 for a pass of its own, such as"
          + " one that counts matches")
  final long loader;

  @Label("Epoch")
  @Description("Counted from 0")
  final long epoch;

  LoaderEvent(ClockedEpoch of) {
    this.loader = of.loader();
    this.epoch = of.epoch();
  }
}
