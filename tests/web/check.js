/* check.js: the page of `celer report` in a browser, opened from a file. Run by tests/web/run, which says with what. */
'use strict';
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const [, , celer, samples, out, playwright, chromiumPath] = process.argv;
const { chromium } = require(playwright);

let passed = 0;
let failed = 0;
const check = (what, good, more) => {
  if (good) passed++;
  else {
    failed++;
    console.log('FAILED: ' + what + (more === undefined ? '' : ': ' + JSON.stringify(more)));
  }
};
const equal = (what, got, expected) => check(what, JSON.stringify(got) === JSON.stringify(expected), { got, expected });

const report = (name, documents, ...options) => {
  const page = path.join(out, name + '.html');
  const imports = documents.flatMap((file) => ['--import', file]);
  execFileSync(celer, ['report', ...imports, '-o', page, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  return page;
};
const sample = (name) => path.join(samples, name);

/* 2,000 figures: 40 functions, 10 subjects, 5 lengths. */
const manyResults = () => {
  const run = JSON.parse(fs.readFileSync(sample('run.json')));
  const like = run.results[0];
  run.subjects = [...Array(10).keys()].map((s) => ({ ...run.subjects[s % 4], label: 'library-' + s + '-avx512-gcc12' }));
  run.results = [];
  for (let f = 0; f < 40; f++)
    for (let s = 0; s < 10; s++)
      for (const length of [64, 256, 1024, 4096, 16384]) {
        const cost = (like.cycles.median / 64) * (1 + ((f * 31 + s * 17) % 23) / 10);
        const scaled = (stats, factor) => ({ ...stats, median: cost * factor, ci_lo: cost * factor * 0.998, ci_hi: cost * factor * 1.002 });
        run.results.push({
          ...like, subject: run.subjects[s].label, function: 'function_' + f, src_len: length,
          cycles: scaled(like.cycles, length), nanoseconds: scaled(like.nanoseconds, length / 4.1),
        });
      }
  fs.writeFileSync(path.join(out, 'many.json'), JSON.stringify(run));
  return path.join(out, 'many.json');
};

/* Text that would be code, or a formula, wherever it was not quoted. */
const nasty = `</pre></script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">'"&<b>`;
const hostile = () => {
  const run = JSON.parse(fs.readFileSync(sample('run.json')));
  const spoil = (object) => {
    for (const key of Object.keys(object)) {
      if (typeof object[key] === 'string' && !['format', 'kind', 'unit', 'started', 'subject', 'label'].includes(key))
        object[key] = nasty.slice(0, 190);
      else if (object[key] !== null && typeof object[key] === 'object') spoil(object[key]);
    }
  };
  spoil(run);
  run.run.started = nasty;
  run.subjects[0].label = '=HYPERLINK("http://x")';
  run.results.forEach((result) => { if (result.subject === 'celer-avx512-gcc12') result.subject = run.subjects[0].label; });
  run.results[0].flags = [nasty];
  run.results[0].backend = '=1+1';
  fs.writeFileSync(path.join(out, 'hostile.json'), JSON.stringify(run));
  return path.join(out, 'hostile.json');
};

(async () => {
  fs.mkdirSync(out, { recursive: true });
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const errors = [];
  const requests = [];
  const open = async (file, width, scheme) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, acceptDownloads: true });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
    page.on('request', (request) => { if (!/^(file|blob|data):/.test(request.url())) requests.push(request.url()); });
    await page.goto('file://' + file);
    return page;
  };
  const shot = (page, name) => page.screenshot({ path: path.join(out, name + '.png'), fullPage: true });
  const column = (page, table, n) => page.$$eval(`${table} tbody tr:not([hidden])`, (rows, i) => rows.map((row) => row.cells[i].textContent), n);
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  const file = report('report', [sample('run.json'), sample('earlier.json'), sample('laptop.json')],
    '--history', 'sha3-256', '--chart', 'overview,bars,lengths,permutation,chain,kem,history,delta');
  const page = await open(file, 1280, 'light');
  await shot(page, 'light');

  /* Sorting. */
  const heading = (name) => page.locator('#g0 th button', { hasText: name });
  await heading('cycles/byte').click();
  const cheap = (await column(page, '#g0', 7)).map(Number);
  check('sorts up', cheap.length > 10 && cheap.every((v, i) => i === 0 || cheap[i - 1] <= v), cheap);
  await heading('cycles/byte').focus();
  await page.keyboard.press('Enter');
  const dear = (await column(page, '#g0', 7)).map(Number);
  equal('sorts down, by keyboard', dear, cheap.slice().reverse());
  equal('says so', await page.$$eval('#g0 th[aria-sort]', (ths) => ths.map((th) => th.textContent + ' ' + th.ariaSort)), ['cycles/byte descending']);
  await heading('Input').click();
  const inputs = await column(page, '#g0', 4);
  equal('sorts sizes by value', [inputs[0], inputs[inputs.length - 1]], ['64\u00a0B', '16\u00a0KiB']);

  /* Filtering. */
  const choose = (name, label) => page.selectOption(`#filter select[name=${name}]`, { label });
  const all = (await column(page, '#g0', 0)).length;
  await choose('Function', 'shake128');
  const left = await column(page, '#g0', 0);
  check('filters by function', left.length > 0 && left.length < all && left.every((name) => name === 'shake128'), left);
  check('other tables go', !(await page.isVisible('#g2')));
  check('charts of others go', !(await page.isVisible('figure[data-f=sha3-256]')) && await page.isVisible('figure[data-f=shake128]'));
  await choose('Library', 'openssl');
  await choose('Length', '1\u00a0KiB');
  equal('filters by library and length', (await column(page, '#g0', 1)).length, 1);
  check('counts', /^1 of \d+ figures$/.test(await page.textContent('#filter output')), await page.textContent('#filter output'));
  for (const name of ['Function', 'Library', 'Length']) await choose(name, 'all');
  await choose('Backend', 'scalar');
  await choose('Compiler', 'clang 14.0.6');
  check('filters by backend and compiler', (await column(page, '#g0', 3)).every((name) => name === 'clang 14.0.6'));
  for (const name of ['Backend', 'Compiler']) await choose(name, 'all');
  equal('all are back', (await column(page, '#g0', 0)).length, all);

  /* Tips, by pointer and by keyboard. */
  const marks = page.locator('#m1-sha3-256 .mk');
  await marks.first().hover();
  check('tip on hover', /celer-avx512-gcc12: [0-9.]+ cycles\/byte \([0-9.]+ to [0-9.]+\)/.test(await page.textContent('#tip')), await page.textContent('#tip'));
  await marks.first().focus();
  await page.keyboard.press('ArrowDown');
  check('tip on focus, next with an arrow', await page.isVisible('#tip') && /clang14/.test(await page.textContent('#tip')), await page.textContent('#tip'));
  await page.keyboard.press('Escape');
  check('Escape hides it', !(await page.isVisible('#tip')));
  equal('one stop of the Tab key in a chart', await page.locator('#m1-sha3-256 .mk[tabindex="0"]').count(), 1);

  /* Downloads. */
  const download = async (button) => {
    const [got] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return { name: got.suggestedFilename(), text: fs.readFileSync(await got.path(), 'utf8') };
  };
  const figure = page.locator('#m1-sha3-256');
  const svg = await download(figure.locator('button', { hasText: 'SVG' }));
  equal('name of the SVG', svg.name, 'm1-sha3-256-results.svg');
  check('the SVG is whole', svg.text.startsWith('<svg') && svg.text.includes('<style>.ch') && svg.text.includes('<title>celer-avx512-gcc12: ') && !svg.text.includes('light-dark'));
  fs.writeFileSync(path.join(out, 'downloaded.svg'), svg.text);
  const csv = await download(figure.locator('button', { hasText: 'CSV' }));
  check('the CSV of a chart', csv.text.startsWith('group,subject,cycles/byte,ci_lo,ci_hi,remark\n,celer-avx512-gcc12,'), csv.text);
  const table = await download(page.locator('#g0 .bar button'));
  equal('the CSV of a table has its rows', table.text.trim().split('\n').length, all + 1);
  const batches = await download(page.locator('#g1 .bar button'));
  check('its fields are quoted where they have to be', batches.text.split('\n')[1].startsWith('"sha3-256, 8 messages",celer 0.1.0,avx512,'), batches.text);

  /* Dark, kept for the next time. */
  const light = await background(page);
  await page.click('#theme');
  const dark = await background(page);
  check('dark mode', light === 'rgb(255, 255, 255)' && dark === 'rgb(21, 24, 28)', { light, dark });
  await page.emulateMedia({ media: 'print' });
  equal('prints light', await background(page), light);
  equal('prints no controls', await page.locator('#filter, #tools, .dl, .bar button').evaluateAll((all) => all.filter((e) => e.checkVisibility()).length), 0);
  await page.emulateMedia({ media: null });
  const system = await open(file, 1280, 'dark');
  equal('dark as the system is', await background(system), dark);
  await shot(system, 'dark');
  await page.pdf({ path: path.join(out, 'print.pdf'), format: 'A4' });
  check('prints to PDF', fs.readFileSync(path.join(out, 'print.pdf')).subarray(0, 5).toString() === '%PDF-');

  /* A telephone. */
  const narrow = await open(file, 360, 'light');
  await shot(narrow, 'narrow');
  equal('no sideways scrolling at 360 px', await narrow.evaluate(() => document.documentElement.scrollWidth), 360);
  check('text of 13 px at least', await narrow.$$eval('td:not(:empty), dd, p, li', (all) => all.every((e) => parseFloat(getComputedStyle(e).fontSize) >= 13)));
  check('every figure has a name', await narrow.$$eval('figure svg', (all) => all.every((e) => e.querySelector('title').textContent && e.querySelector('desc').textContent)));
  const ids = await narrow.$$eval('[id]', (all) => all.map((e) => e.id));
  equal('every id once', ids.length, new Set(ids).size);

  /* Without scripts it can still be read. */
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto('file://' + file);
  check('without scripts', await plain.isVisible('#g0 table') && await plain.isVisible('#m1-sha3-256 svg') && !(await plain.isVisible('#filter')));

  /* Many results. */
  const large = report('many', [manyResults()]);
  const size = fs.statSync(large).size;
  check('2,000 figures in less than 1.5 MB', size < 1.5e6, size);
  const big = await open(large, 1280, 'light');
  equal('all 2,000', await big.locator('tbody tr').count(), 2000);
  const times = await big.evaluate(() => ['cycles/byte', 'Algorithm', 'Input', 'MiB/s', 'Backend', 'Notes'].map((name) => {
    const button = Array.from(document.querySelectorAll('th button')).find((b) => b.textContent === name);
    const begin = performance.now();
    button.click();
    document.body.getBoundingClientRect(); /* with the layout */
    return Math.round(performance.now() - begin);
  }));
  console.log(`2,000 figures: ${size} bytes, sorted in ${times.join(', ')} ms`);
  check('sorts 2,000 figures in less than 200 ms', Math.min(...times) < 200, times);

  /* A document that wants to do harm. */
  const evil = await open(report('hostile', [hostile()]), 1280, 'light');
  equal('nothing of it runs', await evil.title(), 'celer benchmark: ' + nasty.slice(0, 190));
  equal('no element of it', await evil.locator('img, body b:not(.read b):not(td b), script:not(body > script)').count(), 0);
  check('it is shown as text', (await evil.textContent('.card h3')).includes('<script>'));
  for (const button of ['figure button:has-text("CSV")', '#g0 .bar button']) {
    const [got] = await Promise.all([evil.waitForEvent('download'), evil.locator(button).first().click()]);
    const formula = fs.readFileSync(await got.path(), 'utf8');
    check('no formula in CSV', /(^|,)"?'=/m.test(formula) && !/(^|,)"?=/m.test(formula), formula);
  }

  equal('no errors', errors, []);
  equal('no requests to a network', requests, []);
  await browser.close();
  console.log(`${passed} passed, ${failed} failed; pictures in ${out}`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
})().catch((error) => { console.log(error); process.exit(1); });
