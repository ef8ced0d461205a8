'use strict';
// What the lanes of a timeline show of a part of the time: slices cut into their stages where there
// is room, and columns of a few pixels where there is not. A column is filled by the shares of its
// stages, so the area of a colour is its time at every zoom.
penstock.lanes = (() => {
  const { SLICE_STAGES, workerName } = penstock.model;
  const KINDS = [...SLICE_STAGES, 'wait'];
  const WAIT = SLICE_STAGES.length;
  const ROOM = 6; // pixels of slices, on average, from which on they are cut into stages
  const COLUMN = 4; // least pixels of a column; more where many lanes would make too many blocks
  const MOST = 20000; // blocks of columns, about, that are drawn in a few frames

  // First index whose end is behind a time; ends of a lane ascend.
  const firstBehind = (ends, items, time) => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[items[middle]] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  // The items of a lane that are at least in part in a time.
  const within = ({ start, end }, items, from, to) => {
    const first = firstBehind(end, items, from);
    let last = first;
    while (last < items.length && start[items[last]] < to) last++;
    return items.slice(first, last);
  };

  // Lanes from the top: workers, then the consumer.
  const of = (run) => {
    const slices = run.slices ?? { worker: [], start: [], end: [] };
    const waits = run.waitSpans ?? { worker: [], start: [], end: [], for: [] };
    const workers = [
      ...new Set([...run.workers.map((worker) => worker.worker), ...slices.worker, ...waits.worker]),
    ]
      .filter((worker) => worker >= 0)
      .sort((a, b) => a - b);
    const lanes = [...workers, -1].map((worker) => ({
      worker,
      name: workerName(worker),
      slices: [],
      waits: [],
    }));
    const byWorker = new Map(lanes.map((lane) => [lane.worker, lane]));
    slices.worker.forEach((worker, index) => byWorker.get(worker).slices.push(index));
    waits.worker.forEach((worker, index) => byWorker.get(worker).waits.push(index));
    for (const lane of lanes) {
      lane.slices.sort((a, b) => slices.start[a] - slices.start[b]);
      lane.waits.sort((a, b) => waits.start[a] - waits.start[b]);
    }
    return { lanes, slices, waits };
  };

  // When a lane's last slice or wait ends.
  const end = ({ slices, waits }, lane) =>
    Math.max(
      0,
      ...lane.slices.slice(-1).map((index) => slices.end[index]),
      ...lane.waits.slice(-1).map((index) => waits.end[index]),
    );

  const stageTimes = (slices, index) => {
    const times = SLICE_STAGES.map((stage) => slices[stage]?.[index] ?? 0);
    const all = times.reduce((total, time) => total + time, 0);
    const length = slices.end[index] - slices.start[index];
    // Each time is rounded, so together they may be a little longer than their slice.
    return all > length && all > 0 ? times.map((time) => (time * length) / all) : times;
  };

  // How much of a wait's span was waiting: neighbours may have been put together.
  const waited = ({ start, end, waited: times }, index) => times?.[index] ?? end[index] - start[index];

  // A block is { lane, from, to, low, high, kind, time, slice, wait }: where it is, low and high in
  // [0, 1] of its lane, and what it stands for; slice and wait are -1 where it is neither.

  // Columns of one lane: times are added to them, and each becomes a block for each kind.
  const columnsOf = (lane, width) => {
    const columns = new Map();
    const columnAt = (at) => {
      if (!columns.has(at)) columns.set(at, { times: new Float64Array(KINDS.length), slices: new Set() });
      return columns.get(at);
    };
    return {
      // Adds a share of the time from start to end.
      add(start, end, share, kind, slice) {
        for (let at = Math.floor(start / width); at * width < end; at++) {
          const part = Math.min(end, (at + 1) * width) - Math.max(start, at * width);
          if (part <= 0) continue;
          const column = columnAt(at);
          column.times[kind] += part * share;
          if (slice >= 0) column.slices.add(slice);
        }
      },
      blocks: () =>
        [...columns].flatMap(([at, { times, slices }]) => {
          const place = {
            lane,
            from: at * width,
            to: (at + 1) * width,
            slice: -1,
            wait: -1,
            held: slices.size,
          };
          return stacked(times, width, place);
        }),
    };
  };

  // Blocks one above the other, as high as their shares of a length.
  const stacked = (times, length, place) => {
    const blocks = [];
    let low = 0;
    times.forEach((time, kind) => {
      if (!time) return;
      const high = low + time / length;
      blocks.push({ ...place, low, high, kind, time });
      low = high;
    });
    return blocks;
  };

  // The parts of a slice one after the other: { from, to, kind }.
  const parts = (slices, index) => {
    let to = slices.start[index];
    return stageTimes(slices, index).map((time, kind) => {
      const from = to;
      to += time;
      return { from, to, kind };
    });
  };

  // A slice where there is room: its stages follow each other. Those of several slices that were put
  // together have no order, so they are stacked.
  const cutSlice = (slices, index, lane) => {
    const place = { lane, slice: index, wait: -1 };
    if (isSeveral(slices, index)) {
      const from = slices.start[index];
      const to = slices.end[index];
      return stacked(stageTimes(slices, index), to - from, { ...place, from, to });
    }
    return parts(slices, index)
      .filter(({ from, to }) => to > from)
      .map((part) => ({ ...place, ...part, low: 0, high: 1, time: part.to - part.from }));
  };

  // A slice where there is none.
  const addSlice = (slices, index, columns) => {
    if (isSeveral(slices, index)) {
      const length = slices.end[index] - slices.start[index];
      stageTimes(slices, index).forEach((time, kind) =>
        columns.add(slices.start[index], slices.end[index], time / length, kind, index),
      );
    } else parts(slices, index).forEach(({ from, to, kind }) => columns.add(from, to, 1, kind, index));
  };

  const isSeveral = (slices, index) => (slices.slices?.[index] ?? 1) > 1;

  // A wait is lower than a slice, so that it is told apart by its shape, too.
  const waitBlock = (waits, index, lane) => {
    const from = waits.start[index];
    const to = waits.end[index];
    const time = waited(waits, index);
    const half = (0.22 * time) / (to - from);
    return { lane, from, to, low: 0.5 - half, high: 0.5 + half, kind: WAIT, time, slice: -1, wait: index };
  };

  const blocks = ({ slices, waits }, lane, place, { from, to, unit, column, cutting }) => {
    const made = [];
    const columns = columnsOf(place, column * unit);
    for (const index of within(slices, lane.slices, from, to)) {
      if (cutting) made.push(...cutSlice(slices, index, place));
      else addSlice(slices, index, columns);
    }
    for (const index of within(waits, lane.waits, from, to)) {
      const length = waits.end[index] - waits.start[index];
      if (length >= column * unit) made.push(waitBlock(waits, index, place));
      else if (length > 0) {
        columns.add(waits.start[index], waits.end[index], waited(waits, index) / length, WAIT, -1);
      }
    }
    return [...made, ...columns.blocks()];
  };

  const meanLength = ({ lanes, slices }, from, to) => {
    let count = 0;
    let length = 0;
    for (const lane of lanes) {
      for (const index of within(slices, lane.slices, from, to)) {
        count++;
        length += slices.end[index] - slices.start[index];
      }
    }
    return count ? length / count : 0;
  };

  const visible = (model, from, to, pixels) => {
    const column = Math.max(COLUMN, Math.ceil((model.lanes.length * KINDS.length * pixels) / MOST));
    const unit = (to - from) / pixels;
    const cutting = meanLength(model, from, to) / unit >= ROOM;
    const view = { from, to, unit, column, cutting };
    return model.lanes.flatMap((lane, place) => blocks(model, lane, place, view));
  };

  return { of, visible, end, waited, KINDS, WAIT, stageTimes };
})();
