
'use strict';
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (tag, text, parent, more) => {
    const element = Object.assign(document.createElement(tag), { textContent: text }, more);
    if (parent) parent.append(element);
    return element;
  };
  const root = document.documentElement;

  /* Files, made here: nothing is fetched. */
  const save = (name, type, text) => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = make('a', '', document.body, { href: url, download: name });
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };
  const csvField = (text) => {
    let field = text.replace(/\s+/g, ' ').trim();
    if (/^[=+@-]/.test(field) && !/^[+-]?[0-9.]+$/.test(field)) field = "'" + field;
    return /[",]/.test(field) ? '"' + field.replace(/"/g, '""') + '"' : field;
  };

  /* Light and dark. */
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = make('button', '', document.getElementById('tools'), { type: 'button', id: 'theme' });
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  const showTheme = () => { theme.textContent = isDark() ? 'Light mode' : 'Dark mode'; };
  try {
    const kept = localStorage.getItem('celer-theme');
    if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  } catch (e) { /* a browser may forbid it to files */ }
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try { localStorage.setItem('celer-theme', root.dataset.theme); } catch (e) { /* as above */ }
    showTheme();
  });
  dark.addEventListener('change', showTheme);
  showTheme();

  /* Rows, read once: sorting and filtering then touch no text. */
  const tables = all('.tab table').map((table) => {
    const body = table.tBodies[0];
    const heads = Array.from(table.tHead.rows[0].cells);
    const sized = table.dataset.size === 'Input';
    const units = heads.map((head) => head.textContent);
    /* Drawn as grids, tables to those who hear them. */
    const role = (element, name) => element.setAttribute('role', name);
    role(table, 'table');
    for (const part of [table.tHead, body]) role(part, 'rowgroup');
    role(table.tHead.rows[0], 'row');
    heads.forEach((head) => role(head, 'columnheader'));
    const rows = Array.from(body.rows, (tr) => {
      const cells = tr.cells;
      role(tr, 'row');
      for (const td of cells) role(td, 'cell');
      for (const i of [4, 6, 7]) cells[i].dataset.u = units[i];
      return {
        tr,
        keys: Array.from(cells, (td, i) => (i >= 4 && i !== 5 && i < 9
          ? parseFloat(td.dataset.v || td.textContent) || 0 : td.textContent)),
        is: {
          Function: tr.dataset.f || cells[0].textContent,
          Library: cells[1].firstChild ? cells[1].firstChild.data.trim() : '',
          Backend: cells[2].textContent,
          Compiler: cells[3].textContent,
          Length: sized ? cells[4].textContent : null,
          Mode: cells[5].textContent,
          Machine: cells[10] ? cells[10].textContent : null,
        },
      };
    });
    return { table, body, heads, rows, section: table.closest('section') };
  });

  /* Sorting. */
  const collate = new Intl.Collator('en', { numeric: true }).compare;
  const sort = (t, column) => {
    const head = t.heads[column];
    const up = head.getAttribute('aria-sort') !== 'ascending';
    t.heads.forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const numeric = typeof (t.rows[0] && t.rows[0].keys[column]) === 'number';
    const rows = t.rows.slice().sort((a, b) => {
      const x = a.keys[column], y = b.keys[column];
      return (numeric ? x - y : collate(x, y)) * (up ? 1 : -1);
    });
    t.table.classList.add('sorted');
    t.body.append(...rows.map((row) => row.tr));
  };
  for (const t of tables)
    t.heads.forEach((head, column) => {
      const button = make('button', head.textContent, null, { type: 'button' });
      head.replaceChildren(button);
      button.addEventListener('click', () => sort(t, column));
    });

  /* Filtering. */
  const form = document.getElementById('filter');
  const rows = tables.flatMap((t) => t.rows);
  const selects = {};
  for (const name of ['Function', 'Library', 'Backend', 'Compiler', 'Length', 'Mode', 'Machine']) {
    const values = new Set(rows.map((row) => row.is[name]).filter((value) => value !== null && value !== ''));
    if (values.size < 2) continue;
    let sorted = Array.from(values);
    if (name === 'Length') {
      const bytes = new Map(rows.map((row) => [row.is.Length, row.keys[4]]));
      sorted.sort((a, b) => bytes.get(a) - bytes.get(b));
    } else if (name !== 'Function') sorted.sort(collate);
    const label = make('label', name, form);
    const select = make('select', '', label, { name });
    make('option', 'all', select, { value: '' });
    for (const value of sorted) make('option', value, select, { value });
    selects[name] = select;
  }
  const count = make('output', '', form);
  const figures = all('figure');
  const filter = () => {
    const wanted = Object.entries(selects).filter(([, select]) => select.value !== '');
    let shown = 0;
    for (const t of tables) {
      let here = 0;
      for (const row of t.rows) {
        const fits = wanted.every(([name, select]) => row.is[name] === null || row.is[name] === select.value);
        if (row.tr.hidden === fits) row.tr.hidden = !fits;
        row.tr.classList.toggle('empty', !fits);
        here += fits;
      }
      shown += here;
      t.section.classList.toggle('empty', here === 0);
    }
    const one = selects.Function ? selects.Function.value : '';
    const machine = selects.Machine ? selects.Machine.value.split(' ')[0] : '';
    for (const figure of figures)
      figure.classList.toggle('empty', Boolean((one && figure.dataset.f && figure.dataset.f !== one)
        || (machine && figure.dataset.m !== machine)));
    count.textContent = shown + ' of ' + rows.length + ' figures';
  };
  form.addEventListener('change', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = Object.keys(selects).length === 0;
  filter();

  /* Downloads of tables: the rows that are shown, in their order. */
  for (const t of tables) {
    const button = make('button', 'Download CSV', t.section.querySelector('.bar'), { type: 'button' });
    button.addEventListener('click', () => {
      const lines = [t.heads.map((head) => csvField(head.textContent)).join(',')];
      for (const tr of t.body.rows)
        if (!tr.hidden) lines.push(Array.from(tr.cells, (td) => csvField(td.textContent)).join(','));
      save(t.section.querySelector('h2').textContent.toLowerCase().replace(/[^a-z0-9]+/g, '-') + '.csv',
        'text/csv', lines.join('\n') + '\n');
    });
  }

  /* Charts: tips, keys, downloads. */
  const tip = document.getElementById('tip');
  const hide = () => { tip.hidden = true; };
  const show = (mark) => {
    const at = mark.getBoundingClientRect();
    tip.textContent = mark.getAttribute('aria-label');
    tip.hidden = false;
    const size = tip.getBoundingClientRect();
    const x = Math.min(Math.max(at.left + at.width / 2 - size.width / 2, 8), innerWidth - size.width - 8);
    const y = at.top - size.height - 8;
    tip.style.left = x + 'px';
    tip.style.top = (y > 4 ? y : at.bottom + 8) + 'px';
  };
  /* What has the focus keeps its tip when the pointer goes or the page moves, until Escape. */
  let kept = null;
  const rest = () => { if (kept) show(kept); else hide(); };
  const fileStyle = document.getElementById('chart-style').textContent;
  for (const figure of figures) {
    const svg = figure.querySelector('svg');
    const marks = all('.mk', svg);
    svg.setAttribute('role', 'group');
    marks.forEach((mark, i) => { /* our tip in the place of the browser's */
      const title = mark.querySelector('title');
      mark.setAttribute('role', 'img');
      mark.setAttribute('aria-label', title.textContent);
      mark.setAttribute('tabindex', i === 0 ? '0' : '-1');
      title.remove();
    });
    const markOf = (event) => event.target.closest('.mk');
    svg.addEventListener('pointerover', (event) => { const mark = markOf(event); if (mark) show(mark); else rest(); });
    svg.addEventListener('pointerleave', rest);
    svg.addEventListener('focusin', (event) => { kept = markOf(event); rest(); });
    svg.addEventListener('focusout', () => { kept = null; hide(); });
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -marks.length, End: marks.length };
      const now = marks.indexOf(markOf(event));
      if (event.key === 'Escape') { kept = null; hide(); }
      if (now < 0 || !(event.key in step)) return;
      const next = Math.min(Math.max(now + step[event.key], 0), marks.length - 1);
      event.preventDefault();
      marks[now].setAttribute('tabindex', '-1');
      marks[next].setAttribute('tabindex', '0');
      marks[next].focus();
    });
    const bar = make('div', '', figure, { className: 'dl' });
    make('button', 'Download SVG', bar, { type: 'button' }).addEventListener('click', () => {
      const copy = svg.cloneNode(true);
      copy.setAttribute('role', 'img');
      for (const mark of all('.mk', copy)) {
        const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
        title.textContent = mark.getAttribute('aria-label');
        mark.prepend(title);
        for (const name of ['aria-label', 'role', 'tabindex']) mark.removeAttribute(name);
      }
      const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
      style.textContent = fileStyle;
      copy.querySelector('desc').after(style);
      save(figure.id + '-results.svg', 'image/svg+xml', new XMLSerializer().serializeToString(copy) + '\n');
    });
    make('button', 'Download CSV', bar, { type: 'button' }).addEventListener('click', () => {
      save(figure.id + '-results.csv', 'text/csv', figure.querySelector('pre').textContent);
    });
  }
  addEventListener('scroll', rest, { passive: true, capture: true });
})();
