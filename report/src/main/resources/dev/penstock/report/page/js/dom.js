'use strict';
// Elements. Texts become text nodes, so nothing in a report is ever read as HTML.
penstock.dom = (() => {
  const el = (name, properties = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child !== undefined && child !== null));
    return element;
  };

  const button = (text, act, properties = {}) =>
    el('button', { type: 'button', ...properties, onclick: act }, text);

  // A small square of a colour, which is set by script as the policy allows no style attributes.
  const swatch = (colour, hatched = false) => {
    const square = el('span', { class: hatched ? 'swatch hatched' : 'swatch', 'aria-hidden': 'true' });
    square.style.setProperty('--swatch', `var(--${colour})`);
    return square;
  };

  // Sets a text only where it differs, so that a live page leaves selections alone.
  const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
    element.hidden = text === '';
  };

  return { el, button, swatch, say };
})();
