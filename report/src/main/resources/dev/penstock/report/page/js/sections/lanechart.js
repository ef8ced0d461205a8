'use strict';
// How lanes are drawn: shapes, axes and tooltips of the timeline.
penstock.lanechart = (() => {
  const { el, swatch } = penstock.dom;
  const format = penstock.format;
  const { SLICE_STAGES, WAITS, stageName, stageColour, workerName, sum } = penstock.model;
  const LANE = 30; // pixels from lane to lane
  const FILLED = 0.78; // of them
  const LEFT = 74;
  const RIGHT = 14;

  const kindColour = (kind) => penstock.lanes.KINDS[kind];
  const kindName = (kind) =>
    kind === penstock.lanes.WAIT ? 'waiting' : stageName(SLICE_STAGES[kind].toUpperCase());

  // A consumer that has no slices leaves loading to workers: its gaps are its own work.
  const isBusy = (lane) => lane.worker < 0 && !lane.slices.length;

  const legendOf = ({ lanes, slices, waits }) =>
    [
      ...SLICE_STAGES.filter((stage) => slices[stage]?.some((time) => time > 0)).map((stage) => [
        stage,
        stageName(stage.toUpperCase()),
      ]),
      waits.worker.length && ['wait', 'waiting (lower blocks)'],
      lanes.length > 1
        ? ['rest', 'gaps of a worker: batching, shuffling, collating']
        : ['rest', 'gaps: batching, shuffling, collating, and its own work'],
      lanes.some(isBusy) && ['busy', 'gaps of the consumer: its own work'],
    ]
      .filter(Boolean)
      .map(([colour, name]) => el('li', {}, swatch(colour), name));

  const fileName = (run, file) => (file >= 0 ? (run.files?.[file] ?? `file ${file}`) : 'several files');

  const sliceTip = (run, slices, index) => {
    const many = slices.slices?.[index] ?? 1;
    const file = slices.file?.[index] ?? -1;
    return penstock.chart.tip(fileName(run, file), [
      [
        many > 1 ? `${format.exact(many)} slices` : 'slice',
        `${workerName(slices.worker[index])}, ${format.micros(slices.end[index] - slices.start[index])}`,
      ],
      [
        'rows',
        file >= 0 && many === 1
          ? `${format.exact(slices.rows[index])} in [${format.exact(slices.firstRow[index])}, ${format.exact(slices.endRow[index])})`
          : format.exact(slices.rows[index]),
      ],
      ...SLICE_STAGES.filter((stage) => slices[stage]?.[index] > 0).map((stage) => [
        stageName(stage.toUpperCase()),
        format.micros(slices[stage][index]),
        stageColour(stage.toUpperCase()),
      ]),
    ]);
  };

  const blockTip = (run, model, block) => {
    if (block.slice >= 0) return sliceTip(run, model.slices, block.slice);
    const lane = model.lanes[block.lane];
    if (block.wait >= 0) {
      const { waits } = model;
      const count = waits.waits?.[block.wait] ?? 1;
      return penstock.chart.tip(`${lane.name} waits ${WAITS[waits.for[block.wait]] ?? ''}`, [
        [count > 1 ? `${format.exact(count)} waits` : 'time', format.micros(block.time)],
        ['from', format.micros(waits.start[block.wait])],
        ...(count > 1 ? [['to', format.micros(waits.end[block.wait])]] : []),
      ]);
    }
    return penstock.chart.tip(`${lane.name}, ${kindName(block.kind)}`, [
      ['share', `${format.percent(block.high - block.low)} of ${format.micros(block.to - block.from)}`],
      ['slices', format.exact(block.held)],
      ['', 'Zoom in to see them.'],
    ]);
  };

  const timeAxis = (theme, total, shown) => ({
    type: 'value',
    min: 0,
    max: total,
    ...penstock.chart.axis(theme, {
      splitLine: { show: true, lineStyle: { color: theme('line') } },
      axisLabel: { show: shown, formatter: format.micros, showMaxLabel: false },
    }),
  });

  const laneOption = ({ theme, run, model, period, blocks, blockAt }) => ({
    ...penstock.chart.base(theme),
    grid: { left: LEFT, right: RIGHT, top: 6, bottom: 58 },
    xAxis: timeAxis(theme, period.total, true),
    yAxis: penstock.chart.names(
      theme,
      model.lanes.map((lane) => lane.name),
    ),
    dataZoom: [
      ...period.zooms(),
      {
        type: 'slider',
        xAxisIndex: 0,
        filterMode: 'none',
        startValue: period.from,
        endValue: period.to,
        height: 18,
        bottom: 8,
        left: LEFT,
        right: RIGHT,
        showDetail: false,
        showDataShadow: false,
        brushSelect: false,
        borderColor: theme('line-strong'),
        fillerColor: theme('busy'),
        backgroundColor: theme('inset'),
        handleStyle: { color: theme('surface'), borderColor: theme('line-strong') },
        moveHandleStyle: { color: theme('line-strong') },
        throttle: 16,
      },
    ],
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'item',
      formatter: () => {
        const block = blockAt();
        return block ? blockTip(run, model, block) : '';
      },
    },
    series: [
      {
        name: 'gaps',
        type: 'custom',
        silent: true,
        encode: { x: [1, 2], y: 0 },
        tooltip: { show: false },
        data: model.lanes.map((lane, place) => [
          place,
          0,
          lane.worker < 0 ? run.seconds * 1e6 : penstock.lanes.end(model, lane),
          isBusy(lane) ? 1 : 0,
        ]),
        renderItem: (params, api) => {
          const shape = rectangle(params, api, {
            lane: api.value(0),
            from: 0,
            to: api.value(2),
            low: 0,
            high: 1,
          });
          return shape && { type: 'rect', shape, style: { fill: theme(api.value(3) ? 'busy' : 'rest') } };
        },
      },
      laneSeries(theme, blocks),
    ],
  });

  // Blocks of one lane and kind are one shape: a few hundred shapes are drawn at once, ten thousand
  // are not. The shape is registered when the library has come.
  let registered = false;
  const register = () => {
    if (registered) return;
    registered = true;
    echarts.graphic.registerShape(
      'penstockBlocks',
      echarts.graphic.extendShape({
        shape: { rectangles: [] },
        buildPath: (path, { rectangles }) =>
          rectangles.forEach(({ x, y, width, height }) => path.rect(x, y, width, height)),
      }),
    );
  };

  const groupsOf = (blocks) => {
    const groups = new Map();
    for (const block of blocks) {
      const key = block.lane * penstock.lanes.KINDS.length + block.kind;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(block);
    }
    return [...groups.values()];
  };

  // Its data have a row for each group: lane, kind, where it begins and ends, its time in the period.
  const laneSeries = (theme, blocks) => {
    const groups = groupsOf(blocks);
    return {
      id: 'blocks',
      name: 'slices and waits',
      type: 'custom',
      encode: { x: [2, 3], y: 0 },
      emphasis: { disabled: true },
      progressive: 0,
      dimensions: ['lane', 'kind', 'from', 'to', 'time'],
      data: groups.map((group) => [
        group[0].lane,
        group[0].kind,
        group[0].from,
        group[group.length - 1].to,
        sum(group.map((block) => block.time)),
      ]),
      renderItem: (params, api) => {
        const rectangles = groups[params.dataIndexInside]
          .map((block) => rectangle(params, api, block))
          .filter(Boolean);
        return {
          type: 'penstockBlocks',
          shape: { rectangles },
          style: { fill: theme(kindColour(api.value(1))) },
        };
      },
    };
  };

  const rectangle = (params, api, { lane, from, to, low, high }) => {
    const [left, middle] = api.coord([from, lane]);
    const right = api.coord([to, lane])[0];
    const tall = api.size([0, 1])[1] * FILLED;
    return echarts.graphic.clipRectByRect(
      {
        x: left,
        y: middle + tall / 2 - high * tall,
        width: Math.max(right - left, 0.5),
        height: (high - low) * tall,
      },
      {
        x: params.coordSys.x,
        y: params.coordSys.y,
        width: params.coordSys.width,
        height: params.coordSys.height,
      },
    );
  };

  return {
    LANE,
    FILLED,
    LEFT,
    RIGHT,
    legendOf,
    fileName,
    timeAxis,
    option: laneOption,
    series: laneSeries,
    register,
  };
})();
