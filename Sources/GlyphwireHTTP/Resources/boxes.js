"use strict";

// What the pages share: where the boxes of a result lie, which words a search finds, and how its lines are written.

const SVG = "http://www.w3.org/2000/svg";

const element = (id) => document.getElementById(id);

// How a picture that lies as it was sent is turned upright: by CSS for the picture, by numbers for its boxes.
const TURNS = {
    1: ["none", (x, y) => [x, y]],
    2: ["scaleX(-1) translateX(-100%)", (x, y, w) => [w - x, y]],
    3: ["rotate(180deg) translate(-100%, -100%)", (x, y, w, h) => [w - x, h - y]],
    4: ["scaleY(-1) translateY(-100%)", (x, y, w, h) => [x, h - y]],
    5: ["matrix(0, 1, 1, 0, 0, 0)", (x, y) => [y, x]],
    6: ["rotate(90deg) translateY(-100%)", (x, y, w, h) => [h - y, x]],
    7: ["matrix(0, -1, -1, 0, 0, 0) translate(-100%, -100%)", (x, y, w, h) => [h - y, w - x]],
    8: ["rotate(-90deg) translateX(-100%)", (x, y, w) => [y, w - x]],
};

/** The size of a result's picture once it is upright. */
function uprightSize({ width, height, orientation }) {
    return orientation >= 5 ? [height, width] : [width, height];
}

/** The four corners of a box in pixels of the upright picture. */
function corners(box, result) {
    const [width, height] = uprightSize(result);
    const turn = TURNS[result.orientation][1];
    return [0, 2, 4, 6].map((at) => {
        const [x, y] = [box[at], box[at + 1]];
        if (result.coordinates === "upright") return [x, y];
        if (result.coordinates === "vision") return [x * width, (1 - y) * height];
        return turn(x, y, result.width, result.height);
    });
}

function make(name, attributes = {}, parent = null) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent?.append(made);
    return made;
}

const points = (quad) => quad.map((point) => point.map((number) => number.toFixed(2)).join(",")).join(" ");
const fold = (text) => text.normalize("NFKC").toLowerCase();
const distance = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** What a page shows in place of a line's text that was not read; empty for a line that was. */
const unreadNote = (line) => line.reason ? `[${line.script ?? "?"}: cannot be read]` : "";

// Languages (BCP 47) of scripts in which one language is written, or nearly so.
const LANGUAGES = { Jpan: "ja", Hang: "ko", Grek: "el", Thai: "th", Geor: "ka", Armn: "hy", Taml: "ta", Telu: "te" };

/** The language tag of what a page shows of a line: of most lines only the script is known. */
function languageOf({ reason, script }) {
    if (reason) return "en";
    return LANGUAGES[script] ?? (script ? `und-${script}` : "");
}

/** A line's text, or what a page makes of it, in the line's language: it decides on the forms of Chinese characters. */
function lineElement(line, ...content) {
    const made = document.createElement("span");
    made.lang = languageOf(line);
    made.append(...content);
    return made;
}

/**
 * Whether an element is pressed. What it contains has to stay as long: a click needs one element at its press and at its
 * release, and is lost where a result has replaced that in between. Calls `released` once the click has been handled.
 */
class Press {
    constructor(pressed, released) {
        this.isDown = false;
        pressed.addEventListener("pointerdown", (event) => {
            // Of other buttons the release may never come, as behind a menu.
            if (event.button === 0 && !this.isDown) this.begin(released);
        });
    }

    begin(released) {
        this.isDown = true;
        const listening = new AbortController();
        const end = () => {
            listening.abort();
            setTimeout(() => { this.isDown = false; released(); });
        };
        for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: listening.signal });
    }
}

/** What a page says where the server requires a token: it is taken from the page's address, behind `mark`. */
const tokenNote = (mark) => `this server requires a token: open this page with ${mark}token=TOKEN at the end of its address`;

/** Which words of a line a search lights up: those that what is looked for touches. */
function matches(line, query) {
    const text = fold(line.text);
    const ranges = [];
    for (let at = query ? text.indexOf(query) : -1; at >= 0; at = text.indexOf(query, at + 1)) {
        ranges.push([at, at + query.length]);
    }
    let from = 0;
    return line.words.map((word) => {
        const folded = fold(word.text);
        const start = Math.max(text.indexOf(folded, from), from);
        const end = from = start + folded.length;
        return ranges.some((range) => range[0] < end && start < range[1]);
    });
}

