// SPDX-License-Identifier: Apache-2.0
// Copyright the crypto-bench authors
// Picker and sortable table of the page that `crypto-bench report --format html` makes. Names are users' own: they reach
// the page as text only, never as markup.
"use strict";

(() => {
    const MOST_ROWS = 500; // drawn at once; a button draws the others
    const data = JSON.parse(document.getElementById("data").textContent);
    const at = Object.fromEntries(data.columns.map((name, i) => [name, i]));
    const byId = (id) => document.getElementById(id);
    const laneBox = byId("lane"), algBox = byId("alg"), textBox = byId("text");
    const nbsp = "\u00a0";

    // Digits in groups of three, as the plots have them.
    const grouped = (text) => text.replace(/^(-?)(\d{5,})/, (all, sign, digits) =>
        sign + digits.replace(/\B(?=(\d{3})+$)/g, nbsp));
    const whole = (v) => grouped(v.toFixed(0));
    const fixed = (decimals) => (v) => grouped(v.toFixed(decimals));
    const percent = (v) => (v < 0 ? "\u2212" : "+") + Math.abs(v).toFixed(1) + "%";

    const named = (list, key) => (row) => row[at[key]] === null ? null : list[row[at[key]]];
    const plain = (key) => (row) => row[at[key]];
    const build = (row) => data.builds[row[at.build]];
    const baseline = (row) => row[at.baseline] === null ? null : data.builds[row[at.baseline]].config;

    // What a column shows: get gives the value that is sorted by, null where there is none. `emulated` is the heading
    // where a lane is emulated: such times are not ranked, so the column cannot be sorted by. `unless`: not where a row has that. `common`: said once, above
    // the table, where all rows have the same.
    const columns = [
        { head: "config", get: (row) => build(row).config },
        { head: "library", common: true, get: (row) => build(row).library },
        { head: "compiler", common: true, get: (row) => build(row).compiler },
        { head: "algorithm", common: true, get: named(data.algs, "alg") },
        { head: "operation", common: true, get: named(data.ops, "op") },
        { head: "workload", common: true, get: named(data.workloads, "workload") },
        { head: "block, bytes", get: plain("bytes"), show: whole },
        { head: "kB/s", emulated: "kB/s, EMULATED", get: plain("kB_per_s"), show: whole },
        {
            head: "95% interval", emulated: "95% interval, EMULATED", get: plain("low"),
            show: (v, row) => whole(v) + " to " + whole(row[at.high])
        },
        {
            head: "speed against baseline (~: in noise)", get: plain("change_percent"),
            show: (v, row) => (row[at.unclear] ? "~" : "") + percent(v)
        },
        { head: "instructions", get: plain("insns"), show: whole },
        { head: "instructions/byte", get: plain("insns_per_byte"), show: fixed(2) },
        { head: "instructions against baseline", get: plain("insns_change_percent"), show: percent },
        { head: "cycles/byte", get: plain("cycles_per_byte"), show: fixed(2) },
        { head: "cycles by", common: true, get: named(data.sources, "cycle_source") },
        {
            head: "modelled cycles/byte, not measured", unless: "cycles_per_byte", get: plain("modelled_per_byte"),
            show: (v, row) => v.toFixed(2) + nbsp + "\u00b1" + row[at.modelled_band_percent] + "%"
        },
        {
            head: "modelled cycles against baseline", get: plain("modelled_ratio"),
            show: (v, row) => row[at.modelled_close] ? "too close to call" : v.toFixed(2) + "\u00d7"
        },
        { head: "model:", common: true, get: named(data.models, "model") },
        { head: "baseline", get: baseline },
        { head: "code+data, bytes", get: (row) => build(row).size, show: whole },
        { head: "stripped library, bytes", get: (row) => build(row).stripped, show: whole },
        { head: "status", get: named(data.statuses, "status") },
        { head: "reason", className: "reason", get: plain("reason") },
    ];

    let rows = [], shown = [], shownColumns = [], sortBy = null, descending = false, all = false;

    const element = (name, text, className) => {
        const e = document.createElement(name);
        if (text !== undefined)
            e.textContent = text;
        if (className)
            e.className = className;
        return e;
    };

    const cellText = (column, row) => {
        const v = column.get(row);
        return v === null || v === undefined ? "" : column.show ? column.show(v, row) : String(v);
    };

    const lane = () => data.lanes[Number(laneBox.value)];
    const canSort = (column) => !(column.emulated && lane().emulated);
    const heading = (column) => column.emulated && lane().emulated ? column.emulated : column.head;

    const values = (column) => new Set(rows.map(column.get).filter((v) => v !== null && v !== undefined));
    const isCommon = (column) => column.common && values(column).size === 1;
    // Modelled cycles are never in one table with measured ones.
    const isBarred = (column) => column.unless && rows.some((row) => row[at[column.unless]] !== null);
    // Columns with something in them that is not the same throughout.
    const visible = () => columns.filter((c) => values(c).size > 0 && !isCommon(c) && !isBarred(c));

    const compare = (a, b) => {
        const x = sortBy.get(a), y = sortBy.get(b);
        const none = (v) => v === null || v === undefined;
        if (none(x) || none(y)) // always last
            return none(x) - none(y);
        const order = x < y ? -1 : x > y ? 1 : 0;
        return descending ? -order : order;
    };

    const sorted = (column) => {
        descending = sortBy === column && !descending;
        sortBy = column;
        draw();
        const button = [...document.querySelectorAll("#cells thead button")].find((b) => b.column === column);
        button.focus();
    };

    const headMake = (list) => {
        const tr = element("tr");
        for (const column of list) {
            const th = element("th", undefined, column.show ? "number" : "");
            th.scope = "col";
            if (canSort(column)) {
                const button = element("button", heading(column));
                button.type = "button";
                button.column = column;
                button.addEventListener("click", () => sorted(column));
                th.append(button);
                th.setAttribute("aria-sort", sortBy !== column ? "none" : descending ? "descending" : "ascending");
            } else {
                th.textContent = heading(column);
            }
            tr.append(th);
        }
        const head = element("thead");
        head.append(tr);
        return head;
    };

    const draw = () => {
        const list = shownColumns, words = textBox.value.toLowerCase().split(/\s+/).filter(Boolean);
        shown = rows.filter((row) => {
            if (!words.length)
                return true;
            const line = list.map((c) => cellText(c, row)).join("\n").toLowerCase().replaceAll(nbsp, "");
            return words.every((word) => line.includes(word));
        });
        if (sortBy && canSort(sortBy))
            shown.sort(compare);
        const drawn = all ? shown : shown.slice(0, MOST_ROWS);
        const table = element("table"), body = element("tbody");
        for (const row of drawn) {
            const tr = element("tr");
            for (const column of list)
                tr.append(element("td", cellText(column, row), column.show ? "number" : column.className));
            body.append(tr);
        }
        table.append(headMake(list), body);
        const box = byId("cells"), left = box.scrollLeft;
        box.replaceChildren(table);
        box.scrollLeft = left;
        const more = byId("more");
        more.hidden = drawn.length === shown.length;
        more.textContent = `Show all ${shown.length} rows`;
        const order = sortBy && canSort(sortBy) ? `, by ${heading(sortBy)}, ${descending ? "descending" : "ascending"}` : "";
        byId("status").textContent = `${drawn.length} of ${rows.length} cells${order}`;
    };

    // Figures of the target and algorithm; those of all algorithms always.
    const drawFigures = () => {
        const alg = algBox.value === "" ? null : data.algs[Number(algBox.value)];
        let some = false;
        for (const figure of document.querySelectorAll("figure")) {
            const d = figure.dataset;
            const laneFits = d.lane === undefined ? d.target === lane().target : d.lane === laneBox.value;
            const fits = laneFits && (alg === null || d.alg === undefined || d.alg === alg);
            figure.hidden = !fits;
            some = some || fits;
        }
        for (const section of document.querySelectorAll("section.plots"))
            section.hidden = !section.querySelector("figure:not([hidden])");
        byId("noplot").hidden = some || !document.querySelector("figure");
    };

    const pick = () => {
        const laneNumber = Number(laneBox.value), alg = algBox.value;
        rows = data.cells.filter((row) => row[at.lane] === laneNumber && (alg === "" || row[at.alg] === Number(alg)));
        all = false;
        shownColumns = visible();
        byId("common").textContent = columns.filter(isCommon).map((c) => `${c.head} ${cellText(c, rows[0])}`).join(", ");
        draw();
        drawFigures();
    };

    // Algorithms that the target has, and all of them; the one picked stays where it can.
    const fillAlgs = () => {
        const laneNumber = Number(laneBox.value), before = algBox.value, present = new Set();
        for (const row of data.cells)
            if (row[at.lane] === laneNumber)
                present.add(row[at.alg]);
        const options = [...present].sort((a, b) => a - b).map((i) => new Option(data.algs[i], String(i)));
        algBox.replaceChildren(...options, new Option("all", ""));
        if ([...algBox.options].some((o) => o.value === before) && before !== "")
            algBox.value = before;
    };

    if (!data.cells.length) {
        byId("status").textContent = "No cells were measured.";
        return;
    }
    const used = new Set(data.cells.map((row) => row[at.lane]));
    laneBox.append(...data.lanes.flatMap((l, i) => used.has(i) ? [new Option(l.label, String(i))] : []));
    laneBox.addEventListener("change", () => {
        fillAlgs();
        pick();
    });
    algBox.addEventListener("change", pick);
    textBox.addEventListener("input", () => {
        all = false;
        draw();
    });
    byId("more").addEventListener("click", () => {
        all = true;
        draw();
        byId("cells").focus();
    });
    byId("picker").addEventListener("submit", (event) => event.preventDefault());
    byId("picker").hidden = false;
    byId("cells").hidden = false;
    fillAlgs();
    pick();
})();
