'use strict';
// Who reads what: the splits of each reader by file, the ranks' shares, and all files.
penstock.readers = (() => {
  const { el, say, swatch } = penstock.dom;
  const format = penstock.format;
  const { sum, largest, rowsOf } = penstock.model;
  const COLOURS = 8;
  const MOST = 64; // readers drawn; all are in the numbers
  const ROW = 22;

  const fileName = (plan, file) => (file >= 0 ? plan.files.location[file] : 'files beyond the list');

  // Splits in their readers' order, as blocks along the rows: { reader, from, to, file, splits }.
  // Neighbours too narrow to see are one block.
  const blocksOf = (plan, narrow) => {
    const { reader, file, firstRow, endRow } = plan.splits;
    const at = new Map();
    const blocks = [];
    reader.forEach((each, index) => {
      if (each >= MOST) return;
      const from = at.get(each)?.to ?? 0;
      const to = from + endRow[index] - firstRow[index];
      const last = at.get(each);
      if (last && last.to - last.from < narrow && to - from < narrow) {
        last.to = to;
        last.several = last.several || last.file !== file[index];
        last.splits.push(index);
      } else {
        const block = { reader: each, from, to, file: file[index], several: false, splits: [index] };
        blocks.push(block);
        at.set(each, block);
      }
    });
    return blocks;
  };

  const colour = (block) => (block.several || block.file < 0 ? 'several' : `file-${block.file % COLOURS}`);

  const splitTip = (plan, block) => {
    const first = block.splits[0];
    return penstock.chart.tip(block.several ? 'several files' : fileName(plan, block.file), [
      ['reader', String(block.reader)],
      [
        block.splits.length > 1 ? `rows of ${format.exact(block.splits.length)} splits` : 'rows',
        format.exact(block.to - block.from),
      ],
      ...(block.splits.length === 1
        ? [
            [
              'in the file',
              `[${format.exact(plan.splits.firstRow[first])}, ${format.exact(plan.splits.endRow[first])})`,
            ],
          ]
        : []),
    ]);
  };

  const splitOption = (theme, plan, blocks, readers) => ({
    ...penstock.chart.base(theme),
    grid: { left: 8, right: 16, top: 4, bottom: 4, containLabel: true },
    xAxis: {
      type: 'value',
      min: 0,
      max: Math.max(1, ...plan.readers.rows),
      ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count, showMaxLabel: false } }),
    },
    yAxis: penstock.chart.names(
      theme,
      readers.map((reader) => `reader ${reader}`),
    ),
    tooltip: {
      ...penstock.chart.base(theme).tooltip,
      trigger: 'item',
      formatter: ({ dataIndex }) => splitTip(plan, blocks[dataIndex]),
    },
    series: [
      {
        name: 'splits',
        type: 'custom',
        encode: { x: [1, 2], y: 0 },
        emphasis: { disabled: true },
        progressive: 0,
        data: blocks.map((block, index) => [block.reader, block.from, block.to, index]),
        renderItem: (params, api) => {
          const [left, middle] = api.coord([api.value(1), api.value(0)]);
          const right = api.coord([api.value(2), api.value(0)])[0];
          const tall = api.size([0, 1])[1] * 0.76;
          // The border parts neighbours of alike colours.
          return {
            type: 'rect',
            shape: { x: left, y: middle - tall / 2, width: Math.max(right - left, 0.75), height: tall },
            style: {
              fill: theme(colour(blocks[api.value(3)])),
              stroke: theme('surface'),
              lineWidth: right - left > 3 ? 1 : 0,
            },
          };
        },
      },
    ],
  });

  const splitSentence = (plan) => {
    const { rows } = plan.readers;
    const files = plan.files.location.length + (plan.filesMore?.files ?? 0);
    const mean = sum(rows) / Math.max(1, rows.length);
    const most = largest(rows);
    const even = mean > 0 ? rows[most] / mean : 1;
    return `${format.plural(rows.length, 'reader reads', 'readers read')} ${format.plural(files, 'file', 'files')} in ${format.plural(sum(plan.readers.splits), 'split', 'splits')}. ${rows.length < 2 ? '' : even > 1.05 ? `Reader ${most} has the most rows, ${format.times(even)} the mean.` : 'All have about as many rows.'}`.trim();
  };

  const notDrawn = ({ readers, splits, splitsMore }) => {
    const count = readers.rows.length;
    const notes = [];
    if (count > MOST)
      notes.push(
        `The first ${MOST} of ${format.exact(count)} readers are drawn${splitsMore ? '' : '; all are in the numbers'}.`,
      );
    if (splitsMore)
      notes.push(
        `The report lists the first ${format.exact(splits.reader.length)} of ${format.exact(splits.reader.length + splitsMore)} splits, reader by reader; the rest is missing in the chart, its numbers and the readers of the files.`,
      );
    return notes.join(' ');
  };

  const ranks = (body) => {
    const text = el('p', { class: 'result' });
    const chart = penstock.chart.create({
      name: 'Rows of the ranks',
      numbers: [
        { name: 'rank', value: (row) => row.rank, number: true },
        { name: 'rows', value: (row) => row.rows, text: format.exact, number: true },
      ],
    });
    const part = el('div', {}, el('h3', {}, 'Ranks'), text, chart.element);
    body.append(part);
    return ({ plan, theme }) => {
      part.hidden = !plan.ranks;
      if (!plan.ranks) return;
      const { rows, mine } = plan.ranks;
      const sentence = `This is rank ${mine} of ${format.exact(rows.length)}; it gets ${format.exact(rows[mine])} of ${format.exact(sum(rows))} rows (${format.percent(rows[mine] / sum(rows))}).`;
      say(text, sentence);
      chart.update({
        sentence,
        tall: Math.min(MOST, rows.length) * ROW + 32,
        numbers: () => rows.map((count, rank) => ({ rank, rows: count })),
        option: {
          ...penstock.chart.base(theme),
          grid: { left: 8, right: 16, top: 4, bottom: 4, containLabel: true },
          xAxis: {
            type: 'value',
            max: Math.max(1, ...rows),
            ...penstock.chart.axis(theme, { axisLabel: { formatter: format.count, showMaxLabel: false } }),
          },
          yAxis: penstock.chart.names(
            theme,
            rows.slice(0, MOST).map((_, rank) => (rank === mine ? `rank ${rank} (this)` : `rank ${rank}`)),
          ),
          tooltip: {
            ...penstock.chart.base(theme).tooltip,
            trigger: 'axis',
            axisPointer: { type: 'none' },
            formatter: (points) =>
              penstock.chart.tip(points[0].name, [['rows', format.exact(points[0].value)]]),
          },
          series: [
            {
              name: 'rows',
              type: 'bar',
              barMaxWidth: 17,
              data: rows.slice(0, MOST).map((value, rank) => ({
                value,
                itemStyle: { color: theme(rank === mine ? 'accent' : 'wait') },
              })),
              emphasis: { disabled: true },
            },
          ],
        },
      });
    };
  };

  const readersOfFiles = (plan) => {
    const readers = plan.files.location.map(() => new Set());
    plan.splits.file.forEach((file, index) => readers[file]?.add(plan.splits.reader[index]));
    return readers.map((set) => [...set].sort((a, b) => a - b).join(', '));
  };

  const create = (body) => {
    const text = el('p', { class: 'result' });
    const splits = penstock.chart.create({
      name: 'Splits of the readers',
      numbers: [
        { name: 'reader', value: (row) => row.reader, number: true },
        { name: 'file', value: (row) => row.file, long: true },
        { name: 'first row', value: (row) => row.firstRow, text: format.exact, number: true },
        { name: 'end row', value: (row) => row.endRow, text: format.exact, number: true },
      ],
    });
    const legend = el('ul', { class: 'legend', 'aria-label': 'Colours' });
    const more = el('p', { class: 'note' });
    body.append(text, legend, splits.element, more);
    const updateRanks = ranks(body);
    const files = penstock.table({
      caption: 'Files',
      columns: [
        { name: 'file', value: (row) => row.location, long: true, head: true },
        { name: 'bytes', value: (row) => row.bytes, text: format.bytes, number: true },
        { name: 'rows', value: (row) => row.rows, text: format.exact, number: true },
        { name: 'row groups', value: (row) => row.rowGroups, text: format.exact, number: true },
        { name: 'readers', value: (row) => row.readers, number: true },
      ],
    });
    const beyond = el('p', { class: 'note' });
    body.append(files.element, beyond);

    return (view) => {
      const { plan, theme } = view;
      const readers = rowsOf(plan.readers.rows, Math.min(MOST, plan.readers.rows.length));
      const pixels = Math.max(200, (splits.width || 900) - 90);
      const blocks = blocksOf(plan, (1.2 * Math.max(1, ...plan.readers.rows)) / pixels);
      const sentence = splitSentence(plan);
      say(text, sentence);
      say(more, notDrawn(plan));
      const shown = [...new Set(blocks.filter((block) => !block.several).map((block) => block.file))];
      legend.replaceChildren(
        ...shown
          .filter((file) => file >= 0 && file < COLOURS)
          .sort((left, right) => left - right)
          .map((file) => el('li', {}, swatch(`file-${file}`), format.file(plan.files.location[file]))),
        shown.some((file) => file >= COLOURS) ? el('li', {}, 'and so on, in turn') : '',
        blocks.some((block) => block.several) ? el('li', {}, swatch('several'), 'several files') : '',
      );
      splits.update({
        option: splitOption(theme, plan, blocks, readers),
        sentence,
        tall: readers.length * ROW + 32,
        numbers: () =>
          plan.splits.reader.map((reader, index) => ({
            reader,
            file: fileName(plan, plan.splits.file[index]),
            firstRow: plan.splits.firstRow[index],
            endRow: plan.splits.endRow[index],
          })),
      });
      updateRanks(view);
      const of = readersOfFiles(plan);
      files.update(
        plan.files.location.map((location, index) => ({
          location,
          bytes: plan.files.bytes[index],
          rows: plan.files.rows[index],
          rowGroups: plan.files.rowGroups[index],
          readers: of[index],
        })),
      );
      const rest = plan.filesMore;
      say(
        beyond,
        rest?.files
          ? `Beyond these there are ${format.plural(rest.files, 'file', 'files')} of ${format.bytes(rest.bytes)} and ${format.exact(rest.rows)} rows.`
          : '',
      );
    };
  };

  return {
    id: 'readers',
    title: 'Who reads what',
    short: 'Readers',
    shown: ({ plan }) => Boolean(plan),
    create,
  };
})();
