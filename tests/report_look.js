// report_look.js - what a browser sees of a report, in a frame of one width: a message to the frame's page for each fault, and one at the end
//
// Links are followed as the page is, most of it folded; then all is unfolded.
addEventListener('load', async () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const say = text => parent.postMessage(location.pathname.match(/(\w+)\.look/)[1] + ', ' + innerWidth + ' px, ' + (dark ? 'dark' : 'light') + ': ' + text, '*');
  for (const image of document.images)
    if (!image.complete || image.naturalWidth === 0) say('a picture did not load: ' + image.alt.slice(0, 60));
  const targets = new Set();
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    const at = link.getAttribute('href').slice(1), target = document.getElementById(at);
    if (dark || targets.has(at)) continue;
    targets.add(at);
    if (targets.size % 100 === 0) await new Promise(go => setTimeout(go, 15000)); // Chromium follows 200 in 10 seconds
    link.click();
    const box = target && target.getBoundingClientRect();
    if (!box || box.width === 0 || !target.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || box.top > innerHeight || box.bottom < 0)
      say('a link leads to nothing that is seen: #' + at);
  }
  document.querySelectorAll('details').forEach(d => d.open = true);
  const past = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && e.getBoundingClientRect().right > innerWidth + 1);
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) say('all unfolded: ' + width + ' px wide: ' + past.slice(0, 3).map(e => e.tagName + '.' + e.className + '#' + e.id).join(', '));
  // texts by the lines of 64 pixels that they are in: what a letter fills of its line, cut as boxes and drawings cut it
  const lines = new Map();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; !dark && (node = walk.nextNode());) {
    const e = node.parentElement, range = document.createRange(), inside = [];
    if (!node.data.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest('script, style, title, desc')) continue;
    for (let of = e; of; of = of.parentElement)
      if (of.tagName === 'svg' || getComputedStyle(of).overflowX !== 'visible') inside.push(of.getBoundingClientRect());
    range.selectNodeContents(node);
    for (const b of range.getClientRects()) {
      const upright = b.height > 1.5 * b.width && node.data.trim().length > 2, [dx, dy] = upright ? [.22, .01] : [.01, .22];
      const box = { left: b.left + dx * b.width, right: b.right - dx * b.width, top: b.top + dy * b.height, bottom: b.bottom - dy * b.height, words: node.data.trim().slice(0, 30) };
      for (const i of inside) {
        box.left = Math.max(box.left, i.left), box.right = Math.min(box.right, i.right);
        box.top = Math.max(box.top, i.top), box.bottom = Math.min(box.bottom, i.bottom);
      }
      if (box.right - box.left < 1 || box.bottom - box.top < 1) continue;
      let lies = false;
      for (let line = Math.floor(box.top / 64); line <= Math.floor(box.bottom / 64); line++) {
        const near = lines.get(line) || [];
        const other = near.find(o => o.left < box.right && box.left < o.right && o.top < box.bottom && box.top < o.bottom);
        if (other && !lies) say(box.words + ' lies on ' + other.words), lies = true;
        near.push(box);
        lines.set(line, near);
      }
    }
  }
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
