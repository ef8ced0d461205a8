'use strict';
// Where a shuffle sent rows, and how labels mix in the batches.
penstock.order = (() => {
  const { el, say, swatch } = penstock.dom;
  const format = penstock.format;

  const correlationWords = (value) => {
    if (value === undefined) return '';
    const size = Math.abs(value);
    const meaning =
      value > 0.999
        ? 'rows come in file order'
        : size > 0.9
          ? 'rows stay close to file order'
          : size > 0.5
            ? 'rows move, but early rows of files still come early'
            : size > 0.1
              ? 'some of the file order is left'
              : 'nothing of the file order is left';
    return `The rank correlation of both places is ${value.toFixed(3)}: ${meaning}.`;
  };

  const scatter = (theme, order) => ({
    ...penstock.chart.base(theme),
    grid: { left: 28, right: 20, top: 14, bottom: 26, containLabel: true },
    xAxis: {
      type: 'value',
      min: 0,
      max: order.rows,
      name: 'place in delivery',
      nameLocation: 'middle',
      nameGap: 26,
      ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count } }),
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: order.rows,
      name: 'place in the files',
      nameLocation: 'middle',
      nameGap: 46,
      ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count } }),
    },
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'item',
      formatter: ({ value }) =>
        penstock.chart.tip('row', [
          ['delivered as', format.exact(value[0])],
          ['in the files', format.exact(value[1])],
        ]),
    },
    series: [
      {
        name: 'rows',
        type: 'scatter',
        symbolSize: 3,
        progressive: 0,
        itemStyle: { color: theme('accent'), opacity: 0.65 },
        emphasis: { disabled: true },
        data: order.delivered.map((place, index) => [place, order.inFiles[index]]),
      },
    ],
  });

  const SHAPES = ['solid', 'dashed', 'dotted'];
  const mix = (theme, labels) => ({
    ...penstock.chart.base(theme),
    grid: { left: 8, right: 20, top: 14, bottom: 26, containLabel: true },
    xAxis: {
      type: 'value',
      min: 'dataMin',
      max: 'dataMax',
      name: 'batch',
      nameLocation: 'middle',
      nameGap: 26,
      ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count } }),
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: (range) => (range.max > 0.5 ? 1 : null),
      ...penstock.chart.axis(theme, { axisLabel: { formatter: (value) => format.percent(value) } }),
    },
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'axis',
      formatter: (points) =>
        penstock.chart.tip(
          `batch ${format.exact(points[0].value[0])}`,
          points.map((point) => [point.seriesName, format.percent(point.value[1])]),
        ),
    },
    series: labels.values.map((value, index) => ({
      name: String(value),
      type: 'line',
      showSymbol: labels.batch.length < 2,
      emphasis: { disabled: true },
      lineStyle: { color: theme(`file-${index % 8}`), width: 1.5, type: SHAPES[index % 3] },
      itemStyle: { color: theme(`file-${index % 8}`) },
      data: labels.batch.map((batch, k) => [batch, labels.shares[index][k]]),
      markLine: penstock.chart.across(
        theme,
        [{ yAxis: labels.overall[index] }],
        { colour: `file-${index % 8}`, opacity: 0.8 },
        { show: false },
      ),
    })),
  });

  const mixSentence = (labels) => {
    const away = labels.values.map((_, index) =>
      Math.max(...labels.shares[index].map((share) => Math.abs(share - labels.overall[index]))),
    );
    const most = penstock.model.largest(away);
    return `The share of '${labels.column}' = ${labels.values[most]} is ${format.percent(labels.overall[most])} overall; in the batches it is at most ${digits(away[most] * 100)} points away from that.`;
  };
  const digits = (value) => value.toFixed(value < 10 ? 1 : 0);

  const create = (body) => {
    const grid = el('div', { class: 'columns' });
    const placesText = el('p', { class: 'result' });
    const places = penstock.chart.create({
      name: 'Places of rows',
      numbers: [
        { name: 'place in delivery', value: (row) => row[0], text: format.exact, number: true },
        { name: 'place in the files', value: (row) => row[1], text: format.exact, number: true },
      ],
    });
    const mixText = el('p', { class: 'result' });
    const legend = el('ul', { class: 'legend', 'aria-label': 'Values' });
    const mixed = penstock.chart.create({
      name: 'Shares of labels by batch',
      numbers: [
        { name: 'batch', value: (row) => row.batch, text: format.exact, number: true },
        { name: 'value', value: (row) => row.value },
        { name: 'share', value: (row) => row.share, text: format.exact, number: true },
        { name: 'share overall', value: (row) => row.overall, text: format.exact, number: true },
      ],
    });
    const mixTitle = el('h3');
    const mixPart = el('div', {}, mixTitle, mixText, legend, mixed.element);
    grid.append(el('div', {}, el('h3', {}, 'Places of rows'), placesText, places.element), mixPart);
    body.append(grid);

    return ({ run, theme }) => {
      const { order } = run;
      const sentence = correlationWords(order.rankCorrelation) || 'Each point is a row.';
      say(placesText, sentence);
      places.update({
        option: scatter(theme, order),
        sentence,
        tall: 300,
        numbers: () => order.delivered.map((place, index) => [place, order.inFiles[index]]),
      });
      const { labels } = order;
      mixPart.hidden = !labels;
      if (!labels) return;
      say(mixTitle, `Shares of '${labels.column}' by batch`);
      legend.replaceChildren(
        ...labels.values.map((value, index) =>
          el('li', {}, swatch(`file-${index % 8}`), `${value} (${SHAPES[index % 3]})`),
        ),
        el('li', {}, 'thin dashes: overall'),
      );
      const words = mixSentence(labels);
      say(mixText, words);
      mixed.update({
        option: mix(theme, labels),
        sentence: words,
        tall: 278,
        numbers: () =>
          labels.batch.flatMap((batch, k) =>
            labels.values.map((value, index) => ({
              batch,
              value: String(value),
              share: labels.shares[index][k],
              overall: labels.overall[index],
            })),
          ),
      });
    };
  };

  return {
    id: 'order',
    title: 'Where the shuffle sent rows',
    short: 'Shuffle',
    shown: ({ run }) => Boolean(run?.order?.delivered.length),
    create,
  };
})();
