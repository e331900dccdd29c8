const STAGES = ["queue", "decode", "detect", "recognize"];
const KEPT_FRAMES = 30;            // of each stream, to step back over
const KEPT_BYTES = 64 << 20;       // of the pictures of all streams
const CHARTED_FRAMES = 80;
const LOGGED_WORDS = 100000;       // of the log of words that were found
const GREATEST_AGE = 60000;        // in milliseconds; beyond it the clocks disagree
const RETRY_TIME = 2000;           // in milliseconds, after which a server that refused is asked again

const isAge = (milliseconds) => milliseconds >= 0 && milliseconds <= GREATEST_AGE;
const style = () => getComputedStyle(document.documentElement);

/** What the whole page has in common. */
const page = {
    cards: new Map(),
    query: "",
    paused: false,
    /** How many frames before the newest are shown. */
    back: 0,
    chosen: null,
    keptBytes: 0,
};

/** A stream on the page: its newest frames and how it goes. */
class Card {
    constructor(id) {
        this.id = id;
        this.frames = [];
        this.shown = null;
        this.drawing = 0;
        this.dropped = null;
        this.charted = [];
        /** Whether its stream reports characters, as far as a frame with text has shown it. */
        this.hasCharacters = true;
        /** The words that the search finds in the newest frame. */
        this.found = new Set();
        this.root = element("card").content.firstElementChild.cloneNode(true);
        this.part = (name) => this.root.querySelector("." + name);
        this.image = this.root.querySelector("img");
        this.boxes = this.part("boxes");
        this.press = new Press(this.boxes, () => { if (!this.isHeld) this.showCurrent(); });
        this.part("name").textContent = "Stream " + id;
        this.root.querySelector("h2").addEventListener("dblclick", () => choose(this));
        this.part("single").onclick = () => choose(this);
        element("streams").append(this.root);
        for (const stage of [...STAGES, "age", "drop"]) {
            const entry = document.createElement("span");
            entry.textContent = stage === "drop" ? "dropped" : stage;
            entry.style.setProperty("--swatch", `var(--${stage})`);
            this.part("legend").append(entry);
        }
    }

    /** A frame has come, its picture empty if it is larger than is sent: it is kept, and shown unless an older one is. */
    add(result, picture, omittedBytes) {
        this.chart(result);
        if (result.status === "ok") {
            log.add(this, result);
            this.noteCharacters(result);
        }
        if (page.paused) return;
        const frame = { result, bytes: picture.byteLength, omittedBytes, url: null };
        if (picture.byteLength) frame.url = URL.createObjectURL(new Blob([picture], { type: "image/jpeg" }));
        this.frames.push(frame);
        page.keptBytes += frame.bytes;
        while (this.frames.length > KEPT_FRAMES || (page.keptBytes > KEPT_BYTES && this.frames.length > 1)) this.forget();
        if (!this.isHeld) this.show(frame);
    }

    /** Takes note of whether the words that were read have characters; a frame without text leaves that open. */
    noteCharacters(result) {
        const words = result.lines.filter((line) => !line.reason).flatMap((line) => line.words);
        if (!words.length) return;
        this.hasCharacters = words.some((word) => word.characters);
        offerCharacters();
    }

    forget() {
        const frame = this.frames.shift();
        page.keptBytes -= frame.bytes;
        frame.forgotten = true;
        if (frame.url && frame !== this.shown) URL.revokeObjectURL(frame.url);
    }

    remove() {
        while (this.frames.length) this.forget();
        if (this.shown?.url) URL.revokeObjectURL(this.shown.url);
        this.root.remove();
        if (page.chosen === this) choose(this);
        page.cards.delete(this.id);
        offerCharacters();
    }

    /** Whether its picture stays, because a word of it is pressed, held or selected. */
    get isHeld() {
        if (this.press.isDown || tip.held?.card === this) return true;
        const selection = getSelection();
        return !selection.isCollapsed && this.root.contains(selection.anchorNode);
    }

    /** Shows the frame that the page is at. */
    showCurrent() {
        const frame = this.frames[Math.max(this.frames.length - 1 - page.back, 0)];
        if (frame) this.show(frame);
    }

