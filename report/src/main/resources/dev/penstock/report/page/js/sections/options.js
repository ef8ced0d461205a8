'use strict';
// How it was asked to run.
penstock.options = (() => {
  const create = (body) => {
    const table = penstock.table({
      caption: 'Options',
      columns: [
        { name: 'option', value: (row) => row.name, head: true },
        { name: 'value', value: (row) => row.value, long: true },
      ],
    });
    body.append(table.element);
    return ({ report, run }) => table.update([...(report.options ?? []), ...(run?.settings ?? [])]);
  };

  return {
    id: 'options',
    title: 'Options',
    short: 'Options',
    shown: ({ report, run }) => Boolean(report.options?.length || run?.settings?.length),
    create,
  };
})();
