// What a script adds to the page, which needs none: tables that sort, claims that filter, a mark where one is.  The page is XML:
// neither a less-than sign nor an ampersand may stand here.
(() => {
  // what a row begins with is a name, unless all of it is a number
  const number = (text, at) => parseFloat(at ? text.replace(/^[^-\d]*/, '') : text);
  for (const head of document.querySelectorAll('thead th')) {
    const table = head.closest('table');
    if (3 > table.tBodies[0].rows.length) continue;
    const button = document.createElement('button');
    button.append(...head.childNodes);
    if (!button.textContent) button.setAttribute('aria-label', 'sort');
    head.append(button);
    button.onclick = () => {
      const at = head.cellIndex, way = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      const text = row => row.cells[at] ? row.cells[at].textContent.trim() : '';
      for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => {
        const x = text(a), y = text(b), n = number(x, at), m = number(y, at);
        if (x === '' || y === '') return (x === '') - (y === '');
        return way * (isNaN(n) || isNaN(m) ? isNaN(n) - isNaN(m) || x.localeCompare(y) : n - m);
      }));
    };
  }
  const section = document.querySelector('.all-verdicts');
  const label = document.createElement('label'), box = document.createElement('input');
  box.type = 'search';
  box.placeholder = 'Fig. 9, contradicted, speedup …';
  label.className = 'filter';
  label.append('Only claims with ', box);
  section.querySelector('h3').before(label);
  box.oninput = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const group of section.querySelectorAll('details.group')) {
      const about = group.querySelector('summary').textContent;
      let n = 0;
      for (const row of group.querySelectorAll('tbody tr')) {
        const text = (about + row.textContent).toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        n += !row.hidden;
      }
      group.hidden = !n;
      group.open = words.length ? n > 0 : group.dataset.open === '1';
    }
  };
  // a claim or figure that a link leads to may be folded
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  if (location.hash) unfold();
  const links = new Map([...document.querySelectorAll('.contents a')].map(a => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      const link = links.get(entry.target.id);
      if (!entry.isIntersecting) continue;
      for (const other of links.values()) other.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
    }
  }, { rootMargin: '-10% 0px -75% 0px' });
  for (const id of links.keys()) seen.observe(document.getElementById(id));
})();