    /** Shows a frame once its picture is there, so that the boxes always lie on their own picture, or on none. */
    async show(frame) {
        const drawing = ++this.drawing;
        const image = new Image();
        if (frame.url) {
            image.src = frame.url;
            try { await image.decode(); } catch { /* The boxes are shown all the same. */ }
            if (drawing !== this.drawing || (this.isHeld && !page.paused)) return;
        }
        // A frame that was not read has no boxes, and leaves the last picture.
        if (frame.result.status === "ok") {
            image.alt = "";
            image.hidden = !frame.url;
            this.image.replaceWith(image);
            this.image = image;
        }
        const last = this.shown;
        this.shown = frame;
        if (last && last !== frame && last.forgotten && last.url) URL.revokeObjectURL(last.url);
        this.draw();
    }

    /** Draws the boxes and writes the text of the frame that is shown. */
    draw() {
        const { result } = this.shown;
        this.part("note").textContent = noteOf(this.shown);
        if (result.status !== "ok") {
            this.boxes.replaceChildren();
            return;
        }
        const [width, height] = uprightSize(result);
        const view = this.part("view");
        view.style.aspectRatio = `${width} / ${height}`;
        view.style.maxWidth = `calc(70vh * ${width} / ${height})`;
        this.image.style.width = `${100 * result.width / width}%`;
        this.image.style.height = `${100 * result.height / height}%`;
        this.image.style.transform = TURNS[result.orientation][0];
        this.boxes.setAttribute("viewBox", `0 0 ${width} ${height}`);
        const text = document.createDocumentFragment();
        this.boxes.replaceChildren(...result.lines.map((line) => this.drawLine(line, result, text)));
        this.part("text").replaceChildren(text);
        tip.follow();
    }

    drawLine(line, result, text) {
        const group = make("g", { class: line.reason ? "unread" : "read", lang: languageOf(line) });
        const lit = matches(line, page.query);
        if (line.reason) {
            for (const word of line.words) this.drawWord(word, false, result, group);
            const note = document.createElement("span");
            note.className = "unread";
            note.textContent = unreadNote(line);
            text.append(note, "\n");
            return group;
        }
        const words = line.words.flatMap((word, index) => {
            this.drawWord(word, lit[index], result, group);
            const said = document.createElement(lit[index] ? "mark" : "span");
            said.textContent = word.text;
            return [" ", said];
        });
        text.append(lineElement(line, ...words.slice(1)), "\n");
        return group;
    }

    drawWord(word, isLit, result, parent) {
        const group = make("g", { class: isLit ? "word match" : "word" }, parent);
        const quad = corners(word.box, result);
        make("polygon", { class: "whole", points: points(quad) }, group);
        for (const character of word.characters ?? []) {
            make("polygon", { class: "character", points: points(corners(character.box, result)) }, group);
        }
        // Invisible text over the picture's, as wide and as slanted: what is selected and what the pointer finds.
        const [width, height] = [distance(quad[0], quad[1]), distance(quad[0], quad[3])];
        if (!word.text || !width || !height) return;
        const along = [0, 1].map((axis) => (quad[1][axis] - quad[0][axis]) / width);
        const down = [0, 1].map((axis) => (quad[3][axis] - quad[0][axis]) / height);
        const text = make("text", {
            transform: `matrix(${[...along, ...down, ...quad[0]].join(" ")})`,
            x: 0, y: height * 0.8, "font-size": height, textLength: width, lengthAdjust: "spacingAndGlyphs",
        }, group);
        text.textContent = word.text + " ";
        text.word = word;
        text.card = this;
    }

    /** Takes over what the server says of the stream. */
    update(status) {
        this.root.classList.remove("gone");
        this.part("name").textContent = status.client ?? "Stream " + status.id;
        this.part("where").textContent = `${status.peer}, ${status.level}, ${status.delivery}`;
        const { frames, rates } = status;
        const figures = [
            ["in", rates.received.toFixed(1) + "/s"],
            ["read", rates.ok.toFixed(1) + "/s"],
            ["superseded", frames.dropped],
            ["past deadline", frames.expired, frames.expired > 0],
            ...Object.entries(status.errors).map(([code, count]) => [code, count, true]),
            ["waiting", frames.unanswered],
        ];
        if (isAge(status.age_ms)) figures.push(["age", status.age_ms + " ms"]);
        else if (status.age_ms !== undefined) figures.push(["age", "clocks disagree", true]);
        const error = status.last_error;
        if (error) {
            const hint = `${Math.round(error.seconds_ago)} s ago: ${error.message}`;
            figures.push(["last error", error.code, true, hint]);
        }
        if (status.idle_seconds > 2) figures.push(["silent for", Math.round(status.idle_seconds) + " s", true]);
        this.part("figures").replaceChildren(...figures.map(([name, value, isBad, hint]) => {
            const entry = document.createElement("div");
            entry.className = isBad ? "bad" : "";
            if (hint) entry.title = hint;
            const [term, said] = [document.createElement("dt"), document.createElement("dd")];
            term.textContent = name;
            said.textContent = value;
            entry.append(term, said);
            return entry;
        }));
        const last = this.charted.at(-1);
        if (last && this.dropped !== null) last.dropped += Math.max(frames.dropped - this.dropped, 0);
        this.dropped = frames.dropped;
        this.drawChart();
    }

