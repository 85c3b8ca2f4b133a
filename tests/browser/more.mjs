/* What a page has besides its timeline: answers to what-if questions, and a schedule to lay out (asked.html: the starter
   of exercise 43). */
const page = 'asked.html';

export const cases = [
    ...[400, 1280].flatMap((width) => ['light', 'dark'].map((scheme) => ({
        name: `questions and predictions at ${width}, ${scheme}: nothing too pale, no error`, page, width, scheme, run: async (page, t) => {
            await page.$eval('.predict details', (d) => { d.open = true; });
            await page.$eval('[data-question="0"]', (b) => b.click());
            await page.$eval('.predict .compare', (b) => b.click());
            const wide = await t.wide(), pale = await t.pale();
            t.is(!wide, 'it is too wide: ' + wide);
            t.is(!pale.length, 'too pale: ' + pale.join(', '));
        }}))),
    {name: 'what if: an answer stands above what ran, and goes again', page, run: async (page, t) => {
        const shown = () => page.$$eval('.answers > .answer', (all) => all.filter((a) => !a.hidden).map((a) => a.querySelector('h2').textContent));
        t.is((await shown()).length === 0, 'an answer is there before it was asked for');
        await page.focus('[data-question="0"]');
        await page.keyboard.press('Enter');
        t.is(/stream for each batch/.test((await shown()).join()), 'shown: ' + (await shown()).join());
        const above = await page.evaluate(() => document.querySelector('.answer:not([hidden]) canvas').getBoundingClientRect().bottom
            < [...document.querySelectorAll('main > section.threelane canvas')][0].getBoundingClientRect().top);
        t.is(above, 'it does not stand above');
        t.is(await page.$eval('.answer:not([hidden]) canvas', (c) => c.width > 100), 'nothing is drawn');
        await page.focus('[data-question="1"]');
        await page.keyboard.press('Space');
        t.is((await shown()).length === 1 && /half as long/.test((await shown())[0]), 'shown: ' + (await shown()).join());
        await page.keyboard.press('Space');
        t.is((await shown()).length === 0, 'it stays');
        t.is(/6.0 units: 2 times as fast/.test(await t.text('.questions')), 'the times are not told');
    }},
    {name: 'predict: keys put an operation, and the comparison says why it came later', page, run: async (page, t) => {
        await page.$eval('.predict details', (d) => { d.open = true; });
        await page.focus('.predict .op');
        await page.keyboard.press('ArrowRight');
        t.is(await page.$eval('.predict .op[aria-label="H2D0, at t=0"]', (o) => o === document.activeElement), 'H2D0 is not at t=0, or not in focus');
        await page.focus('.predict .op[aria-label^="H2D1"]');
        await page.keyboard.press('1');
        await page.focus('.predict .compare');
        await page.keyboard.press('Enter');
        const said = await t.text('.predict .verdict');
        t.is(/You expected 1 of 12/.test(said) && /You put H2D1 at t=1; it started at t=3: H2D1 was issued only when D2H0 had ended/.test(said), said);
        const text = await page.$eval('.predict .save', (a) => decodeURIComponent(a.href.split(',')[1]));
        t.is(text === 't=0: [H2D0]\nt=1: [H2D1]\n', text);
        await page.focus('.predict .op[aria-label^="H2D1"]');
        await page.keyboard.press('Delete');
        t.is(await page.$('.predict td.tray .op[aria-label="H2D1, not put yet"]'), 'it is not back');
    }},
    {name: 'predict: dragging puts an operation', page, run: async (page, t) => {
        await page.$eval('.predict details', (d) => { d.open = true; });
        const middle = (selector) => page.$eval(selector, (e) => { e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; });
        const to = await middle('.predict td[data-lane="H2D"][data-column="2"]'), from = await middle('.predict .op');
        await page.mouse.move(...from);
        await page.mouse.down();
        await page.mouse.move(...to, {steps: 5});
        await page.mouse.up();
        t.is(await page.$('.predict .op[aria-label="H2D0, at t=2"]'), await page.$eval('.predict .op', (o) => o.getAttribute('aria-label')));
    }},
];
