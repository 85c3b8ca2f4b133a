/* The page of one run (threelane show --as html): timeline.html, a solution of exercise 43; gpus.html, a run on two cards. */
const page = 'timeline.html', canvas = '.threelane canvas';

export const cases = [
    ...[400, 1280, 1920].flatMap((width) => ['light', 'dark'].map((scheme) => ({
        name: `the timeline at ${width}, ${scheme}: nothing too wide or too pale, no error`, page, width, scheme, run: async (page, t) => {
            const wide = await t.wide(), pale = await t.pale();
            t.is(!wide, 'it is too wide: ' + wide);
            t.is(!pale.length, 'too pale: ' + pale.join(', '));
        }}))),
    ...[400, 1280].map((width) => ({
        name: `the timeline at ${width}: with several GPUs the titles are whole, and each GPU's rows stand together`, page: 'gpus.html', width, run: async (page, t) => {
            const {titles, devices} = await page.evaluate(() => {
                const one = document.querySelector('section.threelane').threelane;
                return {titles: one.titles(), devices: one.data.rows.engine.map((row) => row.device)};
            });
            t.is(titles.includes('GPU0 Kernels') && titles.includes('GPU1 Kernels') && titles.includes('GPU0 to 1'), 'the titles are ' + titles.join(', '));
            t.equal(devices.filter((device, i) => device !== devices[i - 1]).join(), '1,2', 'the devices, one after the other');
        }})),
    {name: 'the timeline: what is written on a span can be read, whatever its kind', page, run: async (page, t) => {
        const pale = await page.evaluate(() => {
            const style = getComputedStyle(document.querySelector('.threelane')), probe = document.createElement('i');
            document.body.append(probe);
            const light = (name) => {
                probe.style.color = style.getPropertyValue(name).trim();
                const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map((c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const out = [];
            for (const kind of ['h2d', 'kernel', 'd2h', 'memset', 'copy', 'other', 'hostfn', 'range', 'call', 'graph']) {
                if (!style.getPropertyValue('--' + kind)) continue;
                const ink = style.getPropertyValue('--' + kind + '-ink') ? '--' + kind + '-ink' : '--span-ink';
                const [a, b] = [light('--' + kind), light(ink)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
                if (ratio < 4.5) out.push(kind + ' ' + ratio.toFixed(2));
            }
            return out;
        });
        t.is(!pale.length, 'too pale: ' + pale.join(', '));
    }},
    ...[400, 1280].map((width) => ({
        name: `the timeline at ${width}: Tab reaches every control, and one sees where one is`, page, width, run: async (page, t) => {
            const missed = await t.unreached('body');
            t.is(!missed.length, missed.slice(0, 4).join(', '));
        }})),
    {name: 'the timeline: keys choose a span, say why it waited, and go to what it waited for', page, run: async (page, t) => {
        await page.focus(canvas);
        await page.keyboard.press(']');
        const first = await t.text('.panel h3');
        for (let i = 0; i < 40 && !/waited .* for /.test(await t.text('.panel')); i++) await page.keyboard.press(']');
        t.is(/waited .* for /.test(await t.text('.panel')), 'from ' + first + ' on nothing waited: ' + await t.text('.panel'));
        const name = await t.text('.panel h3');
        await page.keyboard.press('Enter');
        t.is(await t.text('.panel h3') !== name, 'Enter stays at ' + name);
        await page.keyboard.press('Escape');
        t.is(!await page.$('.panel h3'), 'Escape chooses nothing');
    }},
    {name: 'the timeline: zoom by keys and buttons, and back', page, run: async (page, t) => {
        const picture = () => page.$eval(canvas, (c) => c.toDataURL());
        await page.focus(canvas);
        await t.drawn();
        const whole = await picture();
        await page.keyboard.press('+');
        await t.drawn();
        const closer = await picture();
        t.is(closer !== whole, '+ changes nothing');
        await page.focus('.fit');
        await page.keyboard.press('Enter');
        await page.focus(canvas);
        await t.drawn();
        await page.keyboard.press('u');
        await t.drawn();
        t.equal(await picture() === closer, true, 'u takes Fit back');
    }},
    {name: 'the timeline: search by name', page, run: async (page, t) => {
        await page.focus(canvas);
        await page.keyboard.press('/');
        await page.keyboard.type('D2H2');
        await page.keyboard.press('Enter');
        t.equal(await t.text('.panel h3'), 'D2H2', 'found');
    }},
    {name: 'the timeline: the critical path is the viewer\'s, over calls that kept the host', page, run: async (page, t) => {
        await page.focus(canvas);
        await page.keyboard.press('C');
        const steps = await page.evaluate(() => document.querySelector('section.threelane').threelane.path().length);
        t.is(steps >= 6, 'only ' + steps + ' steps');
        t.is(/Critical path, [0-9]+ steps/.test(await t.text('.said')), 'it is not said');
    }},
    {name: 'the timeline: a gap says why nothing ran', page, run: async (page, t) => {
        await page.focus(canvas);
        for (const key of ['j', 'j', 'g']) await page.keyboard.press(key);      /* D2H, before its first copy */
        t.is(/idle/.test(await t.text('.panel')) && /Why it was idle/.test(await t.text('.panel')), await t.text('.panel'));
    }},
    {name: 'the timeline: playing, the queues empty', page, run: async (page, t) => {
        await page.focus(canvas);
        await page.keyboard.press('g');
        let most = 0;
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press('.');
            most = Math.max(most, await page.$$eval('.panel .chip', (all) => all.length));
        }
        t.is(most > 3, 'at most ' + most + ' operations were in a queue');
        t.is(/queues are empty/.test(await t.text('.panel')), 'at the end: ' + await t.text('.panel'));
        await page.keyboard.press('Escape');
        t.is(!await page.$('.panel .chip'), 'Escape ends it');
    }},
    {name: 'the timeline: a key without meaning says so, a number repeats', page, run: async (page, t) => {
        await page.focus(canvas);
        await page.keyboard.press('q');
        t.is(/means nothing here/.test(await t.text('.said')), await t.text('.said'));
        const name = async () => t.text('.panel h3');
        await page.keyboard.press('g');
        for (const key of ['3', ']']) await page.keyboard.press(key);
        const jumped = await name();
        await page.keyboard.press('g');
        for (const key of [']', ']', ']']) await page.keyboard.press(key);
        t.equal(await name(), jumped, '3] and ]]]');
    }},
    {name: 'the timeline on paper: light, with the text, without buttons', page, scheme: 'dark', run: async (page, t) => {
        await page.emulateMediaType('print');
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
        const paper = await page.evaluate(() => getComputedStyle(document.querySelector('.threelane')).backgroundColor);
        t.equal(paper, 'rgb(255, 255, 255)', 'paper');
        t.is(await page.$eval('.tools', (e) => getComputedStyle(e).display) === 'none', 'there are buttons');
        t.is(await page.$eval('details.as-text', (e) => e.open), 'the text is folded');
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        await page.emulateMediaType('screen');
    }},
    {name: 'the timeline without scripts is text', page, script: false, run: async (page, t) => {
        t.is(/H2D0/.test(await page.$eval('pre', (e) => e.textContent)), 'there is none');
    }},
];
