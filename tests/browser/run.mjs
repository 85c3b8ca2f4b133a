/* Opens pages in a headless Chromium and runs the cases of the other files here:
 *
 *   node tests/browser/run.mjs MODULES BROWSER FOLDER [CASE]
 *
 * MODULES: the folder that has puppeteer-core; FOLDER: the pages. Prints "ok - NAME" or "not ok - NAME", a tab and why, for each. A file
 * exports cases = [{name, page, width, scheme, script, run: async (page, t) => {}}]: page is a file of FOLDER, opened
 * before at that width (1280) and scheme (light), script: false without JavaScript. What run throws is why it failed; so is anything
 * that the page says on its console, any error of its scripts, and any request that does not go to FOLDER.
 *
 * No case waits for time to pass: they wait for what is to come (t.until), however long that takes. */
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import * as words from './words.mjs';

const [, , modules, executablePath, folder, only] = process.argv;
const puppeteer = createRequire(pathToFileURL(path.resolve(modules, 'here.js')))('puppeteer-core');
const root = pathToFileURL(path.resolve(folder) + '/').href;
const here = path.dirname(new URL(import.meta.url).pathname);

const cases = [];
for (const file of fs.readdirSync(here).filter((name) => name.endsWith('.mjs') && !['run.mjs', 'words.mjs'].includes(name)).sort()) {
    const module = await import(pathToFileURL(path.join(here, file)).href);
    cases.push(...(typeof module.cases === 'function' ? module.cases(fs.readdirSync(folder)) : module.cases));
}

const browser = await puppeteer.launch({executablePath, protocolTimeout: 600000, timeout: 600000, args: [
    '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-extensions', '--force-color-profile=srgb', '--no-first-run']});
let failed = 0;
for (const test of cases) {
    if (only && test.name !== only) continue;
    const context = await browser.createBrowserContext(), page = await context.newPage(), said = [];
    try {
        page.setDefaultTimeout(600000);
        page.on('console', (message) => said.push(message.type() + ' on the console: ' + message.text()));
        page.on('pageerror', (error) => said.push('an error: ' + error.message));
        page.on('request', (request) => {
            if (!request.url().startsWith(root) && !request.url().startsWith('data:')) said.push('asked for ' + request.url());
        });
        page.on('requestfailed', (request) => {
            if (!/ABORTED/.test(request.failure()?.errorText)) said.push('could not read ' + request.url());
        });
        await page.setJavaScriptEnabled(test.script !== false);
        await page.setViewport({width: test.width || 1280, height: 900});
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: test.scheme || 'light'},
            {name: 'prefers-reduced-motion', value: 'reduce'}]);
        const t = words.on(page, root);
        if (test.page) await t.open(test.page);
        await test.run(page, t);
        if (said.length) throw new Error([...new Set(said)].slice(0, 3).join('; '));
        console.log('ok - ' + test.name);
    } catch (error) {
        failed = 1;
        console.log('not ok - ' + test.name + '\t' + String(error.message).split('\n')[0] + (said.length ? ' (' + said[0] + ')' : ''));
    }
    await context.close();
}
await browser.close();
process.exit(failed);
