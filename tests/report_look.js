// report_look.js - what a browser sees of a report, in a frame of one width: a message to the frame's page for each fault, and one at the end
addEventListener('load', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const say = text => parent.postMessage(location.pathname.match(/(\w+)\.look/)[1] + ', ' + innerWidth + ' px, ' + (dark ? 'dark' : 'light') + ': ' + text, '*');
  for (const image of document.images)
    if (!image.complete || image.naturalWidth === 0) say('a picture did not load: ' + image.alt.slice(0, 60));
  document.querySelectorAll('details').forEach(d => d.open = true);
  const past = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && e.getBoundingClientRect().right > innerWidth + 1);
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) say('all unfolded: ' + width + ' px wide: ' + past.slice(0, 3).map(e => e.tagName + '.' + e.className + '#' + e.id).join(', '));
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
  const seen = new Set();
  for (const e of document.querySelectorAll('p, a, h1, h2, h3, h4, th, td, q, b, span, summary, code, caption, figcaption, pre')) {
    const name = e.tagName + '.' + e.className;
    if (!e.textContent.trim() || seen.has(name)) continue;
    const a = light(numbers(getComputedStyle(e).color).slice(0, 3)), b = behind(e);
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < 4.5) say('contrast ' + contrast.toFixed(2) + ' of ' + name), seen.add(name);
  }
  if (dark !== behind(document.body) < .2) say('the page does not follow the colour scheme');
  say('seen');
});
