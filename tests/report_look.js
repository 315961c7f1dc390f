// report_look.js - what a browser sees of a report, in a frame of one width: a message to the frame's page for each fault, and one at the end
addEventListener('load', () => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const say = text => parent.postMessage(location.pathname.match(/(\w+)\.look/)[1] + ', ' + innerWidth + ' px, ' + (dark ? 'dark' : 'light') + ': ' + text, '*');
  for (const image of document.images)
    if (!image.complete || image.naturalWidth === 0) say('a picture did not load: ' + image.alt.slice(0, 60));
  const folded = [...document.querySelectorAll('details:not([open])')];
  folded.forEach(d => d.open = true);
  const past = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && e.getBoundingClientRect().right > innerWidth + 1);
  const named = list => list.slice(0, 3).map(e => e.tagName + '.' + e.className + '#' + e.id).join(', ');
  if (root.scrollWidth > innerWidth) say('all unfolded: ' + root.scrollWidth + ' px wide: ' + named(past));
  const wide = [...document.querySelectorAll('.scroll, pre')].filter(e => e.scrollWidth > e.clientWidth + 1);
  if (innerWidth < 400 && wide.length) say(wide.length + ' boxes scroll sideways');
  folded.forEach(d => d.open = false);
  let level = 0;
  for (const h of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (+h.tagName[1] > level + 1) say(h.tagName + ' after h' + level + ': ' + h.textContent.slice(0, 40));
    level = +h.tagName[1];
  }
  const numbers = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = c => {
    const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0) return light(c.slice(0, 3));
    }
    return 1;
  };
  const sorts = document.querySelector('.totals thead th:last-child button');
  for (const way of sorts ? [1, -1] : []) {
    sorts.click();
    const cells = [...document.querySelectorAll('.totals tbody td:last-child')].map(e => e.textContent);
    if (cells.some((text, i) => i && (text && !cells[i - 1] || way * (text - cells[i - 1]) < 0 && text))) say('a table sorts wrongly: ' + cells);
  }
  if (!sorts) say('no table sorts');
  const filter = document.querySelector('input[type=search]'), claims = [...document.querySelectorAll('.all-verdicts tbody tr')];
  const all = claims.length, open = document.querySelectorAll('.group[open]').length;
  const shown = text => {
    filter.value = text;
    filter.dispatchEvent(new Event('input'));
    return claims.filter(e => e.checkVisibility()).map(e => e.closest('details').querySelector('summary').textContent + e.textContent);
  };
  const found = shown('settings table');
  if (!found.length || found.length === all || found.some(text => !/settings/i.test(text) || !/table/i.test(text))) say('claims do not filter');
  shown('');
  if (document.querySelectorAll('.group[open]').length !== open) say('groups do not fold as before');
  const seen = new Set();
  for (const e of document.querySelectorAll('p, a, h1, h2, h3, th, td, dd, dt, li, q, summary, code, caption, figcaption, pre, button, .badge, .bar span, .place, .reason, .id, .state')) {
    if (!e.textContent.trim() || !e.checkVisibility()) continue;
    const a = light(numbers(getComputedStyle(e).color).slice(0, 3)), b = behind(e);
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const name = e.tagName + '.' + e.className;
    if (contrast < 4.5 && !seen.has(name)) say('contrast ' + contrast.toFixed(2) + ' of ' + name);
    seen.add(name);
  }
  if (dark !== behind(document.body) < .2) say('the page does not follow the colour scheme');
  if ([...document.querySelectorAll('.paper:not(.drawing)')].some(e => behind(e) < .8)) say('a picture without light paper behind it');
  const first = document.querySelector('a[href], summary, [tabindex="0"]');
  first.focus();
  const box = first.getBoundingClientRect();
  if (first.className !== 'skip' || box.top < 0 || box.bottom > innerHeight || getComputedStyle(first).outlineStyle === 'none')
    say('the skip link is not what the first Tab shows');
  say('seen');
});
