'use strict';
// Puts text on the clipboard; where a browser does not allow that, through a selection.
penstock.copy = (() => {
  const bySelection = (text) => {
    const area = penstock.dom.el('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' });
    const focused = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    focused?.focus({ preventScroll: true });
    return copied;
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return bySelection(text);
    }
  };

  // A button that copies and says so, to eyes and screen readers.
  const button = (what, text) => {
    const said = penstock.dom.el('span', { role: 'status', class: 'unseen' });
    const pressed = penstock.dom.button(
      'Copy',
      async () => {
        const copied = await copy(text());
        pressed.firstChild.textContent = copied ? 'Copied' : 'Not allowed';
        said.textContent = copied
          ? `Copied ${what}`
          : `Cannot copy ${what}: the browser does not allow it. Select it instead.`;
        setTimeout(() => {
          pressed.firstChild.textContent = 'Copy';
          said.textContent = '';
        }, 2000);
      },
      { 'aria-label': `Copy ${what}` },
    );
    return [pressed, said];
  };

  return { button };
})();
