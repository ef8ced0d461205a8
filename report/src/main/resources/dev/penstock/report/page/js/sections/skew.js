'use strict';
// Whether files or readers differ much: sorted bars, the largest first.
penstock.skew = (() => {
  const { el, say } = penstock.dom;
  const format = penstock.format;
  const { median } = penstock.model;
  const MOST = 12;

  const sorted = (names, values) =>
    names
      .map((name, index) => ({ name, value: values[index] }))
      .sort((left, right) => right.value - left.value);

  const sentenceOf = (rows, what, verb, show) => {
    const middle = median(rows.map((row) => row.value));
    const ratio = middle > 0 ? rows[0].value / middle : undefined;
    const name = format.file(rows[0].name);
    if (rows.length > 1 && rows[0].value === rows[rows.length - 1].value)
      return `There is no skew: each ${what} ${verb} ${show(rows[0].value)}.`;
    if (rows.length < 2) return `There is one ${what}: ${name} ${verb} ${show(rows[0].value)}.`;
    const far = ratio === undefined ? '' : `, ${format.times(ratio)} the median of ${show(middle)}`;
    return `${ratio !== undefined && ratio < 1.5 ? 'There is little skew' : 'There is skew'}: ${name} ${verb} the most, ${show(rows[0].value)}${far}.`;
  };

  const option = (theme, rows, middle, show, colour) => ({
    ...penstock.chart.base(theme),
    grid: { left: 8, right: 64, top: middle === undefined ? 4 : 20, bottom: 4, containLabel: true },
    xAxis: {
      type: 'value',
      ...(show === format.bytes ? format.byteAxis(rows[0].value) : {}),
      minInterval: show === format.seconds ? 0 : 1,
      splitNumber: 3,
      ...penstock.chart.axis(theme, { axisLabel: { formatter: show, showMaxLabel: false } }),
    },
    yAxis: penstock.chart.names(
      theme,
      rows.map((row) => format.file(row.name)),
      { width: 130, overflow: 'truncate' },
    ),
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'axis',
      axisPointer: { type: 'none' },
      formatter: ([{ dataIndex }]) =>
        penstock.chart.tip(rows[dataIndex].name, [['', show(rows[dataIndex].value)]]),
    },
    series: [
      {
        name: 'value',
        type: 'bar',
        barMaxWidth: 16,
        itemStyle: { color: theme(colour) },
        emphasis: { disabled: true },
        data: rows.map((row) => row.value),
        label: penstock.chart.valueRight(theme, show),
        markLine: penstock.chart.across(
          theme,
          middle === undefined ? [] : [{ xAxis: middle }],
          { type: 'solid' },
          { position: 'start', formatter: 'median of all' },
        ),
      },
    ],
  });

  // One kind of skew; measured(view) gives names and values, or nothing.
  const part = (body, { title, what, verb, show, colour, measured }) => {
    const text = el('p', { class: 'result' });
    const chart = penstock.chart.create({
      name: title,
      numbers: [
        { name: what, value: (row) => row.name, long: true, head: true },
        {
          name: verb === 'has' ? 'amount' : 'seconds',
          value: (row) => row.value,
          text: format.exact,
          number: true,
        },
      ],
    });
    const element = el('div', {}, el('h3', {}, title), text, chart.element);
    body.append(element);
    return (view) => {
      const data = measured(view);
      element.hidden = !data || !data.names.length;
      if (element.hidden) return;
      const rows = sorted(data.names, data.values);
      const sentence = sentenceOf(rows, what, verb, show);
      say(
        text,
        sentence +
          (rows.length > MOST ? ` The largest ${MOST} of ${format.exact(rows.length)} are drawn.` : ''),
      );
      const drawn = rows.slice(0, MOST);
      const middle = rows.length > 2 ? median(rows.map((row) => row.value)) : undefined;
      chart.update({
        option: option(view.theme, drawn, middle, show, colour),
        sentence,
        tall: drawn.length * 24 + 48,
        numbers: () => rows,
      });
    };
  };

  const named = (run, file) => run.files?.[file] ?? (file < 0 ? 'several files' : `file ${file}`);

  const create = (body) => {
    const grid = el('div', { class: 'columns' });
    body.append(grid);
    const parts = [
      part(grid, {
        title: 'Bytes of files',
        what: 'file',
        verb: 'has',
        show: format.bytes,
        colour: 'fetch',
        measured: ({ plan }) => plan && { names: plan.files.location, values: plan.files.bytes },
      }),
      part(grid, {
        title: 'Rows of files',
        what: 'file',
        verb: 'has',
        show: (value) => `${format.count(value)} rows`,
        colour: 'decode',
        measured: ({ plan, run }) =>
          plan
            ? { names: plan.files.location, values: plan.files.rows }
            : run?.skew && { names: run.skew.file.map((file) => named(run, file)), values: run.skew.rows },
      }),
      part(grid, {
        title: 'Time of workers in files',
        what: 'file',
        verb: 'took',
        show: format.seconds,
        colour: 'batch',
        measured: ({ run }) =>
          run?.skew && { names: run.skew.file.map((file) => named(run, file)), values: run.skew.seconds },
      }),
      part(grid, {
        title: 'Splits of readers',
        what: 'reader',
        verb: 'has',
        show: (value) => format.plural(value, 'split', 'splits'),
        colour: 'transform',
        measured: ({ plan }) =>
          plan &&
          plan.readers.splits.length > 1 && {
            names: plan.readers.splits.map((_, reader) => `reader ${reader}`),
            values: plan.readers.splits,
          },
      }),
    ];
    return (view) => parts.forEach((update) => update(view));
  };

  return {
    id: 'skew',
    title: 'Skew of files and readers',
    short: 'Skew',
    shown: ({ run, plan }) => Boolean(plan?.files.location.length || run?.skew?.file.length),
    create,
  };
})();
