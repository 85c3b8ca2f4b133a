/* The page of a class of 2,000 (class/index.html, which tests/unit/grader/test_class.c makes): found again, sorted, filtered. */
const page = 'class/index.html';
const shown = (page) => page.$$eval('#who tbody tr:not([hidden])', (all) => all.map((row) => row.cells[0].textContent));
const said = (page) => page.$eval('form.filter output', (o) => o.textContent);

const all = [
    ...[400, 1280].flatMap((width) => ['light', 'dark'].map((scheme) => ({
        name: `a class at ${width}, ${scheme}: nothing too pale, nothing too wide, no error`, page, width, scheme, run: async (page, t) => {
            const wide = await t.wide(), pale = await t.pale();
            t.is(!wide, 'it is too wide: ' + wide);
            t.is(!pale.length, 'too pale: ' + pale.slice(0, 5).join(', '));
        }}))),
    {name: 'a class on paper: all columns, and a heading that can stand above each page', page, run: async (page, t) => {
        await page.emulateMediaType('print');
        await page.setViewport({width: 718, height: 1000});   /* A4 without its margins, at 96 dots an inch */
        const wide = await page.$eval('#who', (table) => table.getBoundingClientRect().width);
        t.is(wide <= 718, 'the table of all is ' + wide + ' wide');
        t.is(await page.$$eval('#who thead button', (all) => all.every((b) => getComputedStyle(b).display === 'contents')), 'a control in the heading');
    }},
    {name: 'a class without scripts: all rows, no controls', page, script: false, run: async (page, t) => {
        t.is(await page.$$eval('#who tbody tr', (all) => all.filter((row) => row.getBoundingClientRect().height > 0).length) === 2000, 'not all rows are there');
        t.is(await page.$eval('form.filter', (f) => f.getBoundingClientRect().height === 0), 'there are controls');
    }},
    {name: 'a class: the first rows are shown, all when asked for', page, run: async (page, t) => {
        t.is((await shown(page)).length === 200 && await said(page) === '2000 students', (await shown(page)).length + ', ' + await said(page));
        await page.focus('#more');
        await page.keyboard.press('Enter');
        t.is((await shown(page)).length === 2000 && await page.$eval('#more', (b) => b.hidden), 'not all');
    }},
    {name: 'a class: by name, and everybody again', page, run: async (page, t) => {
        await page.type('form.filter [name=name]', 'number 0123');
        t.is((await shown(page)).join() === [...'0123456789'].map((d) => 'Student Number 0123' + d).join(), (await shown(page)).join());
        await page.click('form.filter [type=reset]');
        t.is(await said(page) === '2000 students', await said(page));
    }},
    {name: 'a class: by exercise and verdict', page, run: async (page, t) => {
        await page.select('form.filter [name=exercise]', '0');
        await page.select('form.filter [name=verdict]', 'not');
        /* (i + 1) % 3 = 0 */
        t.is((await shown(page))[0] === 'Student Number 00002' && /^667 of 2000/.test(await said(page)), (await shown(page))[0] + ', ' + await said(page));
        await page.select('form.filter [name=verdict]', 'none');
        t.is((await shown(page)).length === 0, 'who handed in is shown');
    }},
    {name: 'a class: who failed a check, and who made a mistake', page, run: async (page, t) => {
        await page.select('form.filter [name=check]', 'k0');
        t.is(/^667 of 2000/.test(await said(page)), await said(page));
        const words = await page.$eval('.teach li', (li) => li.textContent);
        await page.focus('.teach button');
        await page.keyboard.press('Enter');
        const [count] = words.match(/\d+/);
        t.is((await said(page)).startsWith(count + ' of 2000 students: who did ') || (count === '2000' && /^2000 students: who did/.test(await said(page))), words + ': ' + await said(page));
        t.is(await page.$eval('form.filter [name=check]', (s) => s.value) === '', 'the check is still asked for');
    }},
    {name: 'a class: sorted by a click, and back', page, run: async (page, t) => {
        const head = (n) => `#who th:nth-child(${n})`;
        await page.click(head(2) + ' button');
        const points = (await page.$$eval('#who tbody tr:not([hidden])', (all) => all.map((row) => +row.cells[1].textContent)));
        t.is(points.every((p, i) => !i || p <= points[i - 1]) && points[0] > points[199] - 1, points.slice(0, 5).join());
        t.is(await page.$eval(head(2), (th) => th.getAttribute('aria-sort')) === 'descending', 'not said');
        await page.click(head(1) + ' button');
        t.is((await shown(page))[0] === 'Student Number 00001', (await shown(page))[0]);
        await page.click(head(1) + ' button');
        t.is((await shown(page))[0] === 'Student Number 02000', (await shown(page))[0]);
    }},
];

export const cases = (files) => files.includes('class') ? all : [];