    chart(result) {
        this.charted.push({ times: result.timings_us, age: isAge(result.age_ms) ? result.age_ms : undefined, dropped: 0 });
        if (this.charted.length > CHARTED_FRAMES) this.charted.shift();
        this.drawChart();
    }

    /** Draws how long the stages of the last frames took, how old these were, and where others were dropped. */
    drawChart() {
        const canvas = this.part("chart");
        const scale = devicePixelRatio || 1;
        const [width, height] = [canvas.clientWidth, canvas.clientHeight];
        if (!width) return;
        if (canvas.width !== Math.round(width * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
        }
        const context = canvas.getContext("2d");
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        const colors = style();
        const color = (name) => colors.getPropertyValue("--" + name).trim();
        const highest = Math.max(...this.charted.map((bar) => Math.max(bar.times.total / 1000, bar.age ?? 0)), 1);
        const top = niceAbove(highest);
        const y = (milliseconds) => height - Math.min(milliseconds / top, 1) * (height - 16);
        const step = width / CHARTED_FRAMES;
        this.charted.forEach((bar, index) => {
            const x = width - (this.charted.length - index) * step;
            let sum = 0;
            for (const stage of STAGES) {
                const next = sum + bar.times[stage] / 1000;
                context.fillStyle = color(stage);
                context.fillRect(x, y(next), Math.max(step - 1, 1), y(sum) - y(next));
                sum = next;
            }
            if (bar.dropped) {
                context.fillStyle = color("drop");
                context.fillRect(x, 12, Math.max(step - 1, 1), 3);
            }
            if (bar.age !== undefined) {
                context.fillStyle = color("age");
                context.fillRect(x, y(bar.age) - 1, step, 2);
            }
        });
        if (!this.charted.length) return;
        context.fillStyle = color("soft");
        context.font = "11px system-ui, sans-serif";
        context.fillText(`${top} ms`, 0, 10);
        const { times } = this.charted.at(-1);
        const told = STAGES.map((stage) => `${stage} ${(times[stage] / 1000).toFixed(1)} ms`);
        canvas.setAttribute("aria-label", "Newest frame: " + told.join(", "));
    }
}

/** What stands in or beside the place of a frame's picture; empty where the picture says all. */
function noteOf({ result, omittedBytes, url }) {
    if (result.status !== "ok") return `frame ${result.sequence}: ${result.message ?? result.status}`;
    if (omittedBytes) return `picture of ${Math.round(omittedBytes / 1e6)} MB, too large to be shown`;
    return url ? "" : "no picture";
}

/** The words that the search has found, each when it came into view, to be kept as CSV. */
const log = {
    rows: [],

    add(card, result) {
        const found = new Set();
        for (const line of page.query ? result.lines : []) {
            const lit = matches(line, page.query);
            line.words.forEach((word, index) => {
                if (!lit[index]) return;
                const key = `${word.id ?? ""} ${word.text}`;
                found.add(key);
                if (!card.found.has(key)) this.keep(card, result, word);
            });
        }
        card.found = found;
    },

    keep(card, result, word) {
        const name = card.part("name").textContent;
        this.rows.push([
            new Date().toISOString(), card.id, name, result.sequence, word.id ?? "", word.text, word.confidence, ...word.box,
        ]);
        if (this.rows.length > LOGGED_WORDS) this.rows.shift();
        element("save").hidden = false;
    },

    /** All rows as CSV (RFC 4180), none of whose texts a spreadsheet takes for a formula. */
    text() {
        const head = ["time", "stream", "name", "frame", "word", "text", "confidence"];
        const box = [0, 1, 2, 3].flatMap((corner) => [`x${corner}`, `y${corner}`]);
        const isFormula = (value) => /^[=+\-@＝＋－＠\t\r]/.test(value) && isNaN(value);
        const plain = (value) => (isFormula(value) ? `'${value}` : value);
        const quoted = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
        const field = (value) => quoted(plain(value));
        return [[...head, ...box], ...this.rows].map((row) => row.map(field).join(",") + "\r\n").join("");
    },

    save() {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([this.text()], { type: "text/csv" }));
        link.download = "glyphwire-words.csv";
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    },
};

