// figures_look.js - what a browser sees of drawings, with two fonts: a line in the page for each text that leaves the canvas, or lies on
// another one or on a mark, or is too small in a column of a journal if the drawing is for that, and "seen NAME" for each drawing; these are in <template id=NAME> elements
addEventListener('load', () => {
  const said = [], stage = document.body.appendChild(document.createElement('div'));
  for (const template of document.querySelectorAll('template')) {
    const figure = template.content.querySelector('svg').cloneNode(true), [, , w, h] = figure.getAttribute('viewBox').split(' ');
    figure.style.cssText = `width:${w}px;height:${h}px;display:block`;
    stage.replaceChildren(figure);
    for (const font of ['Liberation Sans', 'DejaVu Sans']) {
      const say = (...words) => said.push(`${template.id}, ${font}: ${words.join(' ')}`);
      // what a text fills of its line's height, and a little less than its width
      const box = (e, dx, dy) => {
        const b = e.getBoundingClientRect(), upright = b.height > 1.5 * b.width && e.textContent.length > 2;
        if (upright) [dx, dy] = [dy, dx];
        return { left: b.left + dx * b.width, right: b.right - dx * b.width, top: b.top + dy * b.height, bottom: b.bottom - dy * b.height, words: e.textContent.trim() };
      };
      for (const g of figure.querySelectorAll('[font-family]')) g.setAttribute('font-family', font);
      const texts = [...figure.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => box(t, .01, .22));
      const marks = [...figure.querySelectorAll('use')].filter(m => !m.closest('defs')).map(m => m.getBoundingClientRect());
      const least = Math.min(...[...figure.querySelectorAll('[font-size]')].map(g => parseFloat(g.getAttribute('font-size'))));
      if (w < 700 && least * 88 / 25.4 * 72 / w < 5.5) say('below 5.5 points at 88 mm:', least, 'px');
      const edge = figure.getBoundingClientRect();
      texts.forEach((a, i) => {
        if (a.left < edge.left + 1 || a.right > edge.right - 1 || a.top < edge.top || a.bottom > edge.bottom) say('beyond the edge:', a.words);
        for (const b of texts.slice(i + 1))
          if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) say(a.words, 'lies on', b.words);
        for (const m of marks) {
          const x = (m.left + m.right) / 2, y = (m.top + m.bottom) / 2;
          if (a.left < x + 2 && a.right > x - 2 && a.top < y + 2 && a.bottom > y - 2) { say('a mark is in', a.words); break; }
        }
      });
    }
    said.push('seen ' + template.id);
  }
  stage.remove();
  const pre = document.body.appendChild(document.createElement('pre'));
  pre.textContent = said.map(s => '\n' + s).join('') + '\n';
});
