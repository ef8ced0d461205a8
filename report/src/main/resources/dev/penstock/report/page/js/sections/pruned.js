'use strict';
// What was not read, by the step that ruled it out, and files that could not be read.
penstock.pruned = (() => {
  const { el, say } = penstock.dom;
  const format = penstock.format;
  const { sum } = penstock.model;
  const STEPS = {
    statistics: 'statistics',
    bloomFilters: 'bloom filters and dictionaries',
    pageIndex: 'page index',
    values: 'values',
  };

  const rowsSkipped = (run) =>
    Object.entries(STEPS).map(([step, name]) => ({ name, rows: run?.skipped?.[step] ?? 0 }));
  const filesSkipped = (run, plan) =>
    Math.max(run?.skipped?.files ?? 0, sum((plan?.pruned ?? []).map((each) => each.files)));

  const sentenceOf = (run, plan) => {
    const skipped = sum(rowsSkipped(run).map((step) => step.rows));
    const files = filesSkipped(run, plan);
    const parts = [];
    if (files)
      parts.push(`${format.plural(files, 'file was', 'files were')} ruled out before anything was read.`);
    if (run && skipped)
      parts.push(
        `Of ${format.count(run.rows + skipped)} rows${files ? ' in the others' : ''}, ${format.percent(skipped / (run.rows + skipped))} were skipped and ${format.count(run.rows)} delivered.`,
      );
    return parts.join(' ') || 'Nothing was pruned.';
  };

  const option = (theme, bars) => ({
    ...penstock.chart.base(theme),
    grid: { left: 8, right: 64, top: 4, bottom: 4, containLabel: true },
    xAxis: { type: 'value', ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count } }) },
    yAxis: penstock.chart.names(
      theme,
      bars.map((bar) => bar.name),
      { width: 150, overflow: 'break' },
    ),
    series: [
      {
        name: 'rows',
        type: 'bar',
        barMaxWidth: 20,
        emphasis: { disabled: true },
        data: bars.map((bar) => ({
          value: bar.rows,
          itemStyle: { color: theme(bar.kept ? 'accent' : 'wait') },
        })),
        label: penstock.chart.valueRight(theme, format.count),
      },
    ],
  });

  const create = (body) => {
    const text = el('p', { class: 'result' });
    const chart = penstock.chart.create({
      name: 'Rows read and skipped',
      numbers: [
        { name: 'step', value: (row) => row.name, head: true },
        { name: 'rows', value: (row) => row.rows, text: format.exact, number: true },
      ],
    });
    const known = penstock.table({
      caption: 'Ruled out before reading',
      columns: [
        { name: 'by', value: (row) => row.by, head: true },
        { name: 'files', value: (row) => row.files, text: format.exact, number: true },
        {
          name: 'rows',
          value: (row) => row.rows ?? 0,
          text: (value) => (value ? format.exact(value) : '\u2013'), // files whose footers are not read
          number: true,
        },
        { name: 'why', value: (row) => row.why ?? '', long: true },
      ],
    });
    const bad = penstock.table({
      caption: 'Files that could not be read',
      columns: [
        { name: 'file', value: (row) => row.location, long: true, head: true },
        { name: 'reason', value: (row) => row.reason, long: true },
      ],
    });
    body.append(text, chart.element, known.element, bad.element);

    return ({ run, plan, theme }) => {
      const sentence = sentenceOf(run, plan);
      say(text, sentence);
      const bars = run
        ? [
            { name: 'delivered', rows: run.rows, kept: true },
            ...rowsSkipped(run)
              .filter((step) => step.rows > 0)
              .map((step) => ({ ...step, name: `skipped by ${step.name}` })),
          ]
        : [];
      chart.element.hidden = bars.length < 2;
      if (bars.length > 1)
        chart.update({
          option: option(theme, bars),
          sentence,
          tall: bars.length * 30 + 32,
          numbers: () => bars,
        });
      known.element.hidden = !plan?.pruned?.length;
      known.update(plan?.pruned ?? []);
      bad.element.hidden = !plan?.badFiles?.length;
      bad.update(plan?.badFiles ?? []);
    };
  };

  return {
    id: 'pruned',
    title: 'What was pruned, and why',
    short: 'Pruned',
    shown: ({ run, plan }) =>
      Boolean(
        plan?.pruned?.length ||
        plan?.badFiles?.length ||
        sum(rowsSkipped(run).map((step) => step.rows)) ||
        run?.skipped?.files,
      ),
    create,
  };
})();
