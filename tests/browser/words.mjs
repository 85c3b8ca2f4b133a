/* What the cases share: t in run(page, t). */
export function on(page, root) {
    const t = {
        open: (file) => page.goto(root + file, {waitUntil: 'load'}),
        /* Fails with these words unless it is so. */
        is: (so, why) => { if (!so) throw new Error(why); },
        equal: (got, wanted, what) => {
            if (got !== wanted) throw new Error(what + ': ' + JSON.stringify(got) + ', not ' + JSON.stringify(wanted));
        },
        text: (selector) => page.$eval(selector, (element) => element.innerText),
        shown: (selector) => page.$eval(selector, (element) => element.checkVisibility()),
        until: (test, ...values) => page.waitForFunction(test, {polling: 'mutation'}, ...values),
        /* Once everything that was asked to be drawn has been. */
        drawn: () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
        focused: () => page.evaluate(() => document.activeElement.className || document.activeElement.id || document.activeElement.tagName),
    };

    /* Text that is too pale for what stands behind it: WCAG 2.2, AA. */
    t.pale = () => page.evaluate(() => {
        const channels = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
        const over = (top, below) => {
            const a = top[3] === undefined ? 1 : top[3];
            return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)).concat(1);
        };
        const light = (colour) => {
            const [r, g, b] = colour.slice(0, 3).map((c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
            const layers = [];
            for (let e = element; e; e = e.parentElement) layers.push(channels(getComputedStyle(e).backgroundColor));
            return layers.reverse().reduce((below, layer) => layer.length ? over(layer, below) : below,
                getComputedStyle(document.documentElement).colorScheme === 'dark' ? [18, 18, 18, 1] : [255, 255, 255, 1]);
        };
        const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            if (!node.textContent.trim() || element.closest('script, style, noscript, canvas, [aria-hidden=true]')) continue;
            if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
            const style = getComputedStyle(element), ground = behind(element), size = parseFloat(style.fontSize);
            const ink = over(channels(style.color), ground), [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
            const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700), ratio = (a + 0.05) / (b + 0.05);
            if (ratio < (large ? 3 : 4.5)) {
                found.add(ratio.toFixed(2) + ' of "' + node.textContent.trim().slice(0, 30) + '" in ' + element.tagName.toLowerCase()
                    + (element.className ? '.' + element.className : ''));
            }
        }
        return [...found].slice(0, 4);
    });

    /* Controls that Tab does not reach, or that do not show that they have been reached. */
    t.unreached = async (within) => {
        const wanted = await page.evaluate((within) => {
            let n = 0;
            for (const e of document.querySelectorAll(within)) {
                for (const c of e.querySelectorAll('a[href], button, input, select, summary, canvas, [tabindex="0"]')) {
                    const alone = c.type !== 'radio' || c.checked;
                    if (c.checkVisibility({visibilityProperty: true}) && !c.disabled && alone) c.dataset.wanted = String(n++);
                }
            }
            document.activeElement.blur();
            window.scrollTo(0, 0);
            return n;
        }, within);
        if (!wanted) throw new Error('nothing to reach within ' + within);
        const blind = [];
        for (let i = 0, out = 0; i < wanted + 400 && out < 3; i++) {
            await page.keyboard.press('Tab');
            const got = await page.evaluate(() => {
                const e = document.activeElement;
                if (e === document.body) return null;
                const style = getComputedStyle(e);
                e.dataset.reached = 'yes';
                return {seen: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none',
                    what: e.tagName + '.' + e.className};
            });
            if (!got) out++;
            else if (!got.seen) blind.push(got.what + ' does not show that it has the keys');
        }
        const missed = await page.evaluate(() => [...document.querySelectorAll('[data-wanted]:not([data-reached])')]
            .map((e) => (e.className || e.id || e.tagName) + ' "' + (e.innerText || '').slice(0, 20) + '" is not reached'));
        return [...missed, ...blind];
    };

    /* The page is no wider than the window. */
    t.wide = () => page.evaluate(() => {
        const most = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= most) return '';
        const one = [...document.querySelectorAll('body *')].find((e) => e.getBoundingClientRect().right > most + 1 && !e.closest('.wide, pre'));
        return document.documentElement.scrollWidth + ' of ' + most + ' pixels' + (one ? ': ' + one.tagName + '.' + one.className : '');
    });
    return t;
}
