'use strict';
// What the batches of all ranks cost at each step, balanced and as they would be dealt in turn.
penstock.work = (() => {
  const { el, say } = penstock.dom;
  const format = penstock.format;
  const WAYS = [
    { key: 'inTurn', name: 'dealt in turn', colour: 'wait', type: 'dashed' },
    { key: 'balanced', name: 'balanced', colour: 'accent', type: 'solid' },
  ];

  const sentenceOf = (work) =>
    `Of ${format.plural(work.ranks, 'rank', 'ranks')}, the costliest is ${format.percent(work.inTurn.median)}` +
    ` above the mean in half of the steps dealt in turn, ${format.percent(work.balanced.median)} balanced;` +
    ` at most ${format.percent(0.02)} in ${format.percent(work.balanced.within2)} of ${format.plural(work.steps, 'step', 'steps')}.`;

  const option = (theme, points) => ({
    ...penstock.chart.base(theme),
    grid: { left: 8, right: 20, top: 14, bottom: 26, containLabel: true },
    xAxis: {
      type: 'value',
      min: 'dataMin',
      max: 'dataMax',
      name: 'step',
      nameLocation: 'middle',
      nameGap: 26,
      minInterval: 1,
      ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count } }),
    },
    yAxis: {
      type: 'value',
      min: 0,
      ...penstock.chart.axis(theme, { axisLabel: { formatter: (value) => format.percent(value) } }),
    },
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'axis',
      formatter: (lines) =>
        penstock.chart.tip(
          `from step ${format.exact(lines[0].value[0])}`,
          lines.map((line) => [line.seriesName, format.percent(line.value[1])]),
        ),
    },
    series: WAYS.map((way) => ({
      name: way.name,
      type: 'line',
      showSymbol: points.step.length < 2,
      emphasis: { disabled: true },
      lineStyle: { color: theme(way.colour), width: 1.5, type: way.type },
      itemStyle: { color: theme(way.colour) },
      data: points.step.map((step, k) => [step, points[way.key][k]]),
    })),
  });

  const create = (body) => {
    const text = el('p', { class: 'result' });
    const legend = el(
      'ul',
      { class: 'legend' },
      ...WAYS.map((way) => el('li', {}, penstock.dom.swatch(way.colour, way.type === 'dashed'), way.name)),
    );
    const chart = penstock.chart.create({
      name: 'Costliest rank above the mean of its step',
      numbers: [
        { name: 'from step', value: (row) => row.step, text: format.exact, number: true, head: true },
        ...WAYS.map((way) => ({
          name: way.name,
          value: (row) => row[way.key],
          text: format.percent,
          number: true,
        })),
      ],
    });
    const note = el(
      'p',
      { class: 'note' },
      'A step takes as long as its costliest rank. A point is the mean of neighbouring steps.',
    );
    const table = penstock.table({
      caption: 'Costs of ranks',
      columns: [
        { name: 'rank', value: (row) => row.rank, number: true, head: true },
        ...WAYS.flatMap((way) => [
          {
            name: `mean cost of a step, ${way.name}`,
            value: (row) => row[way.key].mean,
            text: format.count,
            number: true,
          },
          {
            name: `largest, ${way.name}`,
            value: (row) => row[way.key].most,
            text: format.count,
            number: true,
          },
        ]),
      ],
    });
    body.append(text, legend, chart.element, note, table.element);
    return ({ plan, theme }) => {
      const { work } = plan;
      const sentence = sentenceOf(work);
      say(text, sentence);
      chart.update({
        option: option(theme, work.points),
        sentence,
        tall: 240,
        numbers: () =>
          work.points.step.map((step, k) => ({
            step,
            inTurn: work.points.inTurn[k],
            balanced: work.points.balanced[k],
          })),
      });
      table.update(
        work.inTurn.means.map((_, rank) => ({
          rank,
          ...Object.fromEntries(
            WAYS.map(({ key }) => [key, { mean: work[key].means[rank], most: work[key].mosts[rank] }]),
          ),
        })),
      );
    };
  };

  return {
    id: 'work',
    title: 'Equal work on all ranks',
    short: 'Work',
    shown: ({ plan }) => Boolean(plan?.work?.steps),
    create,
  };
})();
