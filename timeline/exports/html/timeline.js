/* Draws the timelines of a page. Each <section class="threelane"> holds its run as JSON (written by html.c):
 *
 *   spans   one entry per operation, then per host range and call, in columns: start and length in ns, kind, facts
 *           (an index into `facts`); for operations also stream, how long before its start it was issued, the cause
 *           that decided its wait and by how many spans earlier that was (`by`, 0: none); the same for the step back
 *           on the critical path (`back`), which begins at the span `last`
 *   rows    what is drawn where: lists of spans by start, for engines, streams and the host
 *
 * What is drawn costs time by the width of the screen, not by the number of spans: a row is walked pixel by pixel
 * with a binary search, and spans too narrow to see are drawn together as a hatched block with their number. */
'use strict';
(function () {
    const ROW = 30, BAR = 24, RULER = 30, NARROW = 3, FONT = '12px system-ui, sans-serif';
    const MOST_ARROWS = 300;
    const kinds = ['h2d', 'kernel', 'd2h', 'memset', 'copy', 'hostfn', 'range', 'call', 'graph'];
    const paintOf = (kind) => kinds.includes(kind) ? kind : 'copy';
    const words = {
        h2d: 'copy to the device (H2D)', d2h: 'copy to the host (D2H)', d2d: 'copy inside the device',
        h2h: 'copy on the host', p2p: 'copy between devices', memset: 'memset', kernel: 'kernel',
        hostfn: 'host function (CB)', range: 'host: range', call: 'host: CUDA call', graph: 'launch of a graph (G)', copy: 'other copy',
    };

    /* ---- the data: differences become values, rows get what the searches need ---- */

    function summed(differences) {
        const values = new Float64Array(differences.length);
        let value = 0;
        for (let i = 0; i < values.length; i++) values[i] = value += differences[i];
        return values;
    }

    function decode(data) {
        const s = data.spans;
        s.start = summed(s.start);
        s.end = Float64Array.from(s.length, (length, i) => s.start[i] + length);
        s.labels = s.labels === '' ? [] : s.labels.split('\n');
        s.reasons = s.reasons === '' ? [] : s.reasons.split('\n');
        for (const name of ['engine', 'stream', 'host']) {
            for (const row of data.rows[name]) {
                row.items = Uint32Array.from(summed(row.items));
                row.reach = new Float64Array(row.items.length);      /* the latest end so far */
                row.busy = new Float64Array(row.items.length + 1);   /* time covered by the items before this one */
                let reach = 0;
                row.items.forEach((span, i) => {
                    row.busy[i + 1] = row.busy[i] + Math.max(0, s.end[span] - Math.max(s.start[span], reach));
                    row.reach[i] = reach = Math.max(reach, s.end[span]);
                });
            }
        }
        return data;
    }

    /* The first i in from..n for which test(i) is true; test must be false, then true. */
    function search(from, n, test) {
        while (from < n) {
            const middle = (from + n) >> 1;
            if (test(middle)) n = middle;
            else from = middle + 1;
        }
        return from;
    }

    function Timeline(section) {
        const data = decode(JSON.parse(section.querySelector('script[type="application/json"]').textContent));
        const s = data.spans, n = s.start.length, total = Math.max(data.span_ns, 1);
        const part = (name) => section.querySelector('.' + name);
        const canvas = section.querySelector('canvas'), ink = canvas.getContext('2d');
        const tip = part('tip'), panel = part('panel'), said = part('said');
        let rows = [], rowOf = new Int32Array(n), by = data.by;
        let view = {from: 0, to: total}, before = [];
        let selected = -1, onPath = null, band = null, waiting = false, paint = {}, hatch = null, top = RULER;

        /* ---- words ---- */

        const label = (span) => span < s.ops ? s.labels[span] : data.facts[s.fact[span]].name || '?';
        const kind = (span) => data.kinds[s.kind[span]];
        function time(ns) {
            const value = ns / data.unit_ns, exact = Math.abs(value - Math.round(value)) < 1e-9;
            const text = exact ? String(Math.round(value)) : Number(value.toPrecision(5)).toString();
            const plural = data.unit_words && value !== 1 ? 's' : '';
            return text + ' ' + data.unit + plural;
        }
        function bytes(count) {
            const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
            let unit = 0;
            while (count >= 1024 && unit < 4) { count /= 1024; unit++; }
            return Number(count.toPrecision(4)) + ' ' + units[unit];
        }
        function reason(span) {
            if (span >= s.ops) return '';
            if (s.reasons.length) return s.reasons[span];
            const wait = s.issued[span];
            if (s.open[span]) return '';
            if (!s.by[span]) return wait > 0 ? 'waited ' + time(wait) + ' (' + data.causes[s.cause[span]] + ')'
                                             : label(span) + ' started as soon as it was issued';
            return label(span) + ' waited for ' + label(span - s.by[span]) + ' (' + data.causes[s.cause[span]] + ')';
        }

        /* ---- where things are ---- */

        const gutter = () => canvas.clientWidth < 560 ? 70 : 118;
        const plot = () => Math.max(canvas.clientWidth - gutter() - 8, 50);
        const xOf = (t) => gutter() + (t - view.from) / (view.to - view.from) * plot();
        const tOf = (x) => view.from + (x - gutter()) / plot() * (view.to - view.from);

        function show(from, to, remember) {
            const width = Math.min(Math.max(to - from, Math.min(10, total)), total * 1.1), middle = (from + to) / 2;
            if (remember) before.push(view);
            if (before.length > 100) before.shift();
            from = Math.min(Math.max(middle - width / 2, -0.05 * total), 1.05 * total - width);
            view = {from: from, to: from + width};
            redraw();
        }
        function zoom(factor, t) {
            const at = t === undefined ? centre() : t;
            const width = Math.min(Math.max((view.to - view.from) * factor, Math.min(10, total)), total * 1.1);
            const share = (at - view.from) / (view.to - view.from);
            show(at - share * width, at - share * width + width);
        }
        function centre() {
            if (selected >= 0) {
                const middle = (s.start[selected] + s.end[selected]) / 2;
                if (middle > view.from && middle < view.to) return middle;
            }
            return (view.from + view.to) / 2;
        }
        function move(share) {
            const by_ns = share * (view.to - view.from);
            show(view.from + by_ns, view.to + by_ns);
        }
        function fit() { show(0, total, true); }

        function chooseRows(which) {
            by = which;
            rows = data.rows[which].concat(data.rows.host);
            rowOf.fill(-1);
            rows.forEach((row, r) => { for (const span of row.items) rowOf[span] = r; });
            for (const name of ['engine', 'stream']) {
                part('by-' + name).setAttribute('aria-pressed', String(name === which));
            }
            resize();
        }

        /* ---- drawing ---- */

        function readPaint() {
            const style = getComputedStyle(section);
            for (const name of ['paper', 'ink', 'dim', 'lane', 'line', 'mark', 'path', 'focus',
                ...kinds, ...kinds.map((kind) => kind + '-ink')]) {
                paint[name] = style.getPropertyValue('--' + name).trim();
            }
            const tile = document.createElement('canvas');
            tile.width = tile.height = 6;
            const pen = tile.getContext('2d');
            pen.strokeStyle = '#000';
            pen.globalAlpha = 0.45;
            pen.beginPath();
            pen.moveTo(0, 6);
            pen.lineTo(6, 0);
            pen.stroke();
            hatch = ink.createPattern(tile, 'repeat');
        }
        const colour = (span) => paint[paintOf(kind(span))];

        function resize() {
            const height = RULER + Math.max(rows.length, 1) * ROW + 6, ratio = window.devicePixelRatio || 1;
            const scale = Math.min(ratio, 16000 / height, 16000 / Math.max(canvas.clientWidth, 1));
            canvas.style.height = height + 'px';
            canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
            canvas.height = Math.round(height * scale);
            ink.setTransform(scale, 0, 0, scale, 0, 0);
            redraw();
        }
        function redraw() {
            if (waiting) return;
            waiting = true;
            requestAnimationFrame(() => { waiting = false; draw(); });
        }

        /* The ruler's step: 1, 2 or 5 times a power of ten of the unit, at least so many pixels apart. */
        function stepOf(pixels) {
            const least = (view.to - view.from) / data.unit_ns * pixels / plot();
            let step = Math.pow(10, Math.floor(Math.log10(least)));
            while (step < least) step *= step * 2 >= least ? 2 : step * 5 >= least ? 5 : 10;
            return step;
        }
        function drawRuler(height) {
            const step = stepOf(80), digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
            const first = Math.ceil(view.from / data.unit_ns / step), last = Math.floor(view.to / data.unit_ns / step);
            ink.textAlign = 'center';
            ink.lineWidth = 1;
            for (let k = first; k <= last && k - first < 400; k++) {
                const x = Math.round(xOf(k * step * data.unit_ns)) + 0.5;
                ink.strokeStyle = paint.line;
                ink.beginPath();
                ink.moveTo(x, top - 6);
                ink.lineTo(x, height);
                ink.stroke();
                ink.fillStyle = paint.dim;
                ink.fillText((k * step).toFixed(digits), x, 12);
            }
            ink.textAlign = 'left';
            ink.fillText(data.unit, 4, 12, gutter() - 30);
        }

        function fitted(text, width) {
            if (ink.measureText(text).width <= width) return text;
            let keep = Math.min(text.length, Math.floor(width / 5));
            while (keep > 1 && ink.measureText(text.slice(0, keep) + '…').width > width) keep--;
            return keep > 1 ? text.slice(0, keep) + '…' : '';
        }
        function drawSpan(span, y) {
            const x0 = Math.max(xOf(s.start[span]), gutter() - 4);
            const x1 = Math.min(xOf(s.end[span]), canvas.clientWidth + 4);
            const width = Math.max(x1 - x0 - 1, NARROW - 1);
            ink.fillStyle = colour(span);
            ink.fillRect(x0, y, width, BAR);
            if (s.open[span]) {                 /* it had not ended: an edge of dashes */
                ink.strokeStyle = paint.mark;
                ink.setLineDash([3, 3]);
                ink.strokeRect(x0 + 1, y + 1, width - 2, BAR - 2);
                ink.setLineDash([]);
            }
            if (width > 16) {
                const text = fitted(label(span), width - 6);
                ink.fillStyle = paint[paintOf(kind(span)) + '-ink'];
                ink.textAlign = 'center';
                if (text) ink.fillText(text, x0 + width / 2, y + BAR / 2 + 0.5);
            }
        }
        /* Spans from x0 to x1, too narrow to tell apart; busy: the share of that time that they cover. */
        function drawMany(span, x0, x1, busy, y) {
            ink.globalAlpha = 0.45 + 0.55 * Math.min(busy, 1);
            ink.fillStyle = colour(span);
            ink.fillRect(x0, y, Math.max(x1 - x0, 1), BAR);
            ink.globalAlpha = 1;
        }
        /* What tells a run of such blocks from one span: hatching, and the number where it fits. */
        function drawCount(run, y) {
            if (!run || run.count < 2) return;
            ink.fillStyle = hatch;
            ink.fillRect(run.from, y, Math.max(run.to - run.from, 1), BAR);
            if (run.to - run.from < 34) return;
            const text = '×' + run.count, width = ink.measureText(text).width + 8;
            if (width > run.to - run.from) return;
            const x = (run.from + run.to) / 2;
            ink.fillStyle = paint.paper;
            ink.fillRect(x - width / 2, y + 4, width, BAR - 8);
            ink.fillStyle = paint.ink;
            ink.textAlign = 'center';
            ink.fillText(text, x, y + BAR / 2 + 0.5);
        }
        function drawRow(row, y) {
            const items = row.items, right = tOf(canvas.clientWidth);
            const pixel = (view.to - view.from) / plot();
            let i = search(0, items.length, (k) => row.reach[k] > view.from || s.start[items[k]] >= view.from);
            let run = null;
            while (i < items.length && s.start[items[i]] <= right) {
                const span = items[i], x0 = xOf(s.start[span]);
                if (!row.stacked && xOf(s.end[span]) - x0 >= NARROW) {
                    drawCount(run, y);
                    run = null;
                    drawSpan(span, y);
                    i++;
                    continue;
                }
                const column = Math.max(Math.floor(x0), Math.floor(gutter()) - 4), until = tOf(column + 1);
                let next = search(i + 1, items.length, (k) => s.start[items[k]] >= until);
                const last = items[next - 1];
                if (!row.stacked && next - i > 1 && (s.end[last] - s.start[last]) / pixel >= NARROW) {
                    next--;                     /* the last one is wide enough for itself */
                }
                const reach = xOf(row.stacked ? row.reach[next - 1] : s.end[items[next - 1]]);
                const to = Math.min(Math.max(column + 1, reach), canvas.clientWidth + 4);
                drawMany(span, column, to, (row.busy[next] - row.busy[i]) / ((to - column) * pixel), y);
                if (run && column <= run.to + 1) {
                    run.to = Math.max(run.to, to);
                    run.count += next - i;
                } else {
                    drawCount(run, y);
                    run = {from: column, to: to, count: next - i};
                }
                i = next;
            }
            drawCount(run, y);
        }

        const yOf = (span) => top + rowOf[span] * ROW;
        function outline(span, stroke, width) {
            if (span < 0 || rowOf[span] < 0 || s.end[span] < view.from || s.start[span] > view.to) return;
            const x0 = Math.max(xOf(s.start[span]), gutter() - 6);
            const x1 = Math.min(xOf(s.end[span]), canvas.clientWidth + 6);
            ink.strokeStyle = stroke;
            ink.lineWidth = width;
            ink.strokeRect(x0 - 1, yOf(span) - 1, Math.max(x1 - x0, NARROW) + 1, BAR + 2);
        }
        function arrow(from, to, stroke, width) {
            if (rowOf[from] < 0 || rowOf[to] < 0) return;
            const x0 = xOf(s.end[from]), y0 = yOf(from) + BAR / 2, x1 = xOf(s.start[to]), y1 = yOf(to) + BAR / 2;
            if (Math.max(x0, x1) < gutter() - 50 || Math.min(x0, x1) > canvas.clientWidth + 50) return;
            const bend = Math.min(30, Math.max(8, Math.abs(x1 - x0) / 2));
            ink.strokeStyle = ink.fillStyle = stroke;
            ink.lineWidth = width;
            ink.beginPath();
            ink.moveTo(x0, y0);
            ink.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 1, y1);
            ink.stroke();
            ink.beginPath();
            ink.moveTo(x1, y1);
            ink.lineTo(x1 - 7, y1 - 4);
            ink.lineTo(x1 - 7, y1 + 4);
            ink.fill();
        }
        function drawArrows() {
            const first = search(0, data.arrows.length, (k) => s.start[data.arrows[k][1]] >= view.from);
            let drawn = 0;
            for (let k = first; k < data.arrows.length && s.start[data.arrows[k][1]] <= view.to; k++) {
                if (++drawn > MOST_ARROWS) return;
            }
            for (let k = first; k < first + drawn; k++) arrow(data.arrows[k][0], data.arrows[k][1], paint.dim, 1.2);
        }
        function drawPath() {                   /* each step ends after the one before it */
            let k = search(0, onPath.length, (i) => s.end[onPath[i]] >= view.from), before = -1;
            while (k < onPath.length && s.start[onPath[k]] <= view.to) {
                if (xOf(s.end[onPath[k]]) - xOf(s.start[onPath[k]]) >= NARROW) {
                    if (before >= 0) arrow(onPath[before], onPath[k], paint.path, 2);
                    outline(onPath[k], paint.path, 3);
                } else if (rowOf[onPath[k]] >= 0) {     /* too narrow for a frame: a line below it */
                    ink.fillStyle = paint.path;
                    ink.fillRect(xOf(s.start[onPath[k]]), yOf(onPath[k]) + BAR, 2, 4);
                }
                before = k;
                const next = tOf(Math.floor(xOf(s.end[onPath[k]])) + 1);
                k = search(k + 1, onPath.length, (i) => s.end[onPath[i]] >= next);
            }
        }
        function drawHazards() {
            ink.fillStyle = paint.mark;
            for (const hazard of data.hazards) {
                for (const span of [hazard.a, hazard.b]) {
                    if (span < 0 || rowOf[span] < 0) continue;
                    const x = Math.max(xOf(s.start[span]), gutter()) + 6, y = yOf(span);
                    if (x > canvas.clientWidth || s.end[span] < view.from) continue;
                    ink.beginPath();
                    ink.moveTo(x, y - 4);
                    ink.lineTo(x + 7, y + 8);
                    ink.lineTo(x - 7, y + 8);
                    ink.fill();
                    outline(span, paint.mark, 2);
                }
            }
        }

        function draw() {
            const width = canvas.clientWidth, height = RULER + Math.max(rows.length, 1) * ROW + 6;
            const place = canvas.getBoundingClientRect();
            ink.fillStyle = paint.paper;
            ink.fillRect(0, 0, width, height);
            ink.font = FONT;
            ink.textBaseline = 'middle';
            const first = Math.max(0, Math.floor((-place.top - RULER) / ROW) - 1);
            const last = Math.min(rows.length, Math.ceil((window.innerHeight - place.top - RULER) / ROW) + 1);
            for (let r = first; r < last; r++) {
                ink.fillStyle = paint.lane;
                ink.fillRect(gutter(), top + r * ROW, plot(), BAR);
            }
            drawRuler(height);
            for (let r = first; r < last; r++) drawRow(rows[r], top + r * ROW);
            if (!rows.length) {
                ink.fillStyle = paint.dim;
                ink.textAlign = 'left';
                ink.fillText('nothing ran', gutter() + 8, top + BAR / 2);
            }
            drawArrows();
            if (onPath) drawPath();
            drawHazards();
            if (selected >= 0) {
                if (selected < s.ops && s.by[selected]) arrow(selected - s.by[selected], selected, paint.focus, 2);
                outline(selected, paint.focus, 3);
            }
            if (band) {
                ink.fillStyle = paint.focus;
                ink.globalAlpha = 0.2;
                ink.fillRect(xOf(band.from), top, xOf(band.to) - xOf(band.from), height);
                ink.globalAlpha = 1;
            }
            ink.fillStyle = paint.paper;        /* the titles stand before what reaches in from the left */
            ink.fillRect(0, top - 4, gutter() - 4, height);
            ink.fillStyle = paint.ink;
            ink.textAlign = 'right';
            for (let r = first; r < last; r++) {
                const text = fitted(rows[r].title, gutter() - 16);
                ink.fillText(text, gutter() - 10, top + r * ROW + BAR / 2);
            }
        }

        /* ---- choosing ---- */

        function spanAt(x, y) {
            const r = Math.floor((y - top) / ROW);
            if (r < 0 || r >= rows.length || x < gutter() - 4) return -1;
            const row = rows[r], from = tOf(x - 3), to = tOf(x + 3), t = tOf(x);
            const first = search(0, row.items.length, (k) => row.reach[k] > from || s.start[row.items[k]] >= from);
            let best = -1, nearest = Infinity;
            for (let k = first; k < row.items.length && k < first + 500; k++) {
                const span = row.items[k];
                if (s.start[span] > to) break;
                const away = Math.max(s.start[span] - t, t - s.end[span], 0);
                if (s.end[span] >= from && (away < nearest || (away === 0 && row.stacked))) {
                    best = span;
                    nearest = away;
                }
            }
            return best;
        }
        function add(parent, tag, text, class_) {
            const element = document.createElement(tag);
            if (text !== undefined) element.textContent = text;
            if (class_) element.className = class_;
            parent.append(element);
            return element;
        }
        function fact(list, name, value) {
            if (value === undefined || value === '' || value === null) return;
            add(list, 'dt', name);
            add(list, 'dd', value);
        }
        function describe(span) {
            panel.replaceChildren();
            if (span < 0) {
                add(panel, 'p', 'Choose a span to see what it was and why it waited.');
                return;
            }
            const f = data.facts[s.fact[span]], op = span < s.ops, length = s.end[span] - s.start[span];
            add(panel, 'h3', label(span)).style.margin = '0';
            if (op) add(panel, 'p', reason(span), 'why');
            if (op && s.by[span]) {
                const other = span - s.by[span], button = add(panel, 'button', 'Go to ' + label(other));
                button.type = 'button';
                button.addEventListener('click', () => select(other, true));
            }
            const list = add(panel, 'dl');
            fact(list, 'kind', words[kind(span)] || kind(span));
            if (op) fact(list, 'name', f.name);
            fact(list, 'from – to', f.from || f.to ? (f.from || '?') + ' – ' + (f.to || '?') : '');
            if (f.bytes) fact(list, 'bytes', f.bytes.toLocaleString('en') + ' (' + bytes(f.bytes) + ')');
            if (f.bytes && length > 0 && op && !s.open[span] && kind(span) !== 'kernel') {
                fact(list, 'bandwidth', Number((f.bytes / length).toPrecision(3)) + ' GB/s');
            }
            fact(list, 'grid', f.grid);
            fact(list, 'block', f.block);
            if (f.shared) fact(list, 'shared', bytes(f.shared));
            if (op) fact(list, 'stream', data.streams[s.stream[span]]);
            fact(list, 'engine', f.engine);
            if (op && s.issued[span] >= 0) fact(list, 'issued', time(s.start[span] - s.issued[span]));
            fact(list, 'start', time(s.start[span]));
            fact(list, 'end', s.open[span] ? 'had not ended' : time(s.end[span]));
            if (!s.open[span]) fact(list, 'lasted', time(length));
            fact(list, 'call', f.call);
            if (f.result) fact(list, 'result', 'error ' + f.result);
            fact(list, 'thread', f.thread);
            fact(list, 'source', f.site);
        }
        function select(span, bring) {
            selected = span;
            describe(span);
            said.textContent = span < 0 ? 'nothing chosen'
                : label(span) + ', from ' + time(s.start[span]) + ' to ' + time(s.end[span]) + '. ' + reason(span);
            if (bring && span >= 0 && (s.end[span] < view.from || s.start[span] > view.to)) {
                const half = (view.to - view.from) / 2, middle = (s.start[span] + s.end[span]) / 2;
                show(middle - half, middle + half, true);
            }
            redraw();
        }
        function neighbour(step) {
            if (selected < 0) {
                const first = search(0, s.ops, (k) => s.start[k] >= view.from);
                return select(Math.min(first, n - 1), true);
            }
            const items = rows[rowOf[selected]].items;
            const at = search(0, items.length, (k) => s.start[items[k]] > s.start[selected]
                || (s.start[items[k]] === s.start[selected] && items[k] >= selected));
            const exact = items[at] === selected ? at : items.indexOf(selected);
            const next = items[exact + step];
            if (next !== undefined) select(next, true);
        }
        function otherRow(step) {
            if (selected < 0) return neighbour(1);
            const t = s.start[selected];
            for (let r = rowOf[selected] + step; r >= 0 && r < rows.length; r += step) {
                const items = rows[r].items;
                if (!items.length) continue;
                const k = search(0, items.length, (i) => s.end[items[i]] > t || s.start[items[i]] >= t);
                return select(items[Math.min(k, items.length - 1)], true);
            }
        }
        function criticalPath() {
            if (onPath) {
                onPath = null;
            } else {
                onPath = [];
                for (let k = s.last; k >= 0 && onPath.length <= s.ops; k -= s.back[k]) {
                    onPath.push(k);
                    if (!s.back[k]) break;
                }
                onPath.reverse();
                if (onPath.length) {
                    said.textContent = 'Critical path, ' + onPath.length + ' steps: '
                        + onPath.slice(-40).map(label).join(', ');
                }
            }
            part('path').setAttribute('aria-pressed', String(onPath !== null));
            redraw();
        }
        function find(text, step) {
            text = text.toLowerCase();
            if (!text) return;
            const from = selected < 0 ? (step > 0 ? -1 : n) : selected;
            for (let k = 1; k <= n; k++) {
                const span = ((from + step * k) % n + n) % n, f = data.facts[s.fact[span]];
                if (rowOf[span] < 0) continue;
                const where = span < s.ops ? data.streams[s.stream[span]] : '';
                const all = label(span) + ' ' + kind(span) + ' ' + (f.name || '') + ' ' + where;
                if (all.toLowerCase().includes(text)) return select(span, true);
            }
            said.textContent = 'nothing is called ' + text;
            panel.replaceChildren();
            add(panel, 'p', 'Nothing is called “' + text + '”.');
        }

        /* ---- keys, mouse, fingers ---- */

        const keys = {
            ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15), ArrowUp: () => otherRow(-1),
            ArrowDown: () => otherRow(1), '+': () => zoom(0.6), '=': () => zoom(0.6), '-': () => zoom(1 / 0.6),
            f: fit, Home: fit, n: () => neighbour(1), p: () => neighbour(-1), c: criticalPath,
            e: () => chooseRows(by === 'engine' ? 'stream' : 'engine'),
            u: () => { if (before.length) { view = before.pop(); redraw(); } },
            z: () => { if (selected >= 0) zoomTo(selected); },
            Enter: () => {
                if (selected >= 0 && selected < s.ops && s.by[selected]) select(selected - s.by[selected], true);
            },
            Escape: () => select(-1), '/': () => part('find').focus(),
        };
        function zoomTo(span) {
            const width = Math.max(s.end[span] - s.start[span], 1);
            show(s.start[span] - width, s.end[span] + width, true);
        }
        canvas.addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
            event.preventDefault();
            keys[event.key]();
        });
        part('find').addEventListener('keydown', (event) => {
            if (event.key === 'Enter') find(event.target.value, event.shiftKey ? -1 : 1);
            else if (event.key === 'Escape') canvas.focus();
        });
        const buttons = {
            'by-engine': () => chooseRows('engine'), 'by-stream': () => chooseRows('stream'), closer: () => zoom(0.6),
            wider: () => zoom(1 / 0.6), fit: fit, path: criticalPath, undo: keys.u,
            previous: () => neighbour(-1), next: () => neighbour(1),
        };
        for (const name in buttons) part(name).addEventListener('click', buttons[name]);

        const point = (event) => {
            const place = canvas.getBoundingClientRect();
            return {x: event.clientX - place.left, y: event.clientY - place.top};
        };
        canvas.addEventListener('wheel', (event) => {
            const at = point(event);
            if (at.x < gutter()) return;        /* over the titles the page scrolls */
            event.preventDefault();
            const pixels = event.deltaMode ? 30 : 1;
            if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                move((event.deltaX || event.deltaY) * pixels / plot());
            } else {
                zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * pixels * 0.002))), tOf(at.x));
            }
        }, {passive: false});

        const fingers = new Map();
        let dragged = 0, pinch = null;
        canvas.addEventListener('pointerdown', (event) => {
            const at = point(event);
            fingers.set(event.pointerId, at);
            dragged = 0;
            pinch = null;
            if (event.shiftKey && fingers.size === 1) band = {from: tOf(at.x), to: tOf(at.x)};
            try { canvas.setPointerCapture(event.pointerId); } catch (error) { /* a pointer that is gone already */ }
        });
        canvas.addEventListener('pointermove', (event) => {
            const at = point(event), was = fingers.get(event.pointerId);
            if (!was) return hover(at);
            fingers.set(event.pointerId, at);
            dragged += Math.abs(at.x - was.x);
            if (fingers.size === 2) {
                const [a, b] = fingers.values(), apart = Math.max(Math.abs(a.x - b.x), 10), middle = (a.x + b.x) / 2;
                if (pinch) {
                    move((pinch.middle - middle) / plot());
                    zoom(pinch.apart / apart, tOf(middle));
                }
                pinch = {apart: apart, middle: middle};
            } else if (band) {
                band.to = tOf(at.x);
                hint(time(Math.abs(band.to - band.from)), at);
                redraw();
            } else {
                move((was.x - at.x) / plot());
            }
        });
        function lift(event) {
            const at = point(event), alone = fingers.size === 1;
            if (!fingers.delete(event.pointerId) || !alone || event.type === 'pointercancel') return;
            tip.style.display = 'none';
            if (band) {
                const from = Math.min(band.from, band.to), to = Math.max(band.from, band.to);
                band = null;
                if (dragged > 4) show(from, to, true);
                redraw();
            } else if (dragged <= 4) {
                select(spanAt(at.x, at.y));
            }
        }
        canvas.addEventListener('pointerup', lift);
        canvas.addEventListener('pointercancel', lift);
        canvas.addEventListener('pointerleave', () => { tip.style.display = 'none'; });
        canvas.addEventListener('dblclick', (event) => {
            const at = point(event), span = spanAt(at.x, at.y);
            if (span >= 0) zoomTo(span);
        });
        function hint(text, at) {
            tip.textContent = text;
            tip.style.display = 'block';
            tip.style.left = Math.max(0, Math.min(at.x + 12, canvas.clientWidth - tip.offsetWidth - 4)) + 'px';
            tip.style.top = at.y + 18 + 'px';
        }
        function hover(at) {
            const span = spanAt(at.x, at.y);
            if (span < 0) {
                tip.style.display = 'none';
                return;
            }
            hint(label(span) + '  ' + time(s.start[span]) + ' to ' + (s.open[span] ? '(not ended)' : time(s.end[span]))
                 + (span < s.ops ? ' · ' + reason(span) : ''), at);
        }

        /* ---- at the start ---- */

        data.arrows.sort((a, b) => s.start[a[1]] - s.start[b[1]]);
        const used = new Set(s.kind), legend = part('legend');
        const shown = new Set();
        for (const k of used) {
            const name = paintOf(data.kinds[k]);
            if (shown.has(name)) continue;
            shown.add(name);
            const entry = add(legend, 'li'), swatch = add(entry, 'i');
            swatch.style.background = 'var(--' + name + ')';
            entry.append(words[name]);
        }
        readPaint();
        chooseRows(by);
        show(-0.01 * total, 1.01 * total);
        describe(-1);
        if (typeof ResizeObserver === 'function') new ResizeObserver(resize).observe(part('stage'));
        window.addEventListener('scroll', redraw, {passive: true, capture: true});
        window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readPaint(); redraw(); });
        section.dataset.ready = 'yes';
    }

    for (const section of document.querySelectorAll('section.threelane:not([data-ready])')) Timeline(section);
})();
