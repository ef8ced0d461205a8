'use strict';
// What each worker did when, and when the consumer waited; below, on the same time, how fast.
penstock.timeline = (() => {
  const { el, say } = penstock.dom;
  const format = penstock.format;
  const { SLICE_STAGES, WAITS, stageName, workerName, sum } = penstock.model;
  const { LANE, FILLED, LEFT, RIGHT, legendOf, fileName, timeAxis } = penstock.lanechart;

  const laneSentence = (run, model) => {
    const slices = model.slices.slices ? sum(model.slices.slices) : model.slices.worker.length;
    const work = `decoded ${format.plural(slices, 'slice', 'slices')} in ${format.seconds(run.seconds)}`;
    const workers = model.lanes.length - 1;
    if (!workers) return `The consumer's own thread ${work}.`;
    const waits = model.waits;
    const consumer = sum(
      waits.worker.map((worker, index) => (worker < 0 ? penstock.lanes.waited(waits, index) : 0)),
    );
    const count = sum(waits.worker.map((worker, index) => (worker < 0 ? (waits.waits?.[index] ?? 1) : 0)));
    return `${format.plural(workers, 'worker', 'workers')} ${work}; the consumer waited ${format.plural(count, 'time', 'times')}, ${format.micros(consumer)} in all.`;
  };

  const laneColumns = [
    { name: 'worker', value: (row) => row.worker, head: true },
    { name: 'what', value: (row) => row.what, long: true },
    { name: 'start, \u00b5s', value: (row) => row.start, text: format.exact, number: true },
    { name: 'end, \u00b5s', value: (row) => row.end, text: format.exact, number: true },
    { name: 'waited, \u00b5s', value: (row) => row.waited ?? '', number: true },
    { name: 'first row', value: (row) => row.firstRow ?? '', number: true },
    { name: 'end row', value: (row) => row.endRow ?? '', number: true },
    { name: 'rows', value: (row) => row.rows ?? '', number: true },
    { name: 'slices', value: (row) => row.slices ?? '', number: true },
    ...SLICE_STAGES.map((stage) => ({
      name: `${stageName(stage.toUpperCase())}, \u00b5s`,
      value: (row) => row[stage] ?? '',
      number: true,
    })),
  ];
  const laneRows = (run, { slices, waits }) =>
    [
      ...slices.worker.map((worker, index) => ({
        worker: workerName(worker),
        what: fileName(run, slices.file[index]),
        start: slices.start[index],
        end: slices.end[index],
        firstRow: slices.firstRow[index],
        endRow: slices.endRow[index],
        rows: slices.rows[index],
        slices: slices.slices?.[index] ?? 1,
        ...Object.fromEntries(SLICE_STAGES.map((stage) => [stage, slices[stage]?.[index] ?? 0])),
      })),
      ...waits.worker.map((worker, index) => ({
        worker: workerName(worker),
        what: `waits ${WAITS[waits.for[index]] ?? ''}`,
        start: waits.start[index],
        end: waits.end[index],
        waited: penstock.lanes.waited(waits, index),
      })),
    ].sort((left, right) => left.start - right.start);

  const create = (body) => {
    const period = penstock.timeWindow();
    const note = el(
      'p',
      { class: 'note' },
      'Only totals were kept of this run. Set LoaderOptions.record(true) for a timeline.',
    );
    const text = el('p', { class: 'result' });
    const legend = el('ul', { class: 'legend', 'aria-label': 'Colours' });
    const lanes = penstock.chart.create({ name: 'Timeline', numbers: laneColumns, onSize: () => recut() });
    const drawing = el(
      'div',
      {},
      text,
      period.controls,
      legend,
      lanes.element,
      el(
        'p',
        { class: 'note hint' },
        'Drag to move, pinch or turn the wheel with Ctrl to zoom. With the focus on a button above, + and \u2212, 0 and the arrow keys do the same.',
      ),
    );
    const series = el('div');
    body.append(note, drawing, series);
    const throughput = penstock.throughput.create(series, period, { LEFT, RIGHT, timeAxis });

    let current = null;
    let blocks = [];
    const cut = () =>
      penstock.lanes.visible(
        current.model,
        period.from,
        period.to,
        Math.max(120, lanes.width - LEFT - RIGHT),
      );
    const recut = () => {
      if (!current) return;
      blocks = cut();
      const shown = { startValue: period.from, endValue: period.to };
      lanes.merge({
        dataZoom: [shown, shown],
        series: [{}, penstock.lanechart.series(current.theme, blocks)],
      });
    };
    // The block below the pointer, for its tooltip.
    let pointer = [0, 0];
    const follow = () =>
      lanes.instance.getZr().on('mousemove', (event) => {
        pointer = [event.offsetX, event.offsetY];
      });
    const blockAt = () => {
      const [time, lane] = lanes.instance.convertFromPixel({ gridIndex: 0 }, pointer);
      // Only the whole lane is known of the pointer's height; in a column its stage is, too.
      const y = lanes.instance.convertToPixel({ yAxisIndex: 0 }, lane);
      const share = 0.5 + (y - pointer[1]) / (LANE * FILLED);
      return blocks.findLast(
        (block) =>
          block.lane === lane &&
          block.from <= time &&
          time < block.to &&
          block.low <= share &&
          share <= block.high,
      );
    };
    let asked = false;
    // Several changes between two frames are drawn once.
    period.onChange(() => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        recut();
      });
    });

    let before = null;
    return (view) => {
      const { report, run, theme } = view;
      const recorded = Boolean(run.slices || run.waitSpans);
      note.hidden = run.recorded !== false;
      drawing.hidden = !recorded;
      const ends = [run.seconds * 1e6, ...(run.slices?.end ?? []), ...(run.samples?.at ?? [])];
      const key = `${report.created}/${run.name}`;
      period.reset(
        ends.reduce((last, end) => Math.max(last, end), 1),
        key === before || (report.live && before !== null),
      );
      before = key;
      if (recorded) {
        current = { run, theme, model: penstock.lanes.of(run) };
        blocks = cut();
        penstock.lanechart.register();
        legend.replaceChildren(...legendOf(current.model));
        const sentence = laneSentence(run, current.model);
        say(text, sentence);
        lanes.update({
          option: penstock.lanechart.option({ theme, run, model: current.model, period, blocks, blockAt }),
          sentence,
          tall: current.model.lanes.length * LANE + 66,
          numbers: () => laneRows(run, penstock.lanes.of(run)),
        });
        if (period.join(lanes, { zoomsItself: true })) follow();
      } else {
        current = null;
      }
      throughput(view);
      period.say();
    };
  };

  return {
    id: 'timeline',
    title: 'Timeline',
    short: 'Timeline',
    shown: ({ run }) =>
      Boolean(run && (run.slices || run.waitSpans || run.samples || run.recorded === false)),
    create,
  };
})();
