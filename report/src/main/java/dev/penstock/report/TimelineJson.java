package dev.penstock.report;

import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/// What happened when in a run, as JSON. Times are microseconds since it began.
record TimelineJson(JsonGenerator json, Columns columns) {
  void write(Timeline timeline) {
    json.writeBooleanProperty("recorded", !timeline.isEmpty());
    if (!timeline.slices().isEmpty()) {
      slices(timeline.slices());
    }
    if (!timeline.waits().isEmpty()) {
      waits(timeline.waits());
    }
    if (!timeline.samples().isEmpty()) {
      samples(timeline.samples());
    }
  }

  private void slices(List<SliceSpan> slices) {
    Map<String, Integer> files = new LinkedHashMap<>();
    slices.stream()
        .map(SliceSpan::file)
        .filter(file -> !file.isEmpty())
        .forEach(file -> files.putIfAbsent(file, files.size()));
    columns.texts("files", List.copyOf(files.keySet()), file -> file);
    json.writeObjectPropertyStart("slices");
    columns.numbers("worker", slices, SliceSpan::worker);
    columns.numbers("start", slices, micros(SliceSpan::startNanos));
    columns.numbers("end", slices, micros(SliceSpan::endNanos));
    columns.numbers("file", slices, slice -> files.getOrDefault(slice.file(), -1));
    columns.numbers("firstRow", slices, SliceSpan::firstRow);
    columns.numbers("endRow", slices, SliceSpan::endRow);
    columns.numbers("rows", slices, SliceSpan::rows);
    columns.numbers("slices", slices, SliceSpan::slices);
    columns.numbers("open", slices, micros(SliceSpan::openNanos));
    columns.numbers("fetch", slices, micros(SliceSpan::fetchNanos));
    columns.numbers("decompress", slices, micros(SliceSpan::decompressNanos));
    columns.numbers("decode", slices, micros(SliceSpan::decodeNanos));
    columns.numbers("filter", slices, micros(SliceSpan::filterNanos));
    columns.numbers("transform", slices, micros(SliceSpan::transformNanos));
    json.writeEndObject();
    skew(slices, files);
  }

  private static <T> ToLongFunction<T> micros(ToLongFunction<T> nanos) {
    return each -> nanos.applyAsLong(each) / 1_000;
  }

  /// Writes how long workers were busy with each file.
  private void skew(List<SliceSpan> slices, Map<String, Integer> files) {
    long[] nanos = new long[files.size()];
    List<List<SliceSpan>> parts = new ArrayList<>();
    files.keySet().forEach(_ -> parts.add(new ArrayList<>()));
    for (SliceSpan slice : slices) {
      Integer file = files.get(slice.file());
      if (file != null) {
        parts.get(file).add(slice);
        nanos[file] += busy(slice);
      }
    }
    List<Integer> numbers = new ArrayList<>(files.values());
    json.writeObjectPropertyStart("skew");
    columns.numbers("file", numbers, Integer::longValue);
    columns.numbers("rows", numbers, file -> examined(parts.get(file)));
    json.writeArrayPropertyStart("seconds");
    numbers.forEach(file -> json.writeNumber(Math.round(nanos[file] / 1e3) / 1e6));
    json.writeEndArray();
    json.writeEndObject();
  }

  /// Returns how many rows of a file were examined. Workers that share the columns of a run have a
  /// slice each for the same rows.
  private static long examined(List<SliceSpan> slices) {
    long rows = 0;
    long end = 0;
    for (SliceSpan slice :
        slices.stream().sorted(Comparator.comparingLong(SliceSpan::firstRow)).toList()) {
      rows += Math.max(0, slice.endRow() - Math.max(end, slice.firstRow()));
      end = Math.max(end, slice.endRow());
    }
    return rows;
  }

  private static long busy(SliceSpan slice) {
    return slice.openNanos()
        + slice.fetchNanos()
        + slice.decompressNanos()
        + slice.decodeNanos()
        + slice.filterNanos()
        + slice.transformNanos();
  }

  private void waits(List<WaitSpan> waits) {
    json.writeObjectPropertyStart("waitSpans");
    columns.numbers("worker", waits, WaitSpan::worker);
    columns.numbers("start", waits, micros(WaitSpan::startNanos));
    columns.numbers("end", waits, micros(WaitSpan::endNanos));
    columns.numbers("waited", waits, micros(WaitSpan::nanos));
    columns.numbers("waits", waits, WaitSpan::waits);
    columns.texts("for", waits, WaitSpan::waitsFor);
    json.writeEndObject();
  }

  private void samples(List<StatsSample> samples) {
    json.writeObjectPropertyStart("samples");
    columns.numbers("at", samples, micros(StatsSample::atNanos));
    columns.numbers("rows", samples, StatsSample::rows);
    columns.numbers("batches", samples, StatsSample::batches);
    columns.numbers("bytes", samples, StatsSample::bytes);
    columns.numbers("memory", samples, StatsSample::memoryBytes);
    columns.numbers("ready", samples, sample -> sample.queue().ready());
    columns.numbers("filling", samples, sample -> sample.queue().filling());
    json.writeNumberProperty("capacity", samples.getLast().queue().capacity());
    json.writeEndObject();
  }
}
