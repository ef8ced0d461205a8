'use strict';
// Another report beside this one, read on this machine from the file that a reader chooses.
penstock.compare = (() => {
  const { el, button } = penstock.dom;

  const read = (file) =>
    new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.onerror = () => reject(reader.error);
      reader.readAsText(file);
    });

  const reportIn = async (file) => {
    const page = new DOMParser().parseFromString(await read(file), 'text/html');
    return penstock.embedded.report(page);
  };

  // changed(others) is called with [{ name, report }].
  const create = (changed) => {
    const fault = el('p', { class: 'fault', role: 'alert' });
    const input = el('input', {
      type: 'file',
      class: 'unseen',
      accept: '.html,text/html',
      id: 'compare',
      tabindex: '-1',
      'aria-label': 'Another report to compare with',
    });
    const add = button('Compare\u2026', () => input.click(), {
      'aria-label': 'Compare with another report',
      title: 'Compare with another report',
    });
    const remove = button(
      'Stop comparing',
      () => {
        changed([]);
        remove.hidden = true;
        add.focus();
      },
      { hidden: true },
    );
    input.addEventListener('change', async () => {
      const [file] = input.files;
      if (!file) return;
      try {
        changed([{ name: file.name.replace(/\.html?$/i, ''), report: await reportIn(file) }]);
        fault.textContent = '';
        remove.hidden = false;
      } catch (problem) {
        fault.textContent = `Cannot compare with '${file.name}': ${problem instanceof SyntaxError ? 'its data are not JSON' : problem.message}. Choose a report that Penstock wrote.`;
      }
      input.value = ''; // so that the same file can be chosen again
    });
    return { tools: [add, remove, input], fault };
  };

  return { create };
})();
