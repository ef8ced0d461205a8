'use strict';
// All runs side by side, a column each; those of another report follow.
penstock.runs = (() => {
  const { el, button } = penstock.dom;
  const format = penstock.format;
  const { waitShare } = penstock.model;

  // better: 1 where more is better, -1 where less is, 0 where neither. Some can be compared only
  // between runs of the same rows.
  const MEASURES = [
    { name: 'rows/s', value: (run) => run.rowsPerSecond, text: format.count, better: 1 },
    { name: 'time', value: (run) => run.seconds, text: format.seconds, better: -1, ofSameRows: true },
    { name: 'rows', value: (run) => run.rows, text: format.count, better: 0 },
    { name: 'batches', value: (run) => run.batches, text: format.exact, better: 0 },
    { name: 'bytes read', value: (run) => run.bytesRead, text: format.bytes, better: -1, ofSameRows: true },
    {
      name: 'bytes from the cache',
      value: (run) => run.bytesCached || undefined,
      text: format.bytes,
      better: 0,
    },
    { name: 'accelerator busy', value: (run) => run.utilisation, text: format.percent, better: 1 },
    { name: 'consumer waited', value: waitShare, text: format.percent, better: -1 },
    { name: 'wait, median', value: (run) => run.waits?.p50, text: format.nanos, better: -1 },
    { name: 'wait, 90 % below', value: (run) => run.waits?.p90, text: format.nanos, better: -1 },
    { name: 'wait, 99 % below', value: (run) => run.waits?.p99, text: format.nanos, better: -1 },
    { name: 'longest wait', value: (run) => run.waits?.max, text: format.nanos, better: -1 },
    { name: 'memory, at most', value: (run) => run.memoryPeakBytes, text: format.bytes, better: -1 },
    { name: 'memory, allowed', value: (run) => run.memoryLimitBytes, text: format.bytes, better: 0 },
  ];

  // The best value, or nothing where all runs are alike or only one has a value.
  const best = (measure, runs) => {
    const values = runs.map(measure.value).filter((value) => Number.isFinite(value));
    const sameRows = new Set(runs.map((run) => run.rows)).size < 2;
    if (!measure.better || new Set(values).size < 2 || (measure.ofSameRows && !sameRows)) return undefined;
    return measure.better > 0 ? Math.max(...values) : Math.min(...values);
  };

  // Where bytes came from, if from several stores, and how often stores were asked again.
  const storeMeasures = (runs) => {
    const names = [...new Set(runs.flatMap((run) => run.stores?.store ?? []))];
    const of = (column, name) => (run) => run.stores?.[column][run.stores.store.indexOf(name)];
    const retries = (run) => run.stores && penstock.model.sum(run.stores.retries);
    return [
      ...(names.length > 1 ? names : []).map((name) => ({
        name: `bytes of ${name}`,
        value: of('bytes', name),
        text: format.bytes,
      })),
      ...(runs.some(retries)
        ? [{ name: 'requests asked again', value: retries, text: format.exact, better: -1 }]
        : []),
    ];
  };

  const settingNames = (runs) => [
    ...new Set(runs.flatMap((run) => (run.settings ?? []).map((setting) => setting.name))),
  ];
  const setting = (run, name) => (run.settings ?? []).find((each) => each.name === name)?.value ?? '\u2013';

  // All runs, this report's first: { run, at, title }; at is -1 for those of another report.
  const columnsOf = ({ report, others }) => [
    ...report.runs.map((run, at) => ({ run, at, title: run.name })),
    ...others.flatMap((other) =>
      other.report.runs.map((run) => ({ run, at: -1, title: `${run.name} (${other.name})` })),
    ),
  ];

  // What two charts show of the runs.
  const CHARTS = [
    {
      name: 'Speed of the runs',
      value: (run) => run.rowsPerSecond,
      text: format.count,
      unit: 'rows/s',
      sentence: (columns) => {
        const sorted = columns.slice().sort((left, right) => right.run.rowsPerSecond - left.run.rowsPerSecond);
        const fastest = sorted[0];
        const slowest = sorted[sorted.length - 1];
        return `${fastest.title} is the fastest with ${format.count(fastest.run.rowsPerSecond)} rows/s, ${format.times(fastest.run.rowsPerSecond / slowest.run.rowsPerSecond)} as fast as ${slowest.title}.`;
      },
    },
    {
      name: 'Waiting of the consumer',
      value: (run) => waitShare(run) ?? 0,
      text: format.percent,
      unit: 'of the time',
      most: 1,
      sentence: (columns) => {
        const least = columns.reduce((best, each) =>
          (waitShare(each.run) ?? 0) < (waitShare(best.run) ?? 0) ? each : best,
        );
        return `The consumer waited the least in ${least.title}: ${format.percent(waitShare(least.run))} of the time.`;
      },
    },
  ];

  const barOption = ({ theme, index }, columns, { value, text, unit, most }) => ({
    ...penstock.chart.base(theme),
    grid: { left: 8, right: 56, top: 4, bottom: 4, containLabel: true },
    xAxis: { type: 'value', max: most, ...penstock.chart.axis(theme, { axisLabel: { formatter: text } }) },
    yAxis: penstock.chart.names(
      theme,
      columns.map((column) => column.title),
      { width: 140, overflow: 'truncate' },
    ),
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'axis',
      axisPointer: { type: 'none' },
      formatter: (points) => penstock.chart.tip(points[0].name, [[unit, text(points[0].value)]]),
    },
    series: [
      {
        name: unit,
        type: 'bar',
        barMaxWidth: 18,
        emphasis: { disabled: true },
        data: columns.map((column) => ({
          value: value(column.run),
          itemStyle:
            column.at < 0
              ? { color: theme('busy'), borderColor: theme('line-strong'), borderWidth: 1 }
              : { color: theme(column.at === index ? 'accent' : 'wait') },
        })),
        label: penstock.chart.valueRight(theme, text),
      },
    ],
  });

  const chartOf = (kind) => {
    const chart = penstock.chart.create({
      name: kind.name,
      numbers: [
        { name: 'run', value: (row) => row.title, head: true },
        { name: kind.unit, value: (row) => kind.value(row.run), text: format.exact, number: true },
      ],
    });
    const text = el('p', { class: 'result' });
    return {
      elements: [el('h3', {}, kind.name), text, chart.element],
      update(view, columns) {
        const sentence = kind.sentence(columns);
        penstock.dom.say(text, sentence);
        chart.update({
          option: barOption(view, columns, kind),
          sentence,
          tall: columns.length * 28 + 30,
          numbers: () => columns,
        });
      },
    };
  };

  const create = (choose) => {
    const heads = el('tr');
    const body = el('tbody');
    const caption = 'Runs side by side';
    const scroll = el(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table: ${caption}` },
      el(
        'table',
        { class: 'runs' },
        el('caption', { class: 'unseen' }, caption),
        el('thead', {}, heads),
        body,
      ),
    );
    let tabbed = '';
    const element = el(
      'div',
      { class: 'sheet' },
      el(
        'div',
        { class: 'sheet-bar' },
        el(
          'span',
          { class: 'caption note' },
          'The best of each row is marked. Choose a run by its name to see it below.',
        ),
        ...penstock.copy.button(`table ${caption}`, () => tabbed),
      ),
      scroll,
    );
    let drawn = '';
    let seen = '';

    // The chosen run is in sight, where its table is wider than the screen.
    const show = (head) => {
      const first = heads.firstElementChild;
      const hidden = head.offsetLeft + head.offsetWidth - scroll.clientWidth;
      scroll.scrollLeft = Math.min(
        Math.max(scroll.scrollLeft, hidden),
        Math.max(0, head.offsetLeft - first.offsetWidth),
      );
    };

    const update = ({ report, others, index }) => {
      const columns = columnsOf({ report, others });
      const runs = columns.map((column) => column.run);
      const kind = (column) =>
        [column.at === index ? 'chosen' : null, column.at < 0 ? 'other' : null, 'number']
          .filter(Boolean)
          .join(' ');

      // Headers hold the focus, so they are made anew only if they differ.
      const key = JSON.stringify(columns.map((column) => [column.title, column.run.recommended]));
      if (key !== drawn) {
        drawn = key;
        heads.replaceChildren(
          el('th', { scope: 'col' }, 'Run'),
          ...columns.map((column) =>
            el(
              'th',
              { scope: 'col' },
              column.at < 0 ? column.title : button(column.title, () => choose(column.at)),
              column.run.recommended ? el('span', { class: 'mark' }, 'recommended') : null,
            ),
          ),
        );
      }
      columns.forEach((column, at) => {
        const head = heads.children[at + 1];
        head.className = kind(column);
        head.firstElementChild?.setAttribute('aria-pressed', String(column.at === index));
        if (column.at < 0) head.firstElementChild?.removeAttribute('aria-pressed');
      });

      const rows = [
        ...settingNames(runs).map((name) => ({
          name,
          texts: runs.map((run) => setting(run, name)),
          exact: runs.map((run) => setting(run, name)),
          best: [],
        })),
        ...[...MEASURES, ...storeMeasures(runs)]
          .filter((measure) => runs.some((run) => measure.value(run) !== undefined))
          .map((measure) => {
            const top = best(measure, runs);
            return {
              name: measure.name,
              texts: runs.map((run) => measure.text(measure.value(run))),
              exact: runs.map((run) => measure.value(run) ?? ''),
              best: runs.map((run) => top !== undefined && measure.value(run) === top),
            };
          }),
      ];
      body.replaceChildren(
        ...rows.map((row) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, row.name),
            ...columns.map((column, at) =>
              el(
                'td',
                { class: `${kind(column)}${row.best[at] ? ' best' : ''}` },
                row.best[at] ? el('span', { class: 'mark' }, 'best') : null,
                row.best[at] ? ' ' : null,
                row.texts[at],
              ),
            ),
          ),
        ),
      );
      // Once for each choice: a live page leaves the scrolling alone.
      if (seen !== `${key} ${index}`) {
        seen = `${key} ${index}`;
        show(heads.children[index + 1]);
      }
      tabbed =
        [['Run', ...columns.map((column) => column.title)], ...rows.map((row) => [row.name, ...row.exact])]
          .map((line) => line.join('\t'))
          .join('\n') + '\n';
    };
    return { element, update };
  };

  // One run alone has its numbers above.
  return {
    id: 'runs',
    title: 'Runs side by side',
    short: 'Runs',
    shown: (view) => columnsOf(view).length > 1,
    create(body, { choose }) {
      const table = create(choose);
      const charts = CHARTS.map(chartOf);
      const part = el('div', {}, ...charts.flatMap((chart) => chart.elements));
      body.append(el('div', { class: 'beside' }, table.element, part));
      return (view) => {
        table.update(view);
        charts.forEach((chart) => chart.update(view, columnsOf(view)));
      };
    },
  };
})();
