/* more.js - what a page has besides its timeline: the answers to what-if questions, shown above what ran; and an empty
   schedule to lay out by oneself. */
'use strict';
(() => {
    /* ---- what if ---- */
    const answers = [...document.querySelectorAll('.answers > .answer')];
    const questions = [...document.querySelectorAll('[data-question]')];
    for (const button of questions) {
        button.addEventListener('click', () => {
            const chosen = button.getAttribute('aria-pressed') === 'true' ? '' : button.dataset.question;
            for (const other of questions) other.setAttribute('aria-pressed', String(other.dataset.question === chosen));
            for (const answer of answers) answer.hidden = answer.dataset.answer !== chosen;
            const shown = answers.find(answer => !answer.hidden);
            if (shown) shown.scrollIntoView({block: 'start'});
        });
    }

    /* ---- predict ---- */
    for (const section of document.querySelectorAll('section.predict:not([data-ready])')) Predict(section);

    function Predict(section) {
        const part = name => section.querySelector('.' + name);
        const ops = JSON.parse(section.querySelector('script').textContent).ops
            .map(([label, lane, is, why]) => ({label, lane, is, why, put: null, button: null}));
        const lanes = [...new Set(ops.map(op => op.lane))];
        const columns = Math.max(...ops.map(op => op.is)) + 3;
        const cells = new Map();                    /* lane and column: the cell; column null: the tray */
        section.dataset.ready = 'yes';

        const add = (to, tag, text, name) => {
            const element = document.createElement(tag);
            if (text !== undefined) element.textContent = text;
            if (name) element.className = name;
            to.append(element);
            return element;
        };
        const key = (lane, column) => lane + '\n' + column;

        const table = add(part('grid'), 'table'), head = add(table, 'tr');
        add(head, 'th', '');
        for (let t = 0; t < columns; t++) add(head, 'th', 't=' + t);
        add(head, 'th', 'to put').className = 'tray';
        for (const lane of lanes) {
            const row = add(table, 'tr');
            add(row, 'th', lane);
            for (let t = 0; t <= columns; t++) {
                const cell = add(row, 'td', undefined, t === columns ? 'tray' : '');
                const column = t === columns ? null : t;
                cell.dataset.lane = lane;
                cell.dataset.column = String(column);
                cells.set(key(lane, column), cell);
            }
        }

        const place = (op, column, focus) => {
            op.put = column;
            cells.get(key(op.lane, column)).append(op.button);
            op.button.classList.remove('right', 'wrong');
            op.button.setAttribute('aria-label', op.label + (column === null ? ', not put yet' : ', at t=' + column));
            part('verdict').textContent = '';
            part('save').href = 'data:text/plain;charset=utf-8,' + encodeURIComponent(text());
            if (focus) op.button.focus();
        };
        const text = () => {
            let lines = '';
            for (let t = 0; t < columns; t++) {
                const here = ops.filter(op => op.put === t);
                if (here.length) lines += 't=' + t + ':' + here.map(op => ' [' + op.label + ']').join('') + '\n';
            }
            return lines;
        };
        const cellAt = (x, y, lane) => {
            const cell = document.elementFromPoint(x, y)?.closest('td');
            return cell && section.contains(cell) && cell.dataset.lane === lane ? cell : null;
        };

        for (const op of ops) {
            op.button = document.createElement('button');
            op.button.type = 'button';
            op.button.className = 'op';
            op.button.textContent = op.label;
            let over = null;
            const mark = cell => {
                if (over) over.classList.remove('over');
                over = cell;
                if (over) over.classList.add('over');
            };
            op.button.addEventListener('pointerdown', event => {
                if (event.button) return;
                op.button.setPointerCapture(event.pointerId);
                mark(cellAt(event.clientX, event.clientY, op.lane));
            });
            op.button.addEventListener('pointermove', event => {
                if (op.button.hasPointerCapture(event.pointerId)) mark(cellAt(event.clientX, event.clientY, op.lane));
            });
            op.button.addEventListener('pointerup', () => {
                const cell = over;
                mark(null);
                if (cell) place(op, cell.dataset.column === 'null' ? null : Number(cell.dataset.column), true);
            });
            op.button.addEventListener('pointercancel', () => mark(null));
            op.button.addEventListener('keydown', event => {
                const at = op.put;
                let to;
                if (event.key === 'ArrowRight') to = at === null ? 0 : Math.min(at + 1, columns - 1);
                else if (event.key === 'ArrowLeft') to = at === null ? columns - 1 : Math.max(at - 1, 0);
                else if (event.key === 'Home') to = 0;
                else if (event.key === 'End') to = columns - 1;
                else if (event.key === 'Delete' || event.key === 'Backspace') to = null;
                else if (event.key >= '0' && event.key <= '9' && Number(event.key) < columns) to = Number(event.key);
                else return;
                event.preventDefault();
                place(op, to, true);
            });
            place(op, null, false);
        }

        part('clear').addEventListener('click', () => ops.forEach(op => place(op, null, false)));
        part('copy').addEventListener('click', async () => {
            let done = false;
            try { await navigator.clipboard.writeText(text()); done = true; } catch { /* from a file it may be forbidden */ }
            const verdict = part('verdict');
            verdict.textContent = done ? 'Copied: put it into predict.txt beside the exercise.' : '';
            if (!done) add(verdict, 'pre', text());
        });
        part('compare').addEventListener('click', () => {
            section.dataset.compared = '';          /* the figure behind it may be seen now */
            const verdict = part('verdict'), wrong = ops.filter(op => op.put !== op.is);
            verdict.textContent = '';
            for (const op of ops) {
                op.button.classList.toggle('right', op.put === op.is);
                op.button.classList.toggle('wrong', op.put !== null && op.put !== op.is);
            }
            add(verdict, 'p', wrong.length ? 'You expected ' + (ops.length - wrong.length) + ' of ' + ops.length + ' operations when they came.'
                                           : 'All ' + ops.length + ' operations came when you expected them.');
            const list = add(verdict, 'ul'), first = op => Math.min(op.is, op.put === null ? op.is : op.put);
            wrong.sort((a, b) => first(a) - first(b));
            for (const op of wrong.slice(0, 6)) {
                add(list, 'li', op.put === null ? 'You left out ' + op.label + ': it started at t=' + op.is + '.'
                    : 'You put ' + op.label + ' at t=' + op.put + '; it started at t=' + op.is
                      + (op.put > op.is ? ' already, and nothing held it longer: ' : ': ') + op.why + '.');
            }
            if (wrong.length > 6) add(list, 'li', 'And ' + (wrong.length - 6) + ' more, perhaps because of these.');
        });
    }
})();
