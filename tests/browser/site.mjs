/* The course's pages (make site): readable, reachable, silent, at three widths, in both schemes, without scripts, on paper. */
const some = ['index.html', 'ex43-overlap.html', 'ex43.html', 'calls.html', 'glossary.html'];
const lesson = 'ex43-overlap.html', canvas = '.figure canvas';

async function readable(page, t) {
    const wide = await t.wide(), pale = await t.pale();
    t.is(!wide, 'it is too wide: ' + wide);
    t.is(!pale.length, 'too pale: ' + pale.join(', '));
}

export const cases = (files) => [
    ...some.flatMap((file) => [400, 1280].map((width) => ({
        name: `${file} at ${width}: nothing too wide or too pale, no error, light and dark`, page: file, width, run: async (page, t) => {
            await readable(page, t);
            await page.click('.theme');
            t.equal(await page.$eval('html', (e) => getComputedStyle(e).colorScheme), 'dark', 'after the switch');
            await t.drawn();
            await readable(page, t);
        }}))),
    {name: 'every page of the course opens without an error, no wider than the window, at three widths', width: 400, run: async (page, t) => {
        for (const file of files.filter((name) => name.endsWith('.html') && !['timeline.html', 'asked.html', 'gpus.html'].includes(name))) {
            await t.open(file);
            t.is(await page.$('main h1'), file + ' has no heading');
            for (const width of [400, 1280, 1920]) {
                await page.setViewport({width, height: 900});
                const wide = await t.wide();
                t.is(!wide, file + ' is too wide: ' + wide);
            }
        }
    }},
    {name: 'dark where the system is, and light again where it is chosen, on the next page, too', page: lesson, scheme: 'dark', run: async (page, t) => {
        const ground = () => page.$eval('body', (e) => getComputedStyle(e).backgroundColor);
        const dark = await ground();
        await readable(page, t);
        await page.focus('.theme');
        await page.keyboard.press('Enter');
        const light = await ground();
        t.is(dark !== light, 'the switch changes nothing: ' + dark);
        await t.open('glossary.html');
        t.equal(await ground(), light, 'the next page');
    }},
    ...[[lesson, 1280], ['index.html', 1280], ['ex43.html', 400]].map(([file, width]) => ({
        name: `${file} at ${width}: Tab reaches every control, and one sees where one is`, page: file, width, run: async (page, t) => {
            const missed = await t.unreached('body');
            t.is(!missed.length, missed.slice(0, 4).join(', '));
        }})),
    {name: 'the first Tab leads past the bar to the text', page: lesson, run: async (page, t) => {
        await page.keyboard.press('Tab');
        t.equal(await t.text(':focus'), 'Skip to the text', 'the first stop');
        await page.keyboard.press('Enter');
        t.equal(await page.evaluate(() => location.hash), '#content', 'it leads to');
    }},
    {name: 'the search finds words, by keys alone, and goes there', page: lesson, run: async (page, t) => {
        await page.keyboard.press('/');
        await page.keyboard.type('four things called blocking');
        await t.until(() => document.querySelectorAll('#found li').length > 0);
        t.is(/^Words · Blocking/.test(await t.text('#found li[aria-selected=true]')), 'first is ' + await t.text('#found li'));
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowUp');
        await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
        t.equal(await page.evaluate(() => location.href.replace(/.*\//, '')), 'glossary.html#blocking', 'Enter leads to');
    }},
    {name: 'the search says that there is nothing; what is typed is no markup', page: lesson, run: async (page, t) => {
        await page.keyboard.press('/');
        await page.keyboard.type('<img src=x onerror=alert(1)>');
        await t.until(() => /Nothing has/.test(document.querySelector('#found').innerText));
        t.equal(await page.$$eval('#found img', (all) => all.length), 0, 'images made of it');
        await page.keyboard.press('Escape');
        t.is(!await t.shown('#found'), 'Escape leaves it open');
    }},
    {name: 'a figure is drawn, and says why an operation waited, by keys', page: lesson, run: async (page, t) => {
        await page.focus(canvas);
        await t.drawn();
        const colours = await page.$eval(canvas, (c) => {
            const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();
            for (let i = 0; i < data.length; i += 4 * 37) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            return seen.size;
        });
        t.is(colours > 5, 'it has ' + colours + ' colours');
        for (let i = 0; i < 4 && !/waited .* for /.test(await t.text('.figure .panel')); i++) await page.keyboard.press(']');
        t.is(/waited .* for /.test(await t.text('.figure .panel')), 'it says: ' + await t.text('.figure .panel'));
        const before = await t.text('.figure .panel');
        await page.keyboard.press('Enter');
        t.is(await t.text('.figure .panel') !== before, 'Enter does not go to what it waited for');
    }},
    {name: 'a click on a span says what it is', page: lesson, run: async (page, t) => {
        const box = await (await page.$(canvas)).boundingBox();
        await page.mouse.click(box.x + box.width * 0.5, box.y + 30 + 12 + 30);
        t.is(/K\d/.test(await t.text('.figure .panel')), 'it says: ' + await t.text('.figure .panel'));
    }},
    {name: 'a schedule is laid out by keys and compared with what happened, with the reasons', page: lesson, run: async (page, t) => {
        const seen = () => page.$eval('.predict + .figure > *', (e) => getComputedStyle(e).visibility);
        await page.focus('.predict summary');
        t.is(await seen() === 'visible', 'the figure is not there before one predicts');
        await page.keyboard.press('Enter');
        await t.until(() => getComputedStyle(document.querySelector('.predict + .figure > *')).visibility === 'hidden');
        await page.focus('.predict .op');
        for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowLeft');
        await page.focus('.predict .compare');
        await page.keyboard.press('Enter');
        t.is(/You expected \d+ of 12 operations/.test(await t.text('.predict .verdict')), 'it says: ' + await t.text('.predict .verdict'));
        t.is(await seen() === 'visible', 'what happened is not shown after Compare');
        const wide = await t.wide(), pale = await t.pale();
        t.is(!wide && !pale.length, 'too wide or too pale: ' + wide + pale.join(', '));
    }},
    {name: 'what is to be put is in sight on a phone', page: lesson, width: 400, run: async (page, t) => {
        await page.focus('.predict summary');
        await page.keyboard.press('Enter');
        const box = await page.$eval('.predict .op', (e) => e.getBoundingClientRect().toJSON());
        t.is(box.left >= 0 && box.right <= 400, 'H2D0 is at ' + box.left + ' to ' + box.right);
    }},
    {name: 'a figure plays: by the slider, step by step, by a key; what is to come is another picture', page: lesson, run: async (page, t) => {
        const picture = async () => { await t.drawn(); return page.$eval(canvas, (c) => c.toDataURL()); };
        const whole = await picture();
        await page.focus('.figure .at');
        await page.keyboard.press('Home');
        const empty = await picture();
        t.is(empty !== whole, 'at the start it looks as at the end');
        await page.focus('.figure .step');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        const later = await picture();
        t.is(later !== empty, 'two steps change nothing');
        t.is(/unit/.test(await t.text('.figure .panel')), 'it says: ' + await t.text('.figure .panel'));
        t.is(await page.$$eval('.figure .panel .chip', (all) => all.some((chip) => chip.checkVisibility())), 'nobody waits in the queues');
        await page.focus('.figure .back-step');
        await page.keyboard.press('Enter');
        t.is(await picture() !== later, 'a step back changes nothing');
        await page.focus('.figure .play');
        await page.keyboard.press('Enter');
        await t.until(() => document.querySelector('.figure .play').getAttribute('aria-pressed') === 'true'
            || document.querySelector('.figure .at').value === '1000');
    }},
    {name: 'a figure has the colours of the page, also after the switch', page: lesson, run: async (page, t) => {
        const picture = async () => { await t.drawn(); return page.$eval(canvas, (c) => c.toDataURL()); };
        const light = await picture();
        await page.click('.theme');
        t.is(await picture() !== light, 'the figure stays light on a dark page');
    }},
    {name: 'a figure as text, and back', page: lesson, run: async (page, t) => {
        t.is(!await t.shown('.figure > pre'), 'the text is there although nobody asked');
        await page.focus('.as-text-button');
        await page.keyboard.press('Space');
        t.is(await t.shown('.figure > pre') && !await t.shown(canvas), 'the text is not there');
        t.is(/^H2D +█/m.test(await t.text('.figure > pre')), 'it is ' + await t.text('.figure > pre'));
        await page.keyboard.press('Space');
        t.is(!await t.shown('.figure > pre') && await t.shown(canvas), 'the figure is not back');
    }},
    {name: 'hazards are in the figure of a race', page: 'ex54-two-gpus.html', run: async (page, t) => {
        const n = await page.$eval('#figure-ex54-racing script', (e) => JSON.parse(e.textContent).hazards.length);
        t.is(n > 0, 'there are none');
    }},
    {name: 'without scripts the figures are text, and nothing is there that would not work', page: lesson, script: false, run: async (page, t) => {
        t.is(await t.shown('.figure > pre'), 'no text');
        t.is(!await t.shown('.figure .threelane'), 'a figure that does nothing');
        t.is(!await t.shown('.search') && !await t.shown('.theme'), 'controls that do nothing');
    }},
    {name: 'on paper: black on white, the figures as text, nothing to press', page: lesson, scheme: 'dark', run: async (page, t) => {
        await page.emulateMediaType('print');
        t.equal(await page.$eval('body', (e) => getComputedStyle(e).backgroundColor), 'rgb(255, 255, 255)', 'the paper');
        t.is(await t.shown('.figure > pre') && !await t.shown('.figure .threelane'), 'the figure is no text');
        t.is(!await t.shown('.bar') && !await t.shown('.side') && !await t.shown('.turn'), 'the bar is printed');
        const pale = await t.pale();
        t.is(!pale.length, 'too pale: ' + pale.join(', '));
    }},
    {name: 'the map: a lesson shows what it needs, and leads there', page: 'index.html', run: async (page, t) => {
        await page.focus('.lane a[href="ex47-ordered-memory.html"]');
        t.is(await page.$$eval('.edges path.on', (all) => all.length) > 0, 'no edge is lit');
        await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
        t.is(/ordered-memory/.test(page.url()), 'it leads to ' + page.url());
    }},
    {name: 'a lesson leads to the next, and to its exercise', page: lesson, run: async (page, t) => {
        await Promise.all([page.waitForNavigation(), page.click('.task .button')]);
        t.is(/Exercise 43|43 Overlapping/.test(await t.text('h1')), 'the exercise is ' + await t.text('h1'));
        await Promise.all([page.waitForNavigation(), page.click('.turn .next')]);
        t.is(/^44/.test(await t.text('h1')), 'next is ' + await t.text('h1'));
    }},
];