/** The next of 1, 2, 5, 10 and so on. */
function niceAbove(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((factor) => factor * power).find((nice) => nice >= value);
}

/** The word under the pointer, or the one that was clicked, which is held until it is let go of. */
const tip = {
    root: element("tip"),
    held: null,
    at: null,

    show(text, x, y) {
        const { word } = text;
        const [strong, small] = [document.createElement("strong"), document.createElement("small")];
        strong.textContent = word.text;
        strong.lang = text.closest("[lang]").getAttribute("lang");
        strong.dir = "auto";
        small.textContent = `confidence ${word.confidence}` + (word.id === undefined ? "" : `, word ${word.id}`);
        this.root.replaceChildren(strong, small);
        this.root.hidden = false;
        const { width, height } = this.root.getBoundingClientRect();
        this.root.style.left = `${Math.max(Math.min(x + 12, innerWidth - width - 8), 8)}px`;
        this.root.style.top = `${y + 18 + height > innerHeight ? y - height - 12 : y + 18}px`;
    },

    hide() { this.root.hidden = true; },

    /** What lies under the pointer may be another word by now. */
    follow() {
        if (this.held) return;
        const found = this.at && document.elementFromPoint(...this.at);
        if (found?.word) this.show(found, ...this.at); else this.hide();
    },

    hold(text, x, y) {
        this.release();
        this.held = text;
        text.parentNode.classList.add("held");
        this.show(text, x, y);
    },

    release() {
        const card = this.held?.card;
        this.held?.parentNode?.classList.remove("held");
        this.held = null;
        this.hide();
        if (card && !page.paused) card.showCurrent();
    },
};

function redraw() {
    let count = 0;
    for (const card of page.cards.values()) {
        if (!card.shown) continue;
        card.draw();
        count += card.boxes.querySelectorAll(".match").length;
    }
    element("found").textContent = page.query ? count : "";
}

function countMatches() {
    if (page.query) element("found").textContent = document.querySelectorAll(".match").length;
}

/** Goes to so many frames before the newest; whoever steps back has paused. */
function goTo(back) {
    const oldest = Math.max(...[...page.cards.values()].map((card) => card.frames.length - 1), 0);
    page.back = Math.min(Math.max(back, 0), oldest);
    element("back").disabled = page.back >= oldest;
    element("forward").disabled = page.back === 0;
    for (const card of page.cards.values()) card.showCurrent();
    tellState();
}

function pause(isPaused) {
    page.paused = isPaused;
    const button = element("pause");
    button.querySelector(".long").textContent = isPaused ? "Go on" : "Pause";
    button.setAttribute("aria-pressed", isPaused);
    goTo(0);
    element("back").disabled = false;
}

function step(frames) {
    if (!page.paused) pause(true);
    goTo(page.back + frames);
}

/** One stream alone, or all of them again. */
function choose(card) {
    page.chosen = page.chosen === card ? null : card;
    for (const one of page.cards.values()) {
        one.root.classList.toggle("chosen", one === page.chosen);
        one.part("single").setAttribute("aria-pressed", one === page.chosen);
    }
    element("streams").classList.toggle("alone", page.chosen !== null);
}

/** Offers the boxes of characters where a stream has some. */
function offerCharacters() {
    const cards = [...page.cards.values()];
    const button = element("characters");
    button.disabled = cards.length > 0 && !cards.some((card) => card.hasCharacters);
    button.title = button.disabled ? "These streams report no characters" : "Boxes of characters (c)";
}

function toggle(what) {
    const button = element(what);
    if (button.disabled) return;
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", isOn);
    document.body.classList.toggle("no-" + what, !isOn);
}

/** Where frames come from. */
const feed = {
    source: null,
    isOpen: false,
    /** Why the server refuses to send them; empty if it does not. */
    refusal: "",

    open() {
        if (this.source || document.hidden) return;
        const source = this.source = new EventSource("events" + location.search);
        source.onopen = () => { this.isOpen = true; tellState(); };
        source.onerror = () => {
            this.isOpen = false;
            // A server that refuses is not asked again by the browser itself, which keeps the reason to itself.
            if (source.readyState === EventSource.CLOSED) this.ask();
            else this.refusal = "";
            tellState();
        };
        source.addEventListener("streams", (event) => takeStreams(JSON.parse(event.data).streams));
        source.addEventListener("frame", (event) => {
            const { stream, result, jpeg, omitted_bytes: omittedBytes } = JSON.parse(event.data);
            card(stream).add(result, bytes(jpeg), omittedBytes);
            countMatches();
        });
    },

    /** Asks why the server refuses, and later for frames again. */
    async ask() {
        this.close();
        this.refusal = await refusal("events" + location.search);
        tellState();
        setTimeout(() => this.open(), RETRY_TIME);
    },

    close() {
        this.source?.close();
        this.source = null;
        this.isOpen = false;
    },
};

