'use strict';
// How fast a run was and how full its queue and memory were, on the timeline's time.
penstock.throughput = (() => {
  const { el, say, swatch } = penstock.dom;
  const format = penstock.format;
  const { matching } = penstock.model;

  // Totals at moments as rates between them: [[time, rate]], each rate drawn back to the moment before.
  // The last moment is the end, which may follow the one before so closely that a rate means nothing.
  const rates = (at, totals) => {
    const last = at.length - 1;
    const mean = (at[last] - at[0]) / last;
    const kept = at
      .map((_, index) => index)
      .filter((index) => index !== last - 1 || index === 0 || at[last] - at[index] >= mean / 2);
    const points = [];
    for (let k = 1; k < kept.length; k++) {
      const passed = (at[kept[k]] - at[kept[k - 1]]) / 1e6;
      if (passed > 0) points.push([at[kept[k]], (totals[kept[k]] - totals[kept[k - 1]]) / passed]);
    }
    if (points.length) points.unshift([at[0], points[0][1]]);
    return points;
  };
  const levels = (at, values) => at.map((time, index) => [time, values[index]]);
  const top = (points) => points.reduce((most, [, value]) => Math.max(most, value), 0);

  const CHARTS = [
    {
      name: 'Rows per second',
      format: (value) => `${format.count(value)} rows/s`,
      axis: format.count,
      lines: (samples) => [
        { name: 'rows/s', colour: 'accent', points: rates(samples.at, samples.rows), step: 'start' },
      ],
      sentence: ([line], run) =>
        `${format.count(run.rowsPerSecond)} rows/s on average, at most ${format.count(top(line.points))}.`,
    },
    {
      name: 'Bytes per second',
      format: (value) => `${format.bytes(value)}/s`,
      axis: format.bytes,
      lines: (samples) => [
        { name: 'bytes/s', colour: 'accent', points: rates(samples.at, samples.bytes), step: 'start' },
      ],
      sentence: ([line], run) =>
        `${format.bytes(run.bytesRead / run.seconds)}/s on average, at most ${format.bytes(top(line.points))}/s.`,
    },
    {
      name: 'Batches in the queue',
      format: format.exact,
      axis: format.exact,
      lines: (samples) => [
        {
          name: 'ready',
          colour: 'decode',
          points: levels(samples.at, samples.ready),
          step: 'end',
          area: true,
        },
        {
          name: 'being filled',
          colour: 'batch',
          points: levels(samples.at, samples.filling),
          step: 'end',
          dashed: true,
        },
      ],
      limit: (samples) => samples.capacity,
      sentence: ([ready], run) => {
        const empty = ready.points.filter(([, value]) => value === 0).length;
        return `No batch was ready in ${format.percent(ready.points.length ? empty / ready.points.length : 0)} of the samples; the queue holds ${format.exact(run.samples.capacity)}.`;
      },
    },
    {
      name: 'Memory',
      format: format.bytes,
      axis: format.bytes,
      lines: (samples) => [
        {
          name: 'memory',
          colour: 'transform',
          points: levels(samples.at, samples.memory),
          step: 'end',
          area: true,
        },
      ],
      limit: (samples, run) => run.memoryLimitBytes,
      sentence: ([line], run) =>
        `At most ${format.bytes(Math.max(top(line.points), run.memoryPeakBytes ?? 0))}${run.memoryLimitBytes ? ` of ${format.bytes(run.memoryLimitBytes)}` : ''}.`,
    },
  ];

  const option = ({ theme, kind, lines, faint, limit, period, frame, total }) => {
    const most = Math.max(
      ...lines.map((line) => top(line.points)),
      ...faint.map((line) => top(line.points)),
      0,
    );
    // A limit far above all values would flatten them, so it is only said.
    const drawn = limit !== undefined && limit <= most * 3 ? limit : undefined;
    return {
      ...penstock.chart.base(theme),
      grid: { left: frame.LEFT, right: frame.RIGHT, top: 12, bottom: 22 },
      xAxis: frame.timeAxis(theme, total, true),
      yAxis: {
        type: 'value',
        min: 0,
        ...(kind.axis === format.bytes ? format.byteAxis(most) : {}),
        ...(drawn === undefined ? {} : { max: Math.max(most, drawn) * 1.05 }),
        splitNumber: 3,
        ...penstock.chart.axis(theme, {
          axisLabel: { formatter: kind.axis, showMaxLabel: drawn === undefined },
        }),
      },
      dataZoom: period.zooms(),
      tooltip: {
        ...penstock.chart.base(theme).tooltip,
        trigger: 'axis',
        axisPointer: { type: 'line', lineStyle: { color: theme('line-strong') } },
        formatter: (points) =>
          penstock.chart.tip(
            format.micros(points[0].value[0]),
            points
              .filter((point) => point.value)
              .map((point) => [point.seriesName, kind.format(point.value[1])]),
          ),
      },
      series: [
        ...lines.map((line, index) => ({
          name: line.name,
          type: 'line',
          data: line.points,
          step: line.step,
          showSymbol: line.points.length === 1,
          sampling: line.points.length > 4000 ? 'lttb' : undefined,
          emphasis: { disabled: true },
          lineStyle: { color: theme(line.colour), width: 1.75, type: line.dashed ? 'dashed' : 'solid' },
          itemStyle: { color: theme(line.colour) },
          areaStyle: line.area ? { color: theme(line.colour), opacity: 0.12 } : undefined,
          markLine:
            index === 0 && drawn !== undefined
              ? penstock.chart.across(
                  theme,
                  [{ yAxis: drawn }],
                  { colour: 'muted', type: 'dotted', width: 1.5 },
                  { formatter: `limit ${kind.axis(drawn)}`, position: 'insideEndTop' },
                )
              : undefined,
        })),
        ...faint.map((line) => ({
          name: line.name,
          type: 'line',
          data: line.points,
          step: line.step,
          showSymbol: false,
          emphasis: { disabled: true },
          lineStyle: { color: theme('muted'), width: 1.25, type: 'dashed', opacity: 0.7 },
          itemStyle: { color: theme('muted') },
        })),
      ],
    };
  };

  const legendOf = (line) =>
    el('li', {}, swatch(line.colour), line.dashed ? `${line.name} (dashed)` : line.name);
  const faintLegendOf = (line) => el('li', {}, swatch('muted'), `${line.name} (thin, dashed)`);

  const create = (body, period, frame) => {
    const parts = CHARTS.map((kind) => {
      const chart = penstock.chart.create({
        name: kind.name,
        numbers: [
          { name: 'time, \u00b5s', value: (row) => row.time, text: format.exact, number: true },
          { name: 'line', value: (row) => row.line },
          { name: 'value', value: (row) => row.value, text: format.exact, number: true },
        ],
      });
      const text = el('p', { class: 'result' });
      const legend = el('ul', { class: 'legend', 'aria-label': 'Lines' });
      const element = el(
        'div',
        {},
        el('div', { class: 'heading' }, el('h3', {}, kind.name), text, legend),
        chart.element,
      );
      body.append(element);
      return { kind, chart, text, legend };
    });

    return ({ run, others, theme }) => {
      body.hidden = !run.samples;
      if (!run.samples) return;
      for (const { kind, chart, text, legend } of parts) {
        const lines = kind.lines(run.samples);
        const faint = others.flatMap((other) => {
          const peer = matching(other.report, run);
          return peer?.samples
            ? kind
                .lines(peer.samples)
                .slice(0, 1)
                .map((line) => ({ ...line, name: `${line.name}, ${other.name}` }))
            : [];
        });
        const sentence = kind.sentence(lines, run);
        say(text, sentence);
        legend.hidden = lines.length + faint.length < 2;
        legend.replaceChildren(...lines.map(legendOf), ...faint.map(faintLegendOf));
        chart.update({
          option: option({
            theme,
            kind,
            lines,
            faint,
            limit: kind.limit?.(run.samples, run),
            period,
            frame,
            total: period.total,
          }),
          sentence,
          tall: 116,
          numbers: () =>
            [...lines, ...faint].flatMap((line) =>
              line.points.map(([time, value]) => ({ time, line: line.name, value })),
            ),
        });
        period.join(chart);
      }
    };
  };

  return { create };
})();
