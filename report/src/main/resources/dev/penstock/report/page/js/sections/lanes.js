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

  // Blocks of one lane: { lane, from, to, low, high, kind, slice, wait }; low and high in [0, 1].
  const blocks = ({ slices, waits }, lane, place, from, to, unit, column, cutting) => {
    const made = [];
    const columns = new Map();
    const width = column * unit;

    const spread = (start, end, kind, slice) => {
      for (let at = Math.floor(start / width); at * width < end; at++) {
        const part = Math.min(end, (at + 1) * width) - Math.max(start, at * width);
        if (part <= 0) continue;
        if (!columns.has(at)) columns.set(at, { times: new Float64Array(KINDS.length), slices: new Set() });
        const filled = columns.get(at);
        filled.times[kind] += part;
        if (slice >= 0) filled.slices.add(slice);
      }
    };

    const cut = (index, block) => {
      let at = slices.start[index];
      stageTimes(slices, index).forEach((time, kind) => {
        if (time > 0) block(at, at + time, kind);
        at += time;
      });
    };

    for (
      let k = firstBehind(slices.end, lane.slices, from);
      k < lane.slices.length && slices.start[lane.slices[k]] < to;
      k++
    ) {
      const index = lane.slices[k];
      if (cutting) {
        cut(index, (start, end, kind) =>
          made.push({ lane: place, from: start, to: end, low: 0, high: 1, kind, slice: index, wait: -1 }),
        );
      } else {
        cut(index, (start, end, kind) => spread(start, end, kind, index));
      }
    }
    for (
      let k = firstBehind(waits.end, lane.waits, from);
      k < lane.waits.length && waits.start[lane.waits[k]] < to;
      k++
    ) {
      const index = lane.waits[k];
      if ((waits.end[index] - waits.start[index]) / unit >= column) {
        // Lower than slices, so that waits are told apart by their shape, too.
        made.push({
          lane: place,
          from: waits.start[index],
          to: waits.end[index],
          low: 0.28,
          high: 0.72,
          kind: WAIT,
          slice: -1,
          wait: index,
        });
      } else {
        spread(waits.start[index], waits.end[index], WAIT, -1);
      }
    }
    for (const [at, { times, slices: held }] of columns) {
      let low = 0;
      times.forEach((time, kind) => {
        if (!time) return;
        const high = low + time / width;
        made.push({
          lane: place,
          from: at * width,
          to: (at + 1) * width,
          low,
          high,
          kind,
          slice: -1,
          wait: -1,
          held: held.size,
        });
        low = high;
      });
    }
    return made;
  };

  const meanLength = ({ lanes, slices }, from, to) => {
    let count = 0;
    let length = 0;
    for (const lane of lanes) {
      for (
        let k = firstBehind(slices.end, lane.slices, from);
        k < lane.slices.length && slices.start[lane.slices[k]] < to;
        k++
      ) {
        count++;
        length += slices.end[lane.slices[k]] - slices.start[lane.slices[k]];
      }
    }
    return count ? length / count : 0;
  };

  const visible = (model, from, to, pixels) => {
    const column = Math.max(COLUMN, Math.ceil((model.lanes.length * KINDS.length * pixels) / MOST));
    const unit = (to - from) / pixels;
    const cutting = meanLength(model, from, to) / unit >= ROOM;
    return model.lanes.flatMap((lane, place) => blocks(model, lane, place, from, to, unit, column, cutting));
  };

  return { of, visible, end, KINDS, WAIT, stageTimes };
})();
