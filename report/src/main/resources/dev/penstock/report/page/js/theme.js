'use strict';
// Light or dark: the system's choice until the button makes another.
penstock.theme = (() => {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const listeners = [];
  let printing = false;

  const isDark = () => !printing && (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const changed = () => listeners.forEach((listener) => listener());

  system.addEventListener('change', changed);

  // Colours stand in the style sheet alone. A probe resolves them, as charts draw on canvases.
  const colours = () => {
    const probe = penstock.dom.el('span', { hidden: true });
    document.body.append(probe);
    const known = new Map();
    const colour = (name) => {
      if (!known.has(name)) {
        probe.style.color = `var(--${name})`;
        known.set(name, getComputedStyle(probe).color);
      }
      return known.get(name);
    };
    const names = [
      'text',
      'muted',
      'surface',
      'inset',
      'line',
      'line-strong',
      'accent',
      'several',
      'rest',
      'busy',
      'open',
      'fetch',
      'decompress',
      'decode',
      'filter',
      'shuffle',
      'transform',
      'batch',
      'collate',
      'wait',
      ...Array.from({ length: 8 }, (_, index) => `file-${index}`),
    ];
    names.forEach(colour);
    probe.remove();
    return (name) => known.get(name);
  };

  return {
    isDark,
    colours,
    onChange: (listener) => listeners.push(listener),
    toggle() {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      changed();
    },
    // Paper is light, whatever the screen is.
    print(on) {
      printing = on;
      if (on) root.dataset.printing = root.dataset.theme ?? '';
      if (on) root.dataset.theme = 'light';
      else if (root.dataset.printing) root.dataset.theme = root.dataset.printing;
      else delete root.dataset.theme;
      if (!on) delete root.dataset.printing;
      changed();
    },
  };
})();
