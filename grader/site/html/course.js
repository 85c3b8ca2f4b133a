/* What the course's pages do besides being read: search, dark or light, figures as text, the map's edges. */
'use strict';
(function () {
    const root = document.documentElement, one = (selector) => document.querySelector(selector);

    /* ---- dark or light ---- */
    const theme = one('.theme');
    const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    theme.hidden = false;
    theme.setAttribute('aria-pressed', String(dark()));
    theme.addEventListener('click', () => {
        root.dataset.theme = dark() ? 'light' : 'dark';
        theme.setAttribute('aria-pressed', String(dark()));
        try { localStorage.setItem('threelane-theme', root.dataset.theme); } catch (error) { /* kept for this page only */ }
        window.dispatchEvent(new Event('threelane-theme'));
    });

    /* ---- search: the array comes with the first key, and is looked through here ---- */
    const input = one('#find'), list = one('#found');
    let entries = null, shown = [], at = -1;
    one('.search').hidden = false;
    window.threelaneFound = (all) => {
        entries = all.map(([url, page, part, words]) => ({url, page, part, words,
            title: (page + ' ' + part).toLowerCase(), text: words.toLowerCase()}));
        find();
    };
    function load() {
        if (load.begun) return;
        load.begun = true;
        const script = document.createElement('script');
        script.src = 'search.js';
        document.head.append(script);
    }
    function rank(entry, words) {
        let sum = 0;
        for (const word of words) {
            const title = entry.title.indexOf(word), text = entry.text.indexOf(word);
            if (title < 0 && text < 0) return 0;
            sum += title < 0 ? 1 : entry.page.toLowerCase() === word || entry.part.toLowerCase() === word ? 100 : title === 0 ? 30 : 20;
        }
        return sum;
    }
    /* The words around the first place, with what was looked for marked. */
    function around(entry, word) {
        const place = Math.max(0, entry.text.indexOf(word)), from = Math.max(0, place - 50);
        const text = (from ? '…' : '') + entry.words.slice(from, from + 150).replace(/\s+/g, ' '), small = document.createElement('small');
        const hit = text.toLowerCase().indexOf(word);
        if (hit < 0) {
            small.textContent = text;
            return small;
        }
        const mark = document.createElement('mark');
        mark.textContent = text.slice(hit, hit + word.length);
        small.append(text.slice(0, hit), mark, text.slice(hit + word.length));
        return small;
    }
    function choose(n) {
        at = n;
        [...list.children].forEach((item, i) => {
            item.setAttribute('aria-selected', String(i === at));
            if (i === at) item.scrollIntoView({block: 'nearest'});
        });
        input.setAttribute('aria-activedescendant', at >= 0 ? 'found-' + at : '');
    }
    function close() {
        list.hidden = true;
        input.setAttribute('aria-expanded', 'false');
        choose(-1);
    }
    function find() {
        const words = input.value.toLowerCase().split(/\s+/).filter((word) => word);
        list.replaceChildren();
        shown = [];
        if (!entries || !words.length) return close();
        shown = entries.map((entry) => ({entry, rank: rank(entry, words)})).filter((hit) => hit.rank > 0)
            .sort((a, b) => b.rank - a.rank).slice(0, 20).map((hit) => hit.entry);
        shown.forEach((entry, i) => {
            const item = document.createElement('li');
            item.id = 'found-' + i;
            item.setAttribute('role', 'option');
            item.append(entry.part ? entry.page + ' · ' + entry.part : entry.page, around(entry, words[0]));
            item.addEventListener('mousedown', (event) => { event.preventDefault(); go(i); });
            list.append(item);
        });
        if (!shown.length) {
            const item = document.createElement('li');
            item.textContent = 'Nothing has “' + input.value + '” in it.';
            item.setAttribute('role', 'option');
            item.setAttribute('aria-disabled', 'true');
            list.append(item);
        }
        list.hidden = false;
        input.setAttribute('aria-expanded', 'true');
        choose(shown.length ? 0 : -1);
    }
    function go(i) {
        if (!shown[i]) return;
        close();
        location.href = shown[i].url;
    }
    input.addEventListener('focus', load);
    input.addEventListener('input', () => { load(); find(); });
    input.addEventListener('blur', close);
    input.addEventListener('keydown', (event) => {
        if (event.key === 'ArrowDown' && shown.length) choose((at + 1) % shown.length);
        else if (event.key === 'ArrowUp' && shown.length) choose((at + shown.length - 1) % shown.length);
        else if (event.key === 'Enter') go(at);
        else if (event.key === 'Escape') { input.value = ''; close(); input.blur(); }
        else return;
        event.preventDefault();
    });
    document.addEventListener('keydown', (event) => {
        const typing = event.target.closest('input, textarea, canvas');
        if (event.key !== '/' || typing || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        input.focus();
    });

    /* ---- the list of lessons is folded where it would stand above the text; and it shows where one is ---- */
    const side = one('.side'), narrow = matchMedia('(max-width: 820px)');
    if (side) {
        const fold = () => { side.open = !narrow.matches; };
        fold();
        narrow.addEventListener('change', fold);
        const here = side.querySelector('[aria-current]');
        if (here && !narrow.matches) side.scrollTop = here.offsetTop - side.clientHeight / 2;
    }

    /* ---- figures: the same as text ---- */
    for (const figure of document.querySelectorAll('.figure.answers')) {
        const tools = figure.querySelector('.tools'), button = document.createElement('button');
        button.type = 'button';
        button.className = 'as-text-button';
        button.textContent = 'As text';
        button.setAttribute('aria-pressed', 'false');
        button.addEventListener('click', () => {
            button.setAttribute('aria-pressed', String(figure.classList.toggle('as-text')));
        });
        tools.append(button);
    }

    /* ---- what has nothing to scroll is no stop for Tab ---- */
    function stops() {
        for (const box of document.querySelectorAll('pre, .wide')) {
            if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
            else box.removeAttribute('tabindex');
        }
    }
    stops();
    window.addEventListener('resize', stops);

    /* ---- the map: what a lesson needs, and what needs it ---- */
    for (const span of document.querySelectorAll('.lane a')) {
        const edges = () => document.querySelectorAll('.edges .f' + span.dataset.n + ', .edges .t' + span.dataset.n);
        const light = (on) => () => edges().forEach((edge) => edge.classList.toggle('on', on));
        for (const name of ['pointerenter', 'focus']) span.addEventListener(name, light(true));
        for (const name of ['pointerleave', 'blur']) span.addEventListener(name, light(false));
    }
})();