/** Why the server refuses a request, in words; empty if it does not, or cannot be reached. */
async function refusal(address) {
    const controller = new AbortController();
    try {
        const response = await fetch(address, { cache: "no-store", signal: controller.signal });
        if (response.ok) return "";
        const hasToken = new URLSearchParams(location.search).has("token");
        return response.status === 401 && !hasToken ? tokenNote("?") : (await response.text()).trim();
    } catch {
        return "";
    } finally {
        controller.abort();
    }
}

function bytes(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function card(id) {
    if (!page.cards.has(id)) {
        page.cards.set(id, new Card(id));
        offerCharacters();
        tellState();
    }
    return page.cards.get(id);
}

function takeStreams(streams) {
    for (const status of streams) card(status.id).update(status);
    const ids = new Set(streams.map((status) => status.id));
    for (const known of [...page.cards.values()]) {
        if (ids.has(known.id)) continue;
        // Whoever has paused may still be looking at it.
        if (page.paused || known.isHeld || !known.root.classList.contains("gone")) known.root.classList.add("gone");
        else known.remove();
    }
    tellState();
}

function tellState() {
    const count = page.cards.size;
    const streams = count === 1 ? "1 stream" : `${count} streams`;
    const reason = feed.isOpen ? "" : feed.refusal;
    element("state").textContent = !feed.isOpen ? `${reason ? "refused" : "no connection"}, trying again`
        : page.back ? `${streams}, ${page.back} back` : page.paused ? `${streams}, paused` : streams;
    // Written again it would be read aloud again.
    if (element("refusal").textContent !== reason) element("refusal").textContent = reason;
    element("refusal").hidden = !reason;
    element("empty").hidden = count > 0 || !feed.isOpen;
    element("streams").classList.toggle("stale", !feed.isOpen);
}

element("pause").onclick = () => pause(!page.paused);
element("back").onclick = () => step(1);
element("forward").onclick = () => step(-1);
element("forward").disabled = true;
element("words").onclick = () => toggle("words");
element("characters").onclick = () => toggle("characters");
element("save").onclick = () => log.save();
element("keys").onclick = () => element("help").showModal();
element("search").oninput = () => { page.query = fold(element("search").value.trim()); redraw(); };

addEventListener("pointermove", (event) => { tip.at = [event.clientX, event.clientY]; tip.follow(); });
addEventListener("pointerleave", () => { tip.at = null; tip.follow(); });
addEventListener("click", (event) => {
    if (event.target.word) tip.hold(event.target, event.clientX, event.clientY);
    else if (tip.held) tip.release();
});
addEventListener("resize", () => { for (const one of page.cards.values()) one.drawChart(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) feed.close(); else feed.open(); });

addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || element("help").open) return;
    if (event.key === "Escape") {
        tip.release();
        element("search").value = page.query = "";
        element("search").blur();
        redraw();
        return;
    }
    if (event.target === element("search") || (event.key === " " && event.target.tagName === "BUTTON")) return;
    // The text of a stream is scrolled by them.
    if (event.target.className === "text" && ["Home", "End"].includes(event.key)) return;
    const action = {
        " ": () => pause(!page.paused),
        ArrowLeft: () => step(1),
        ArrowRight: () => step(-1),
        Home: () => step(Infinity),
        End: () => step(-Infinity),
        "/": () => element("search").focus(),
        w: () => toggle("words"),
        c: () => toggle("characters"),
        "?": () => element("help").showModal(),
    }[event.key];
    const numbered = /^[1-9]$/.test(event.key) && [...page.cards.values()][event.key - 1];
    if (numbered) choose(numbered);
    if (!action && !numbered) return;
    action?.();
    event.preventDefault();
});

// On a narrow screen the boxes of characters would hide the picture.
if (matchMedia("(max-width: 40rem)").matches) toggle("characters");
for (const host of document.querySelectorAll("#empty .host")) host.textContent = location.hostname;
// A token of the address is the camera's too.
document.querySelector("#empty a").search = location.search;
feed.open();
