// Sorts and filters the table of the class. All that it knows stands in the page; without it the
// page has the same rows and numbers.
'use strict';
(function () {
    const data = JSON.parse(document.getElementById('data').textContent);
    const table = document.getElementById('who'), body = table.tBodies[0];
    const rows = Array.from(body.rows), more = document.getElementById('more');
    let order = rows.map((row, i) => i), limit = 200; // the same number as in the page
    const form = document.querySelector('form.filter'), said = form.querySelector('output');
    const names = rows.map(row => row.cells[0].textContent.toLowerCase());
    let only = null, onlyWords = '';

    const verdict = cell => !cell || !cell.textContent ? 'none' :
        cell.classList.contains('pass') ? 'pass' : 'not';

    function filter() {
        const name = form.name.value.trim().toLowerCase(), exercise = form.exercise.value,
              wanted = form.verdict.value, check = form.check.value;
        const failed = check ? new Set(data.k[+check.slice(1)]) : null;
        let shown = 0;
        for (const i of order) {
            const row = rows[i];
            const cells = exercise === '' ? Array.from(row.cells).slice(2) :
                [row.cells[2 + +exercise]];
            const keep = (!name || names[i].includes(name)) && (!only || only.has(i)) &&
                (!failed || failed.has(i)) &&
                (!wanted || cells.some(cell => verdict(cell) === wanted)) &&
                (exercise === '' || wanted === 'none' || verdict(cells[0]) !== 'none');
            shown += keep;
            row.hidden = !keep || shown > limit;
        }
        more.hidden = shown <= limit;
        more.textContent = 'Show all ' + shown;
        said.textContent = (shown === rows.length ? rows.length + ' students' :
            shown + ' of ' + rows.length + ' students') + (onlyWords ? ': who ' + onlyWords : '');
    }

    // "36 ✓" and "12" are numbers; a word is less than any, nothing less than that
    function value(row, column) {
        const text = row.cells[column] ? row.cells[column].textContent : '';
        const number = parseFloat(text);
        return !text ? -2 : isNaN(number) ? -1 : number;
    }

    function sort(head, column) {
        const down = head.getAttribute('aria-sort') === (column ? 'descending' : 'ascending');
        const way = (column === 0) === down ? -1 : 1;
        const by = new Intl.Collator(), values = rows.map(row => column ? value(row, column) : 0);
        order.sort((a, b) => (column ? values[a] - values[b] : by.compare(names[a], names[b])) * way ||
            a - b);
        for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
        body.append(...order.map(i => rows[i]));
        filter();
    }

    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = head.textContent;
        button.title = 'Sort by this';
        button.addEventListener('click', () => sort(head, column));
        head.replaceChildren(button);
    });

    function show(button) {
        const id = button.dataset.who, line = button.closest('li, td');
        only = new Set(data[id[0]][+id.slice(1)]);
        form.reset();
        onlyWords = '';
        for (const node of line.childNodes) {
            if (node === button) break;
            if (node.nodeType === Node.TEXT_NODE) onlyWords += node.textContent;
        }
        onlyWords = onlyWords.trim();
        filter();
        const heading = document.getElementById('everybody');
        heading.tabIndex = -1;
        heading.focus();
        heading.scrollIntoView();
    }

    for (const button of document.querySelectorAll('button[data-who]')) {
        button.hidden = false;
        button.addEventListener('click', () => show(button));
    }
    form.addEventListener('input', filter);
    form.addEventListener('submit', event => event.preventDefault());
    form.addEventListener('click', event => {
        if (event.target.type !== 'reset') return;
        event.preventDefault();
        form.reset();
        only = null;
        onlyWords = '';
        filter();
    });
    function all() {
        limit = rows.length;
        filter();
    }
    more.addEventListener('click', all);
    form.hidden = false;
    filter();

    // a cell without a link of its own leads to its hand-in all the same
    body.addEventListener('click', event => {
        const cell = event.target.closest('td');
        if (!cell || cell.cellIndex < 2 || event.target.closest('a') || !cell.textContent) return;
        const page = cell.parentNode.cells[0].querySelector('a').getAttribute('href');
        const exercise = table.tHead.rows[0].cells[cell.cellIndex].textContent;
        location.href = page.replace(/\.html$/, '-' + exercise + '.html');
    });

    // on paper everything is open
    addEventListener('beforeprint', () => {
        for (const one of document.querySelectorAll('details')) one.open = true;
        all();
    });
})();
