'use strict';
// Tables: sorted by their headers, shown 50 rows at a time, copied as a whole.
penstock.table = (() => {
  const { el, button } = penstock.dom;
  const PAGE = 50;
  const order = new Intl.Collator('en', { numeric: true });

  const compare = (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return order.compare(String(left), String(right));
  };

  const cell = (column, row) => {
    const kind = column.number ? 'number' : column.long ? 'long' : null;
    const content = column.text ? column.text(column.value(row), row) : String(column.value(row));
    return column.head
      ? el('th', { scope: 'row', class: kind }, content)
      : el('td', { class: kind }, content);
  };

  const plain = (value) => String(value).replace(/[\t\n\r]/g, ' ');

  // columns: { name, value(row), text?(value, row), number?, long?, head? }; value is what is sorted
  // and copied, text what is shown. Returns { element, update(rows) }.
  return ({ caption, columns, sort = null, descending = false }) => {
    let rows = [];
    let sorted = [];
    let page = 0;
    let by = sort;
    let down = descending;

    const body = el('tbody');
    const heads = columns.map((column, index) =>
      el(
        'th',
        { scope: 'col', class: column.number ? 'number' : column.long ? 'long' : null, 'aria-sort': 'none' },
        button(column.name, () => {
          down = by === index ? !down : Boolean(column.number);
          by = index;
          page = 0;
          draw();
        }),
      ),
    );
    const table = el(
      'table',
      {},
      el('caption', { class: 'unseen' }, caption),
      el('thead', {}, el('tr', {}, ...heads)),
      body,
    );
    const scroll = el(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table: ${caption}` },
      table,
    );
    const place = el('span', { role: 'status' });
    const turn = (text, to) =>
      button(text, () => {
        page = to();
        draw();
        scroll.scrollTop = 0;
      });
    const last = () => Math.max(0, Math.ceil(rows.length / PAGE) - 1);
    const back = [turn('First', () => 0), turn('Previous', () => page - 1)];
    const forth = [turn('Next', () => page + 1), turn('Last', last)];
    const pager = el('div', { class: 'pager' }, ...back, place, ...forth);

    const tabbed = () =>
      [
        columns.map((column) => column.name),
        ...sorted.map((row) => columns.map((column) => column.value(row))),
      ]
        .map((values) => values.map(plain).join('\t'))
        .join('\n') + '\n';

    const element = el(
      'div',
      { class: 'sheet' },
      el(
        'div',
        { class: 'sheet-bar' },
        el('span', { class: 'caption', 'aria-hidden': 'true' }, caption),
        ...penstock.copy.button(`table ${caption}`, tabbed),
      ),
      scroll,
      pager,
    );

    const draw = () => {
      sorted = rows.slice();
      if (by !== null) {
        const value = columns[by].value;
        sorted.sort((left, right) => (down ? -1 : 1) * compare(value(left), value(right)));
      }
      heads.forEach((head, index) =>
        head.setAttribute('aria-sort', index === by ? (down ? 'descending' : 'ascending') : 'none'),
      );
      page = Math.max(0, Math.min(page, last()));
      const shown = sorted.slice(page * PAGE, (page + 1) * PAGE);
      body.replaceChildren(
        ...shown.map((row) => el('tr', {}, ...columns.map((column) => cell(column, row)))),
      );
      pager.hidden = rows.length <= PAGE;
      const f = penstock.format.exact;
      penstock.dom.say(
        place,
        rows.length ? `${f(page * PAGE + 1)}\u2013${f(page * PAGE + shown.length)} of ${f(rows.length)}` : '',
      );
      // A button that is switched off loses the focus, so it is only greyed.
      back.forEach((each) => each.setAttribute('aria-disabled', String(page === 0)));
      forth.forEach((each) => each.setAttribute('aria-disabled', String(page === last())));
    };

    return {
      element,
      update(next) {
        rows = next;
        draw();
      },
    };
  };
})();
