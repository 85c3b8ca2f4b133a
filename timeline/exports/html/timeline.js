/* Draws the timelines of a page. Each <section class="threelane"> holds its run as JSON (written by html.c):
 *
 *   spans   one entry per operation, then per host range and call, in columns: start and length in ns, facts (an index
 *           into `facts`, which also says the kind); for operations also stream, how long before its start it was issued
 *           and was ready, the cause that decided its wait and by how many spans earlier that was (`by`, 0: none); the
 *           same for the step back on the critical path (`back`), which begins at the span `last`; its row by engine and
 *           by stream (+ 1), and its label as stem and number. A column is a text: base64 of groups of seven bits.
 *   rows    engines, streams, the host's: titles, and how many spans each has
 *
 * What is drawn costs time by the width of the screen, not by the number of spans: a row is walked pixel by pixel with a
 * binary search, and spans too narrow to see are drawn together as a hatched block with their number.
 *
 * Every control may be missing: a page takes those that it has room for. Keys are those of `threelane view`. Each
 * section gets `threelane`: {select, show, data, keys}, for what other scripts of the page add. */
'use strict';
(function () {
    const ROW = 30, BAR = 24, RULER = 30, NARROW = 3, FONT = '12px system-ui, sans-serif';
    const MOST_ARROWS = 300, MOST_HAZARDS = 1000, CHAIN = 40;
    const kinds = ['h2d', 'kernel', 'd2h', 'memset', 'copy', 'hostfn', 'range', 'call', 'graph'];
    const letters = {h2d: '>', kernel: 'K', d2h: '<', memset: '0', copy: '=', hostfn: 'f', range: '', call: '', graph: 'G'};
    const paintOf = (kind) => kinds.includes(kind) ? kind : 'copy';
    const words = {
        h2d: 'copy to the device (H2D)', d2h: 'copy to the host (D2H)', d2d: 'copy inside the device',
        h2h: 'copy on the host', p2p: 'copy between devices', memset: 'memset', kernel: 'kernel (K)',
        hostfn: 'host function (CB)', range: 'host: range', call: 'host: CUDA call', graph: 'launch of a graph (G)',
        copy: 'other copy',
    };

    /* ---- the data: texts become columns, differences become values, rows get what the searches need ---- */

    const digit = new Uint8Array(128);
    for (let i = 0; i < 64; i++) {
        digit['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i;
    }
    function unpack(text) {
        if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);      /* browsers of 2025 and later: at once */
        const bytes = new Uint8Array(text.length / 4 * 3);
        for (let i = 0, at = 0; i < text.length; i += 4, at += 3) {
            const four = digit[text.charCodeAt(i)] << 18 | digit[text.charCodeAt(i + 1)] << 12
                | digit[text.charCodeAt(i + 2)] << 6 | digit[text.charCodeAt(i + 3)];
            bytes[at] = four >> 16;
            bytes[at + 1] = four >> 8;
            bytes[at + 2] = four;
        }
        return bytes;
    }
    /* n numbers of a column into an array; signed: the sign is in bit 0; summed: each is a difference. */
    function column(text, values, signed, summed) {
        const bytes = unpack(text), n = values.length;
        let at = 0, sum = 0;
        for (let i = 0; i < n; i++) {
            let byte = bytes[at++], value = byte & 127;
            for (let shift = 7; byte > 127 && shift < 28; shift += 7) {
                byte = bytes[at++];
                value |= (byte & 127) << shift;
            }
            if (byte > 127) {                   /* from here on it may not fit into 32 bits */
                let weight = 268435456;
                do {
                    byte = bytes[at++];
                    value += (byte & 127) * weight;
                    weight *= 128;
                } while (byte > 127);
                if (signed) value = value % 2 ? -(value + 1) / 2 : value / 2;
            } else if (signed) {
                value = (value >>> 1) ^ -(value & 1);
            }
            values[i] = summed ? sum += value : value;
        }
        return values;
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

    /* A property that is made from its text when it is asked for first. */
    function late(object, name, make) {
        const text = object[name];
        Object.defineProperty(object, name, {configurable: true, get: () => {
            const value = make(text);
            Object.defineProperty(object, name, {value: value});
            return value;
        }});
    }
    function decode(data) {
        const s = data.spans, n = s.all, ops = s.ops;
        s.start = column(s.start, new Float64Array(n), true, true);
        s.end = column(s.length, new Float64Array(n), true);
        for (let i = 0; i < n; i++) s.end[i] += s.start[i];
        s.length = null;
        s.fact = column(s.fact, new Uint32Array(n), true);
        /* the others are needed when something is chosen, or near enough to bear its label */
        for (const [name, Kind] of [['stream', Uint32Array], ['issued', Float64Array], ['cause', Uint8Array],
            ['by', Int32Array], ['back', Int32Array], ['ready', Float64Array]]) {
            late(s, name, (text) => column(text, new Kind(ops), true));
        }
        late(s, 'labels', (text) => column(text, new Uint32Array(2 * ops)));
        s.label = (span) => s.stems[s.labels[2 * span]] + (s.labels[2 * span + 1] ? s.labels[2 * span + 1] - 1 : '');
        s.reasons = s.reasons === '' ? [] : s.reasons.split('\n');
        const arrows = column(data.arrows, new Int32Array(2 * data.n_arrows), true);
        data.arrows = [];
        for (let i = 0, to = 0; i < data.n_arrows; i++) {
            to += arrows[2 * i];
            data.arrows.push([to - 1 - arrows[2 * i + 1], to - 1]);
        }
        data.arrows.sort((a, b) => s.start[a[1]] - s.start[b[1]]);
        for (const [name, text] of [['engine', s.engine], ['stream', s.row]]) {
            late(data.rows, name, (rows) => {
                const row = column(text, new Uint16Array(ops), true), filled = new Uint32Array(rows.length + 1);
                for (const one of rows) one.items = new Uint32Array(one.n);
                for (let i = 0; i < ops; i++) {
                    const r = row[i];
                    if (r) rows[r - 1].items[filled[r]++] = i;
                }
                return rows;
            });
        }
        let next = ops;
        for (const row of data.rows.host) {
            row.items = new Uint32Array(row.n);
            for (let i = 0; i < row.n; i++) row.items[i] = next++;
        }
        return data;
    }
    /* What a row's searches need; made when it is shown first. */
    function prepare(row, s) {
        if (row.reach) return row;
        row.reach = new Float64Array(row.items.length);      /* the latest end so far */
        row.busy = new Float64Array(row.items.length + 1);   /* time covered by the items before this one */
        let reach = 0;
        for (let i = 0; i < row.items.length; i++) {
            const span = row.items[i], start = s.start[span], end = s.end[span];
            row.busy[i + 1] = row.busy[i] + Math.max(0, end - Math.max(start, reach));
            row.reach[i] = reach = Math.max(reach, end);
        }
        return row;
    }

    function Timeline(section) {
        const data = decode(JSON.parse(section.querySelector('script[type="application/json"]').textContent));
        const s = data.spans, n = s.all, total = Math.max(data.span_ns, 1);
        const part = (name) => section.querySelector('.' + name);
        const on = (name, event, act) => { const element = part(name); if (element) element.addEventListener(event, act); };
        const canvas = section.querySelector('canvas'), ink = canvas.getContext('2d');
        const tip = part('tip'), panel = part('panel'), said = part('said');
        let rows = [], rowOf = new Int32Array(n), by = data.by;
        let view = {from: 0, to: total}, before = [], jumps = [];
        let cursor = {row: 0, t: 0}, selected = -1, onPath = null, arrowsShown = true, wanted = '', hazardAt = -1;
        let band = null, measured = null, head = null, playing = 0, speed = 1, count = '';
        let waiting = false, paint = {}, hatch = null, folds = null, printing = false;
        const top = RULER;

        /* ---- words ---- */

        const kind = (span) => data.kinds[data.facts[s.fact[span]].kind];
        const label = (span) => span < s.ops ? s.label(span) : data.facts[s.fact[span]].name || '?';
        const say = (text) => { if (said) said.textContent = text; };
        /* The unit in which a time is read best; a textbook's stays what it is. */
        function unitOf(ns) {
            if (data.unit_ns !== 1e6 || data.unit !== 'ms') return {ns: data.unit_ns, name: data.unit};
            for (const [from, unit, name] of [[7.2e12, 3.6e12, 'h'], [3e11, 6e10, 'min'], [1e10, 1e9, 's'],
                [1e5, 1e6, 'ms'], [1e3, 1e3, 'us'], [1, 1, 'ns']]) {
                if (ns >= from) return {ns: unit, name: name};
            }
            return {ns: 1e6, name: 'ms'};
        }
        function time(ns) {
            const unit = unitOf(Math.abs(ns)), value = ns / unit.ns, exact = Math.abs(value - Math.round(value)) < 1e-9;
            const text = exact ? String(Math.round(value)) : Number(value.toPrecision(5)).toString();
            return text + ' ' + unit.name + (data.unit_words && value !== 1 ? 's' : '');
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
            const wait = s.issued[span], cause = data.causes[s.cause[span]];
            if (s.open[span]) return '';
            if (s.by[span]) return label(span) + ' waited for ' + label(span - s.by[span]) + ' (' + cause + ')';
            return label(span) + (wait > 0 ? ' waited ' + time(wait) + ' (' + cause + ')'
                                           : ' started as soon as it was issued');
        }

        /* ---- where things are ---- */

        /* (asking the page for a width is slow: it is known from the last change of size) */
        let known = 0;
        const width = () => known;
        let titles = 70;        /* how wide they are on a narrow page */
        const gutter = () => known < 560 ? titles : 118;
        const plot = () => Math.max(known - gutter() - 8, 50);
        /* Folded idle time: the window in pieces {from, to, x, width}, of which those that are idle are narrow. */
        function pieces() {
            if (!folds) return null;
            if (folds.for === view && folds.plot === plot()) return folds.pieces;
            const FOLDED = 40, gaps = [];
            let at = view.from, kept = 0;
            for (const gap of folds.gaps) {
                if (gap.to <= view.from || gap.from >= view.to) continue;
                gaps.push({from: Math.max(gap.from, view.from), to: Math.min(gap.to, view.to)});
            }
            for (const gap of gaps) kept += gap.to - gap.from;
            const rest = Math.max(view.to - view.from - kept, 1), room = Math.max(plot() - gaps.length * FOLDED, 50);
            const list = [];
            let x = 0;
            const put = (from, to, wide, idle) => {
                if (to > from) { list.push({from: from, to: to, x: x, width: wide, idle: idle}); x += wide; }
            };
            for (const gap of gaps) {
                put(at, gap.from, (gap.from - at) / rest * room, false);
                put(gap.from, gap.to, FOLDED, true);
                at = gap.to;
            }
            put(at, view.to, (view.to - at) / rest * room, false);
            folds.for = view;
            folds.plot = plot();
            folds.pieces = list.length ? list : null;
            return folds.pieces;
        }
        function xOf(t) {
            const list = pieces();
            if (!list) return gutter() + (t - view.from) / (view.to - view.from) * plot();
            let p = list[0];
            for (const one of list) if (t >= one.from) p = one;
            return gutter() + p.x + (t - p.from) / (p.to - p.from) * p.width;
        }
        function tOf(x) {
            const list = pieces();
            if (!list) return view.from + (x - gutter()) / plot() * (view.to - view.from);
            let p = list[0];
            for (const one of list) if (x - gutter() >= one.x) p = one;
            return p.from + (x - gutter() - p.x) / p.width * (p.to - p.from);
        }
        /* Time in which no operation runs, longer than an eighth of the rest: the longest of it. */
        function findGaps() {
            const all = [];
            let reach = s.ops ? s.start[0] : 0;
            for (let i = 0; i < s.ops; i++) {
                if (s.start[i] > reach) all.push({from: reach, to: s.start[i]});
                if (s.end[i] > reach) reach = s.end[i];
            }
            all.sort((a, b) => (b.to - b.from) - (a.to - a.from));
            const gaps = [];
            let rest = total;
            for (const gap of all.slice(0, 30)) {
                const long = gap.to - gap.from;
                if (long < (rest - long) / 8) break;
                gaps.push(gap);
                rest -= long;
            }
            return gaps.sort((a, b) => a.from - b.from);
        }

        function show(from, to, remember) {
            const wide = Math.min(Math.max(to - from, Math.min(10, total)), total * 1.1), middle = (from + to) / 2;
            if (remember) before.push(view);
            if (before.length > 100) before.shift();
            from = Math.min(Math.max(middle - wide / 2, -0.05 * total), 1.05 * total - wide);
            view = {from: from, to: from + wide};
            redraw();
        }
        function zoom(factor, t) {
            const at = t === undefined ? centre() : t;
            const wide = Math.min(Math.max((view.to - view.from) * factor, Math.min(10, total)), total * 1.1);
            const share = (at - view.from) / (view.to - view.from);
            show(at - share * wide, at - share * wide + wide);
        }
        function centre() {
            return cursor.t > view.from && cursor.t < view.to ? cursor.t : (view.from + view.to) / 2;
        }
        function move(share) {
            const by_ns = share * (view.to - view.from);
            show(view.from + by_ns, view.to + by_ns);
        }
        function fit() { show(-0.01 * total, 1.01 * total, true); }

        function chooseRows(which) {
            by = which;
            rows = data.rows[which].concat(data.rows.host);
            rowOf.fill(-1);
            rows.forEach((row, r) => {
                prepare(row, s);
                for (let i = 0; i < row.items.length; i++) rowOf[row.items[i]] = r;
            });
            for (const name of ['engine', 'stream']) {
                const button = part('by-' + name);
                if (button) button.setAttribute('aria-pressed', String(name === which));
            }
            if (selected >= 0 && rowOf[selected] >= 0) cursor.row = rowOf[selected];
            cursor.row = Math.max(0, Math.min(cursor.row, rows.length - 1));
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
            known = canvas.clientWidth;
            ink.font = FONT;
            titles = Math.max(70, ...rows.map((row) => Math.ceil(ink.measureText(row.title).width) + 16));
            titles = Math.min(titles, 118, Math.max(70, known / 3));
            const scale = Math.min(ratio, 16000 / height, 16000 / Math.max(width(), 1));
            canvas.style.height = height + 'px';
            canvas.width = Math.max(1, Math.round(width() * scale));
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
        function stepOf(pixels, span, wide, unit_ns) {
            const least = span / unit_ns * pixels / wide;
            let step = Math.pow(10, Math.floor(Math.log10(least)));
            while (step < least) step *= step * 2 >= least ? 2 : step * 5 >= least ? 5 : 10;
            return step;
        }
        function drawMarks(from, to, wide, height) {
            const unit = unitOf(to - from), decimals = (step) =>
                Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
            /* deep in, numbers are long: the step that leaves room for them */
            let step = stepOf(80, to - from, wide, unit.ns);
            const text = (Math.max(Math.abs(from), Math.abs(to)) / unit.ns).toFixed(decimals(step));
            step = stepOf(Math.max(80, ink.measureText(text).width + 16), to - from, wide, unit.ns);
            const digits = decimals(step);
            const first = Math.ceil(from / unit.ns / step), last = Math.floor(to / unit.ns / step);
            ink.textAlign = 'center';
            ink.lineWidth = 1;
            for (let k = first; k <= last && k - first < 400; k++) {
                const x = Math.round(xOf(k * step * unit.ns)) + 0.5;
                ink.strokeStyle = paint.line;
                ink.beginPath();
                ink.moveTo(x, top - 6);
                ink.lineTo(x, height);
                ink.stroke();
                ink.fillStyle = paint.dim;
                ink.fillText((k * step).toFixed(digits), x, 12);
            }
            return unit;
        }
        function drawRuler(height) {
            const list = pieces();
            let unit = null;
            if (!list) unit = drawMarks(view.from, view.to, plot(), height);
            for (const piece of list || []) {
                if (!piece.idle) {
                    unit = drawMarks(piece.from, piece.to, piece.width, height);
                    continue;
                }
                ink.fillStyle = paint.dim;
                ink.textAlign = 'center';
                ink.fillText(time(piece.to - piece.from), gutter() + piece.x + piece.width / 2, 24, piece.width);
                ink.strokeStyle = paint.dim;
                ink.setLineDash([2, 4]);
                ink.beginPath();
                ink.moveTo(gutter() + piece.x + piece.width / 2, top);
                ink.lineTo(gutter() + piece.x + piece.width / 2, height);
                ink.stroke();
                ink.setLineDash([]);
            }
            ink.fillStyle = paint.dim;
            ink.textAlign = 'left';
            ink.fillText(unit ? unit.name : data.unit, 4, 12, gutter() - 30);
        }

        function fitted(text, room) {
            if (ink.measureText(text).width <= room) return text;
            let keep = Math.min(text.length, Math.floor(room / 5));
            while (keep > 1 && ink.measureText(text.slice(0, keep) + '…').width > room) keep--;
            return keep > 1 ? text.slice(0, keep) + '…' : '';
        }
        function drawSpan(span, y) {
            const x0 = Math.max(xOf(s.start[span]), gutter() - 4);
            const x1 = Math.min(xOf(s.end[span]), width() + 4);
            const wide = Math.max(x1 - x0 - 1, NARROW - 1), future = head !== null && s.end[span] > head;
            ink.fillStyle = colour(span);
            ink.fillRect(x0, y, future ? Math.min(Math.max(xOf(head) - x0, 0), wide) : wide, BAR);
            if (future) {                       /* what has not happened yet at the play head is hollow */
                ink.strokeStyle = colour(span);
                ink.lineWidth = 1;
                ink.strokeRect(x0 + 0.5, y + 0.5, wide - 1, BAR - 1);
            }
            if (s.open[span]) {                 /* it had not ended: an edge of dashes */
                ink.strokeStyle = paint.mark;
                ink.setLineDash([3, 3]);
                ink.strokeRect(x0 + 1, y + 1, wide - 2, BAR - 2);
                ink.setLineDash([]);
            }
            if (wide > 9) {
                const text = (wide > 16 && fitted(label(span), wide - 6)) || letters[paintOf(kind(span))];
                ink.fillStyle = future && xOf(head) < x0 + wide / 2 ? paint.ink : paint[paintOf(kind(span)) + '-ink'];
                ink.textAlign = 'center';
                if (text) ink.fillText(text, x0 + wide / 2, y + BAR / 2 + 0.5);
            }
        }
        /* Spans from x0 to x1, too narrow to tell apart; busy: the share of that time that they cover. */
        function drawMany(span, x0, x1, busy, y) {
            ink.globalAlpha = (0.45 + 0.55 * Math.min(busy, 1)) * (head !== null && s.start[span] > head ? 0.35 : 1);
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
            const text = '×' + run.count, wide = ink.measureText(text).width + 8;
            if (wide > run.to - run.from) return;
            const x = (run.from + run.to) / 2;
            ink.fillStyle = paint.paper;
            ink.fillRect(x - wide / 2, y + 4, wide, BAR - 8);
            ink.fillStyle = paint.ink;
            ink.textAlign = 'center';
            ink.fillText(text, x, y + BAR / 2 + 0.5);
        }
        function drawRow(row, y) {
            const items = row.items, right = tOf(width());
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
                const left = Math.max(Math.floor(x0), Math.floor(gutter()) - 4), until = tOf(left + 1);
                let next = search(i + 1, items.length, (k) => s.start[items[k]] >= until);
                const last = items[next - 1];
                if (!row.stacked && next - i > 1 && xOf(s.end[last]) - xOf(s.start[last]) >= NARROW) {
                    next--;                     /* the last one is wide enough for itself */
                }
                const reach = xOf(row.stacked ? row.reach[next - 1] : s.end[items[next - 1]]);
                const to = Math.min(Math.max(left + 1, reach), width() + 4);
                drawMany(span, left, to, (row.busy[next] - row.busy[i]) / Math.max(tOf(to) - tOf(left), 1e-9), y);
                if (run && left <= run.to + 1) {
                    run.to = Math.max(run.to, to);
                    run.count += next - i;
                } else {
                    drawCount(run, y);
                    run = {from: left, to: to, count: next - i};
                }
                i = next;
            }
            drawCount(run, y);
        }

        const yOf = (span) => top + rowOf[span] * ROW;
        function outline(span, stroke, line) {
            if (span < 0 || rowOf[span] < 0 || s.end[span] < view.from || s.start[span] > view.to) return;
            const x0 = Math.max(xOf(s.start[span]), gutter() - 6);
            const x1 = Math.min(xOf(s.end[span]), width() + 6);
            ink.strokeStyle = stroke;
            ink.lineWidth = line;
            ink.strokeRect(x0 - 1, yOf(span) - 1, Math.max(x1 - x0, NARROW) + 1, BAR + 2);
        }
        function arrow(from, to, stroke, line) {
            if (rowOf[from] < 0 || rowOf[to] < 0) return;
            const x0 = xOf(s.end[from]), y0 = yOf(from) + BAR / 2, x1 = xOf(s.start[to]), y1 = yOf(to) + BAR / 2;
            if (Math.max(x0, x1) < gutter() - 50 || Math.min(x0, x1) > width() + 50) return;
            const bend = Math.min(30, Math.max(8, Math.abs(x1 - x0) / 2));
            ink.strokeStyle = ink.fillStyle = stroke;
            ink.lineWidth = line;
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
            let k = search(0, onPath.length, (i) => s.end[onPath[i]] >= view.from), last = -1;
            while (k < onPath.length && s.start[onPath[k]] <= view.to) {
                if (xOf(s.end[onPath[k]]) - xOf(s.start[onPath[k]]) >= NARROW) {
                    if (last >= 0) arrow(onPath[last], onPath[k], paint.path, 2);
                    outline(onPath[k], paint.path, 3);
                } else if (rowOf[onPath[k]] >= 0) {     /* too narrow for a frame: a line below it */
                    ink.fillStyle = paint.path;
                    ink.fillRect(xOf(s.start[onPath[k]]), yOf(onPath[k]) + BAR, 2, 4);
                }
                last = k;
                const next = tOf(Math.floor(xOf(s.end[onPath[k]])) + 1);
                k = search(k + 1, onPath.length, (i) => s.end[onPath[i]] >= next);
            }
        }
        function drawHazards() {
            ink.fillStyle = paint.mark;
            for (const hazard of data.hazards.slice(0, MOST_HAZARDS)) {
                for (const span of [hazard.a, hazard.b]) {
                    if (span < 0 || rowOf[span] < 0) continue;
                    const x = Math.max(xOf(s.start[span]), gutter()) + 6, y = yOf(span);
                    if (x > width() || s.end[span] < view.from) continue;
                    ink.beginPath();
                    ink.moveTo(x, y - 4);
                    ink.lineTo(x + 7, y + 8);
                    ink.lineTo(x - 7, y + 8);
                    ink.fill();
                    outline(span, paint.mark, 2);
                }
            }
        }
        /* Where the selected operation could have started, had nothing but what it depends on kept it. */
        function drawGhost() {
            if (selected < 0 || selected >= s.ops || !(s.ready[selected] > 0) || rowOf[selected] < 0) return;
            const x0 = xOf(s.start[selected] - s.ready[selected]), x1 = xOf(s.start[selected]), y = yOf(selected);
            ink.strokeStyle = colour(selected);
            ink.lineWidth = 2;
            ink.setLineDash([5, 4]);
            ink.strokeRect(x0, y + 2, Math.max(x1 - x0, 1), BAR - 4);
            ink.setLineDash([]);
        }
        function drawHead(height) {
            const x = Math.max(xOf(head), gutter());
            ink.strokeStyle = paint.ink;
            ink.lineWidth = 2;
            ink.beginPath();
            ink.moveTo(x, top - 8);
            ink.lineTo(x, height);
            ink.stroke();
        }

        /* A line where one device's rows end, if there are several devices. */
        function drawDevices(first, last) {
            ink.fillStyle = paint.dim;
            for (let r = Math.max(first, 1); r < last; r++) {
                if (rows[r].device !== rows[r - 1].device) ink.fillRect(0, lineOver(r), width(), 1);
            }
        }
        const lineOver = (r) => top + r * ROW - Math.round((ROW - BAR) / 2);

        function draw() {
            const wide = width(), height = RULER + Math.max(rows.length, 1) * ROW + 6;
            const place = canvas.getBoundingClientRect();
            ink.fillStyle = paint.paper;
            ink.fillRect(0, 0, wide, height);
            ink.font = FONT;
            ink.textBaseline = 'middle';
            const first = printing ? 0 : Math.max(0, Math.floor((-place.top - RULER) / ROW) - 1);
            const last = printing ? rows.length
                : Math.min(rows.length, Math.ceil((window.innerHeight - place.top - RULER) / ROW) + 1);
            for (let r = first; r < last; r++) {
                ink.fillStyle = paint.lane;
                ink.fillRect(gutter(), top + r * ROW, plot(), BAR);
            }
            drawDevices(first, last);
            drawRuler(height);
            for (let r = first; r < last; r++) drawRow(rows[r], top + r * ROW);
            if (!rows.length) {
                ink.fillStyle = paint.dim;
                ink.textAlign = 'left';
                ink.fillText('nothing ran', gutter() + 8, top + BAR / 2);
            }
            if (head !== null) drawHead(height);
            if (arrowsShown && head === null) drawArrows();
            if (onPath) drawPath();
            drawHazards();
            drawGhost();
            if (selected >= 0) {
                const from = selected < s.ops ? s.back[selected] || s.by[selected] : 0;
                if (from && head === null) arrow(selected - from, selected, paint.focus, 2);
                outline(selected, paint.focus, 3);
            } else if (rows.length && document.activeElement === canvas) {     /* the place of the cursor */
                ink.fillStyle = paint.focus;
                ink.fillRect(xOf(cursor.t) - 1, top + cursor.row * ROW - 2, 2, BAR + 4);
            }
            for (const one of [band, measured]) {
                if (!one) continue;
                ink.fillStyle = paint.focus;
                ink.globalAlpha = 0.2;
                ink.fillRect(xOf(one.from), top, xOf(one.to) - xOf(one.from), height);
                ink.globalAlpha = 1;
            }
            ink.fillStyle = paint.paper;        /* the titles stand before what reaches in from the left */
            ink.fillRect(0, top - 4, gutter() - 4, height);
            drawDevices(first, last);
            ink.fillStyle = paint.ink;
            ink.textAlign = 'right';
            for (let r = first; r < last; r++) {
                const text = fitted(rows[r].title, gutter() - 16);
                ink.fillText(text, gutter() - 10, top + r * ROW + BAR / 2);
            }
        }

        /* ---- what is said of a span, of a gap, at the play head ---- */

        function spanAt(x, y) {
            const r = Math.floor((y - top) / ROW);
            if (r < 0 || r >= rows.length || x < gutter() - 4) return -1;
            return spanIn(rows[r], tOf(x), tOf(x - 3), tOf(x + 3));
        }
        function spanIn(row, t, from, to) {
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
        function goButton(parent, other, text) {
            const button = add(parent, 'button', text || 'Go to ' + label(other));
            button.type = 'button';
            button.addEventListener('click', () => { jumps.push(selected); select(other, true); });
        }
        function describe(span) {
            if (!panel) return;
            panel.replaceChildren();
            if (head !== null) return describeHead();
            if (span < 0) return describeGap();
            const f = data.facts[s.fact[span]], op = span < s.ops, length = s.end[span] - s.start[span];
            add(panel, 'h3', label(span)).style.margin = '0';
            if (op) add(panel, 'p', reason(span), 'why');
            if (op && (s.back[span] || s.by[span])) goButton(panel, span - (s.back[span] || s.by[span]));
            const list = add(panel, 'dl');
            fact(list, 'kind', words[kind(span)] || kind(span));
            if (op) fact(list, 'name', f.name);
            fact(list, f.from && f.to ? 'from – to' : 'memory', f.from && f.to ? f.from + ' – ' + f.to : f.from || f.to);
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
            if (op && s.ready[span] > 0) fact(list, 'ready', time(s.start[span] - s.ready[span]));
            fact(list, 'start', time(s.start[span]));
            fact(list, 'end', s.open[span] ? 'had not ended' : time(s.end[span]));
            if (!s.open[span]) fact(list, 'lasted', time(length));
            fact(list, 'call', f.call);
            if (f.result) fact(list, 'result', 'error ' + f.result);
            fact(list, 'thread', f.thread);
            fact(list, 'source', f.site);
            if (op && s.back[span]) describeChain(span);
        }
        function describeChain(span) {
            add(panel, 'h4', 'And before that');
            const list = add(panel, 'ol', undefined, 'chain');
            for (let k = span - s.back[span], steps = 0; steps < CHAIN; steps++, k -= s.back[k]) {
                add(list, 'li', reason(k));
                if (!s.back[k]) return;
            }
            add(panel, 'p', '… and further back');
        }
        /* Nothing runs here: since when, until when, and why what comes next did not come earlier. */
        function describeGap() {
            const row = rows[cursor.row];
            if (!row || !row.items.length) {
                add(panel, 'p', 'Choose a span to see what it was and why it waited.');
                return;
            }
            const items = row.items, k = search(0, items.length, (i) => s.start[items[i]] > cursor.t);
            const next = items[k], last = items[k - 1];
            if (last !== undefined && row.reach[k - 1] > cursor.t) return;
            add(panel, 'h3', row.title + ': idle ' + (last === undefined ? '' : 'from ' + time(row.reach[k - 1]) + ' ')
                + (next === undefined ? '' : 'to ' + time(s.start[next]))).style.margin = '0';
            if (next === undefined) {
                add(panel, 'p', 'Nothing more was issued to it.');
                return;
            }
            if (next < s.ops) {
                const since = last === undefined ? 0 : row.reach[k - 1], issued = s.start[next] - s.issued[next];
                const text = !s.by[next] && s.issued[next] >= 0 && issued > since
                    ? 'there was nothing to do; the host issued ' + label(next) + ' only at ' + time(issued) + '. ' : '';
                add(panel, 'p', 'Why it was idle: ' + text + reason(next), 'why');
            }
            if (last !== undefined) goButton(panel, last, 'Before it: ' + label(last));
            goButton(panel, next, 'After it: ' + label(next));
        }
        /* The queues at the play head: what runs in each stream, and what waits behind it. */
        function describeHead() {
            add(panel, 'h3', (playing ? 'Playing, ' : 'At ') + time(head)).style.margin = '0';
            const list = add(panel, 'dl', undefined, 'queues');
            for (const row of data.rows.stream) {
                const chips = [], items = prepare(row, s).items;
                let k = search(0, items.length, (i) => row.reach[i] > head);
                for (let steps = 0; k < items.length && chips.length < 12 && steps < 200; k++, steps++) {
                    const span = items[k];
                    if (s.end[span] <= head || kind(span) === 'graph') continue;
                    if (s.start[span] - Math.max(s.issued[span], 0) > head) break;
                    chips.push(span);
                }
                if (!chips.length) continue;
                add(list, 'dt', row.title || 'also');
                const line = add(list, 'dd');
                for (const span of chips) {
                    const chip = add(line, 'span', label(span), 'chip');
                    const name = paintOf(kind(span));
                    chip.style.borderColor = 'var(--' + name + ')';
                    if (s.start[span] > head) continue;
                    chip.style.background = 'var(--' + name + ')';
                    chip.style.color = 'var(--' + name + '-ink)';
                }
            }
            if (!list.children.length) add(panel, 'p', 'The queues are empty.');
        }

        /* ---- choosing ---- */

        function select(span, bring) {
            selected = span;
            if (span >= 0) {
                cursor.row = Math.max(rowOf[span], 0);
                const from = Math.max(s.start[span], view.from), to = Math.min(s.end[span], view.to);
                cursor.t = from < to ? (from + to) / 2 : s.start[span];
            }
            describe(span);
            say(span < 0 ? (panel && panel.textContent) || 'nothing chosen'
                : label(span) + ', from ' + time(s.start[span]) + ' to ' + time(s.end[span]) + '. ' + reason(span));
            if (bring && span >= 0 && (s.end[span] < view.from || s.start[span] > view.to)) {
                const half = (view.to - view.from) / 2, middle = (s.start[span] + s.end[span]) / 2;
                show(middle - half, middle + half, true);
            }
            redraw();
        }
        function here() {
            if (!rows.length) return;
            const half = (view.to - view.from) / plot() * 3;
            const span = spanIn(rows[cursor.row], cursor.t, cursor.t - half, cursor.t + half);
            const t = cursor.t;
            select(span);
            cursor.t = t;
        }
        function moveCursor(share) {
            cursor.t = Math.min(Math.max(cursor.t + share * (view.to - view.from), 0), total);
            if (cursor.t < view.from || cursor.t > view.to) move(share);
            if (measured && measured.open) measured.to = cursor.t;
            here();
        }
        function neighbour(step) {
            const items = rows.length ? rows[cursor.row].items : [];
            if (!items.length) return;
            let at = search(0, items.length, (k) => s.start[items[k]] > cursor.t
                || (selected >= 0 && s.start[items[k]] === s.start[selected] && items[k] >= selected));
            if (selected >= 0 && rowOf[selected] === cursor.row) {
                at = search(0, items.length, (k) => s.start[items[k]] > s.start[selected]
                    || (s.start[items[k]] === s.start[selected] && items[k] >= selected));
                at = (items[at] === selected ? at : items.indexOf(selected)) + step;
            } else if (step < 0) {
                at--;
            }
            if (items[at] === undefined) say('That was the ' + (step > 0 ? 'last' : 'first') + ' span of this row');
            else select(items[at], true);
        }
        function otherRow(step) {
            const r = cursor.row + step;
            if (r < 0 || r >= rows.length) return;
            cursor.row = r;
            here();
        }
        function culprit() {
            const back = selected >= 0 && selected < s.ops ? s.back[selected] || s.by[selected] : 0;
            if (!back) return say('It waited for no other operation: this is where the chain begins');
            jumps.push(selected);
            select(selected - back, true);
        }
        function jumpBack() {
            if (jumps.length) select(jumps.pop(), true);
            else say('There is nowhere to go back to');
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
                    say('Critical path, ' + onPath.length + ' steps: ' + onPath.slice(-40).map(label).join(', '));
                }
            }
            const button = part('path');
            if (button) button.setAttribute('aria-pressed', String(onPath !== null));
            redraw();
        }
        function find(text, step) {
            text = text.toLowerCase();
            if (!text) return;
            wanted = text;
            const from = selected < 0 ? (step > 0 ? -1 : n) : selected, known = new Map();
            for (let k = 1; k <= n; k++) {
                const span = ((from + step * k) % n + n) % n;
                if (rowOf[span] < 0) continue;
                const where = span < s.ops ? s.stream[span] : 0, key = s.fact[span] * 65536 + where;
                let common = known.get(key);        /* many spans have kind, name and stream in common */
                if (common === undefined) {
                    const f = data.facts[s.fact[span]], name = kind(span);
                    common = (name + ' ' + (words[name] || '') + ' ' + (f.name || '') + ' ' + (where ? data.streams[where] : ''))
                        .toLowerCase().includes(text);
                    known.set(key, common);
                }
                if (common || label(span).toLowerCase().includes(text)) {
                    if (selected >= 0) jumps.push(selected);
                    return select(span, true);
                }
            }
            say('nothing is called ' + text);
            if (!panel) return;
            panel.replaceChildren();
            add(panel, 'p', 'Nothing is called “' + text + '”.');
        }
        function nextHazard() {
            if (!data.hazards.length) return say('No hazards are recorded in this run');
            hazardAt = (hazardAt + 1) % (2 * data.hazards.length);
            const hazard = data.hazards[hazardAt >> 1], span = hazardAt % 2 ? hazard.b : hazard.a;
            if (span >= 0) select(span, true);
        }
        function measure() {
            if (measured && measured.open) {
                measured.open = false;
                say('Measured: ' + time(Math.abs(measured.to - measured.from)) + '. z fits it, M clears it');
            } else {
                measured = {from: cursor.t, to: cursor.t, open: true};
                say('Measuring: move, then m again');
            }
            redraw();
        }
        function foldIdle() {
            folds = folds ? null : {gaps: findGaps()};
            say(folds ? folds.gaps.length ? 'Long idle time is folded' : 'There is no long idle time' : 'Idle time as it is');
            redraw();
        }

        /* ---- playing ---- */

        function setHead(t) {
            head = t;
            const slider = part('at'), button = part('play');
            if (slider) slider.value = String(t === null ? 1000 : Math.round(t / total * 1000));
            if (button) button.setAttribute('aria-pressed', String(playing !== 0));
            describe(selected);
            redraw();
        }
        function tick(now) {
            if (!playing) return;
            const passed = Math.min(now - playing, 500);
            playing = now;
            let t = head + (view.to - view.from) / 10000 * speed * passed;
            if (t >= total) { t = total; playing = 0; }
            if (t > view.to) show(t - (view.to - view.from) / 8, t + (view.to - view.from) * 7 / 8);
            setHead(t);
            if (playing) requestAnimationFrame(tick);
        }
        function play() {
            if (playing) {
                playing = 0;
                return setHead(head);
            }
            if (head === null || head >= total) head = Math.max(view.from, 0);
            playing = performance.now();
            requestAnimationFrame(tick);
        }
        /* To the next, the previous start or end of an operation. */
        function step(way) {
            playing = 0;
            const now = head === null ? Math.max(view.from, 0) : head;
            let best = way > 0 ? total : 0;
            for (const row of data.rows.engine) {
                const items = prepare(row, s).items, k = search(0, items.length, (i) => s.start[items[i]] >= now);
                for (let i = Math.max(0, k - 3); i < Math.min(items.length, k + 3); i++) {
                    for (const t of [s.start[items[i]], s.end[items[i]]]) {
                        if (way > 0 ? t > now && t < best : t < now && t > best) best = t;
                    }
                }
            }
            setHead(best);
        }

        /* ---- keys, mouse, fingers ---- */

        const toggleRows = () => chooseRows(by === 'engine' ? 'stream' : 'engine');
        const toEdge = (t) => {
            cursor.t = t;
            if (t < view.from || t > view.to) {
                const wide = view.to - view.from;
                show(t ? t - wide : t, t ? t : t + wide);
            }
            here();
        };
        const left = () => moveCursor(-1 / 80), right = () => moveCursor(1 / 80);
        const up = () => otherRow(-1), down = () => otherRow(1), closer = () => zoom(0.6), wider = () => zoom(1 / 0.6);
        const scroll = (y) => { if (panel) panel.scrollBy(0, y); };
        const keys = {
            ArrowLeft: left, h: left, a: left, ArrowRight: right, l: right, d: right, ArrowUp: up, k: up, w: up,
            ArrowDown: down, j: down, s: down, H: () => { move(-0.5); moveCursor(-0.5); }, L: () => { move(0.5); moveCursor(0.5); },
            g: () => toEdge(0), Home: () => toEdge(0), G: () => toEdge(total), End: () => toEdge(total),
            ']': () => neighbour(1), '[': () => neighbour(-1),
            '+': closer, '=': closer, i: closer, '-': wider, _: wider, o: wider, '0': fit,
            z: () => {
                if (measured && !measured.open) show(Math.min(measured.from, measured.to), Math.max(measured.from, measured.to), true);
                else if (selected >= 0) zoomTo(selected);
                else say('Nothing is selected: move to a span first');
            },
            u: () => { if (before.length) { view = before.pop(); redraw(); } else say('There is no earlier zoom'); },
            x: foldIdle, t: toggleRows, '/': () => { const box = part('find'); if (box) box.focus(); },
            n: () => find(wanted, 1), N: () => find(wanted, -1), '!': nextHazard, m: measure,
            M: () => { measured = null; redraw(); }, c: culprit, Enter: culprit, b: jumpBack, C: criticalPath,
            v: () => { arrowsShown = !arrowsShown; redraw(); }, '{': () => scroll(-60), '}': () => scroll(60),
            ' ': play, '.': () => step(1), ',': () => step(-1),
            '>': () => { speed *= 2; }, '<': () => { speed /= 2; },
            '?': () => { const help = part('help'); if (help) { help.open = !help.open; help.scrollIntoView({block: 'nearest'}); } },
            Escape: () => {
                if (measured) measured = null;
                else if (head !== null) { playing = 0; setHead(null); }
                else if (onPath) criticalPath();
                else select(-1);
                redraw();
            },
        };
        function zoomTo(span) {
            const wide = Math.max(s.end[span] - s.start[span], 1);
            show(s.start[span] - wide / 10, s.end[span] + wide / 10, true);
        }
        canvas.addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.altKey || event.metaKey || event.key === 'Tab' || event.key === 'Shift') return;
            tip.style.display = 'none';
            /* digits are a count, but a 0 that begins is a key */
            if (/^[0-9]$/.test(event.key) && (count || event.key !== '0')) {
                count = (count + event.key).slice(-4);
                return event.preventDefault();
            }
            const act = keys[event.key], times = Math.max(1, Number(count) || 1);
            count = '';
            if (!act) {
                if (event.key.length === 1) say(event.key + ' means nothing here; ? shows the keys');
                return;
            }
            event.preventDefault();
            for (let k = 0; k < times; k++) act();
        });
        canvas.addEventListener('focus', redraw);
        canvas.addEventListener('blur', () => { tip.style.display = 'none'; redraw(); });
        on('find', 'keydown', (event) => {
            tip.style.display = 'none';
            if (event.key === 'Enter') find(event.target.value, event.shiftKey ? -1 : 1);
            else if (event.key === 'Escape') canvas.focus();
        });
        const buttons = {
            'by-engine': () => chooseRows('engine'), 'by-stream': () => chooseRows('stream'), closer: closer,
            wider: wider, fit: fit, path: criticalPath, undo: keys.u, previous: () => neighbour(-1),
            next: () => neighbour(1), play: play, step: () => step(1), 'back-step': () => step(-1), fold: foldIdle,
        };
        for (const name in buttons) on(name, 'click', buttons[name]);
        on('at', 'input', (event) => { playing = 0; setHead(event.target.value / 1000 * total); });

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
                const r = Math.floor((at.y - top) / ROW), span = spanAt(at.x, at.y);
                if (r >= 0 && r < rows.length) cursor.row = r;
                cursor.t = Math.min(Math.max(tOf(at.x), 0), total);
                select(span);
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
            tip.style.left = Math.max(0, Math.min(at.x + 12, width() - tip.offsetWidth - 4)) + 'px';
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

        /* ---- at the start; on paper ---- */

        const legend = part('legend'), shown = new Set();
        for (const f of legend ? data.facts : []) {
            const name = paintOf(data.kinds[f.kind]);
            if (shown.has(name)) continue;
            shown.add(name);
            const entry = add(legend, 'li'), swatch = add(entry, 'i');
            swatch.style.background = 'var(--' + name + ')';
            entry.append(words[name]);
        }
        const repaint = () => { readPaint(); redraw(); };
        const text = section.querySelector('details.as-text');
        if (text) text.open = false;            /* where no script runs it is open */
        readPaint();
        chooseRows(by);
        show(-0.01 * total, 1.01 * total);
        cursor.t = s.ops ? s.start[0] : 0;
        if (panel) add(panel, 'p', 'Choose a span, or a gap, to see what it was and why it waited.');
        if (typeof ResizeObserver === 'function') new ResizeObserver(resize).observe(part('stage'));
        window.addEventListener('scroll', redraw, {passive: true, capture: true});
        window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
        window.addEventListener('threelane-theme', repaint);
        /* Paper is white and cannot be opened: the light colours, and all there is to read. */
        window.addEventListener('beforeprint', () => {
            printing = true;
            section.classList.add('printing');
            if (text) text.open = true;
            readPaint();
            draw();
        });
        window.addEventListener('afterprint', () => {
            printing = false;
            section.classList.remove('printing');
            if (text) text.open = false;
            repaint();
        });
        section.threelane = {data: data, keys: keys, draw: draw, select: select, show: show, find: find,
            label: label, time: time, selected: () => selected, window: () => view, path: () => onPath,
            titles: () => rows.map((row) => fitted(row.title, gutter() - 16))};
        section.dataset.ready = 'yes';
    }

    for (const section of document.querySelectorAll('section.threelane:not([data-ready])')) Timeline(section);
})();
