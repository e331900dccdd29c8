const LONGEST_SIDE = 1280;         // of a frame in pixels; larger ones would rarely be read better, and take longer
const FRAME_QUALITY = 0.8;         // of its JPEG
const SCAN_QUALITY = 0.92;
const SHOWN_AGE = 2000;            // in milliseconds, after which boxes no longer lie where the text is
const RETRY_TIME = 1000;           // in milliseconds, after a frame that the server did not answer
const ANSWER_TIME = 20000;         // in milliseconds, after which the server counts as not answering a frame
const FLASH_TIME = 2000;           // in milliseconds
const MAX_PAGES = 16;              // of one request, by rule H1 of the server
const MAX_BYTES = 40 << 20;        // of one request, by rule H3 of the server
const PAGE_HEAD_BYTES = 256;       // more than a page has in a form beside its picture

const state = {
    /** The name of this page's stream, which nobody else can guess. */
    stream: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
    /** The camera or screen that is running. */
    media: null,
    /** Increases with each start and stop, so that the loop of an earlier one ends. */
    run: 0,
    /** The result whose boxes are shown, and when its frame was taken. */
    result: null,
    captured: 0,
    held: null,
    query: "",
    pages: [],
    /** What the user has asked for and takes long, such as a scan, in words, and how to end it; null for nothing. */
    work: null,
    flashing: undefined,
};
const canvas = document.createElement("canvas");
const press = new Press(element("boxes"), () => draw());

/** What is said in place of errors whose message is meant for programs, by their code. */
const NOTES = {
    auth_required: tokenNote("#"),
    jpeg_corrupt: "it is a damaged or cut off JPEG; choose the undamaged file, or take the photo again",
    file_unsupported: "it is none of the pictures that can be read; save it as a JPEG or PNG first",
};

/** The token in the page's address: behind #, which browsers do not send to servers, or in the query. */
const tokenOfAddress = () =>
    [location.hash, location.search].map((part) => new URLSearchParams(part.slice(1)).get("token")).find(Boolean);

/** Posts pictures to be read, until `signal` ends it; a token in the page's own address goes with them. */
async function read(query, body, signal, accept = "application/json") {
    const headers = { Accept: accept };
    const token = tokenOfAddress();
    if (token) headers.Authorization = `Bearer ${token}`;
    const response = await fetch(`v1/read?${new URLSearchParams(query)}`, {
        method: "POST", headers, body, cache: "no-store", signal,
    });
    if (!response.ok) throw new Error(await explanation(response));
    return accept === "application/json" ? response.json() : response.blob();
}

/** What a response that is an error says. */
async function explanation(response) {
    const isJSON = response.headers.get("Content-Type")?.startsWith("application/json");
    const { code, message } = isJSON ? await response.json() : { message: (await response.text()).trim() };
    return NOTES[code] ?? (message || response.statusText);
}

/** A JPEG of the video as it is now, or of a bitmap. */
function jpeg(picture, width, height, longest, quality) {
    const scale = Math.min(longest / Math.max(width, height), 1);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/jpeg", quality);
    });
}

const videoJPEG = (longest, quality) =>
    jpeg(element("video"), element("video").videoWidth, element("video").videoHeight, longest, quality);

/** The next frame of the video, so that the same one is not sent twice. */
function nextFrame() {
    const video = element("video");
    return new Promise((resolve) => {
        if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(resolve);
        else requestAnimationFrame(resolve);
    });
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends the newest frame whenever the one before it is answered. */
async function sendFrames(run) {
    while (state.run === run) {
        await nextFrame();
        if (state.run !== run) return;
        if (document.hidden || state.work) { await sleep(200); continue; }
        try {
            const captured = performance.now();
            const frame = await videoJPEG(LONGEST_SIDE, FRAME_QUALITY);
            const result = await read(
                { stream: state.stream, level: element("level").value, upright: "auto", client: "camera page" },
                frame, AbortSignal.timeout(ANSWER_TIME));
            if (state.run !== run) return;
            say(state.work?.name ?? "");
            if (result.status === "ok") show(result, captured);
        } catch (error) {
            if (state.run !== run) return;
            say(`${reason(error)}; trying again`);
            await sleep(RETRY_TIME);
        }
    }
}

function reason(error) {
    if (error.name === "TimeoutError") return "the server does not answer";
    return error instanceof TypeError ? "no connection to the server" : error.message;
}

function say(text) { element("state").textContent = text; }

/** Does one thing that takes long, for as long as it takes unless the user cancels it. */
async function perform(name, failure, action) {
    const controller = new AbortController();
    state.work = { name, controller };
    notify("");
    say(name);
    showActions();
    try {
        await action(controller.signal);
    } catch (error) {
        if (!controller.signal.aborted) notify(`${failure}: ${reason(error)}.`);
    }
    state.work = null;
    say("");
    showActions();
}

/** Lets the user do what can be done now. */
function showActions() {
    const isBusy = state.work !== null;
    element("scan").disabled = isBusy || !state.media || state.pages.length >= MAX_PAGES;
    for (const name of ["photo", "save-hocr", "save-pdf"]) element(name).disabled = isBusy;
    element("cancel").hidden = !isBusy;
}

/** Says what has just been done, for a moment. */
function flash(text) {
    element("flash").textContent = text;
    element("flash").hidden = false;
    clearTimeout(state.flashing);
    state.flashing = setTimeout(() => { element("flash").hidden = true; }, FLASH_TIME);
}

/** Says what went wrong, and what to do, until the next start. */
function notify(text) {
    element("notice").textContent = text;
    element("notice").hidden = !text;
}

function show(result, captured) {
    state.result = result;
    state.captured = captured;
    draw();
    const total = (result.timings_us.total / 1000).toPrecision(2);
    const age = Math.round(performance.now() - captured);
    element("speed").textContent = `read in ${Number(total)} ms` + (state.media ? `, ${age} ms old` : "");
}

/** Draws the boxes of the result over the picture, and writes its text. */
function draw() {
    if (press.isDown) return;
    const { result } = state;
    const boxes = element("boxes");
    boxes.replaceChildren();
    let count = 0;
    if (result) {
        // The video lies as it was sent, whichever way its text runs; a photo lies upright.
        const isUpright = result.coordinates === "upright";
        const [width, height] = isUpright ? uprightSize(result) : [result.width, result.height];
        boxes.setAttribute("viewBox", `0 0 ${width} ${height}`);
        for (const line of result.lines) {
            const lit = matches(line, state.query);
            line.words.forEach((word, index) => {
                count += lit[index];
                drawWord(word, line, lit[index], boxes);
            });
        }
    }
    element("found").textContent = state.query ? count : "";
    const lines = result ? result.lines.filter((line) => !line.reason) : [];
    // A selection would be lost if the same text were written again.
    if (element("text").textContent === lines.map((line) => line.text).join("\n")) return;
    element("text").replaceChildren(...lines.flatMap((line) => ["\n", lineElement(line, line.text)]).slice(1));
}

const quad = (box) => [0, 2, 4, 6].map((at) => [box[at], box[at + 1]]);
const isHeld = (word) => state.held && (word.id === undefined ? word === state.held.word : word.id === state.held.word.id);

function drawWord(word, line, isLit, parent) {
    for (const character of word.characters ?? []) {
        make("polygon", { class: "character", points: points(quad(character.box)) }, parent);
    }
    const kind = `word${line.reason ? " unread" : ""}${isLit ? " match" : ""}${isHeld(word) ? " held" : ""}`;
    const polygon = make("polygon", { class: kind, points: points(quad(word.box)), "pointer-events": "all" }, parent);
    polygon.held = { word, line };
}

function hold(held) {
    state.held = held;
    element("word").hidden = !held;
    if (held) {
        element("word-text").textContent = held.word.text || unreadNote(held.line);
        element("word-confidence").textContent = `confidence ${held.word.confidence}`;
        element("line-text").textContent = held.line.text || unreadNote(held.line);
        for (const name of ["word-text", "line-text"]) element(name).lang = languageOf(held.line);
    }
    draw();
}

/** Removes boxes whose frame is too old, as when the server no longer answers. */
function forgetOld() {
    if (state.media && state.result && performance.now() - state.captured > SHOWN_AGE) {
        state.result = null;
        element("speed").textContent = "";
        draw();
    }
}

function stop() {
    state.run += 1;
    for (const track of state.media?.getTracks() ?? []) track.stop();
    state.media = state.result = null;
    element("video").srcObject = null;
    element("start").textContent = "Start";
    element("speed").textContent = "";
    for (const name of ["torch", "source"]) element(name).hidden = true;
    showActions();
    hold(null);
    say("");
}

/** Starts with what `open` gives: a camera, or the screen. */
async function start(open) {
    stop();
    notify("");
    showStill(null);
    const run = state.run;
    try {
        const media = await open();
        if (state.run !== run) { for (const track of media.getTracks()) track.stop(); return; }
        state.media = media;
        media.getVideoTracks()[0].addEventListener("ended", () => { if (state.run === run) stop(); });
        element("video").srcObject = media;
        await element("video").play();
    } catch (error) {
        if (state.run === run) { stop(); notify(refusal(error)); }
        return;
    }
    element("start").textContent = "Stop";
    showActions();
    keepAwake();
    showTorch();
    showSources();
    sendFrames(run);
}

function refusal(error) {
    const reasons = {
        NotAllowedError: "The browser may not use the camera: allow it in the settings of this page, and start again.",
        NotFoundError: "This device has no camera. Use Photo or Screen.",
        NotReadableError: "The camera does not start: another program may be using it.",
    };
    return reasons[error.name] ?? `The camera does not start: ${error.message}`;
}

const openCamera = (device) => () => navigator.mediaDevices.getUserMedia({
    audio: false,
    video: {
        width: { ideal: 1920 }, height: { ideal: 1080 },
        ...(device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } }),
    },
});

/** A phone whose screen goes dark stops its camera. */
async function keepAwake() {
    try { await navigator.wakeLock?.request("screen"); } catch { /* It goes on without. */ }
}

function showTorch() {
    const [track] = state.media.getVideoTracks();
    element("torch").hidden = !track.getCapabilities?.().torch;
    element("torch").setAttribute("aria-pressed", false);
}

async function showSources() {
    const devices = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput");
    const current = state.media?.getVideoTracks()[0].getSettings().deviceId;
    const select = element("source");
    select.replaceChildren(...devices.map((device, index) => {
        const option = new Option(device.label || `Camera ${index + 1}`, device.deviceId);
        option.selected = device.deviceId === current;
        return option;
    }));
    select.hidden = devices.length < 2 || !current;
}

/** Shows a photo in place of the video, or the video again. */
function showStill(url) {
    const still = element("still");
    if (still.src.startsWith("blob:")) URL.revokeObjectURL(still.src);
    still.hidden = !url;
    element("video").hidden = Boolean(url);
    if (url) still.src = url; else still.removeAttribute("src");
}

function readPhoto(file) {
    stop();
    showStill(URL.createObjectURL(file));
    const run = state.run;
    const begun = performance.now();
    return perform("reading", "The photo was not read", async (signal) => {
        const result = await read({ level: element("level").value, coordinates: "upright" }, file, signal);
        if (state.run !== run) return;
        show(result, begun);
        addPage(file, result);
    });
}

/** Takes the video's picture in full, reads it closely, and adds it to the pages. */
const scan = () => perform("scanning", "The page was not read", async (signal) => {
    const picture = await videoJPEG(Infinity, SCAN_QUALITY);
    addPage(picture, await read({ level: "accurate", upright: "auto" }, picture, signal));
});

function addPage(picture, { text }) {
    const pages = [...state.pages, { picture, text }];
    const bytes = pages.reduce((sum, page) => sum + page.picture.size + PAGE_HEAD_BYTES, 0);
    if (pages.length > MAX_PAGES || bytes > MAX_BYTES) {
        notify(`This page does not fit into the document, which may have ${MAX_PAGES} pages and ${MAX_BYTES >> 20} MB: `
            + "save it, and remove pages.");
        return;
    }
    state.pages = pages;
    showPages();
    if (pages.length < MAX_PAGES) return;
    notify(`That is ${MAX_PAGES} pages, the most of one document: save and remove them.`);
}

/** Lists the pages, each with a button that removes it. */
function showPages() {
    element("page-list").replaceChildren(...state.pages.map((page, index) => {
        const [item, text, button] = ["li", "span", "button"].map((name) => document.createElement(name));
        text.textContent = page.text.replaceAll("\n", " ") || "no text";
        item.dir = "auto";
        // Its lines may be in several languages.
        text.lang = page.text ? "" : "en";
        button.type = "button";
        button.textContent = "×";
        button.setAttribute("aria-label", `Remove page ${index + 1}`);
        button.onclick = () => removePages((other) => other === page);
        item.append(text, button);
        return item;
    }));
    element("pages").hidden = !state.pages.length;
    showActions();
}

function removePages(isRemoved) {
    state.pages = state.pages.filter((page) => !isRemoved(page));
    notify("");
    showPages();
}

/** Saves all pages as one document, which the server makes. */
const save = (accept, name) => perform("saving", "The document was not made", async (signal) => {
    const form = new FormData();
    state.pages.forEach((page, index) => form.append("file", page.picture, `page-${index + 1}.jpg`));
    const query = accept === "application/pdf" ? {} : { upright: "auto" };
    download(await read({ level: "accurate", ...query }, form, signal, accept), name);
});

/** Saves the text of all pages, which is known, in the form in which the server writes it. */
function saveText() {
    const texts = state.pages.map(({ text }, index) => {
        const heading = state.pages.length > 1 ? `==> page-${index + 1}.jpg <==\n` : "";
        return heading + text + (text && "\n");
    });
    download(new Blob([texts.join("\n")], { type: "text/plain" }), "scan.txt");
}

function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        flash("copied");
    } catch {
        // Without HTTPS there is only the old way.
        flash(copySelection(text) ? "copied" : "the browser does not allow copying; select the text instead");
    }
}

function copySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
}

element("start").onclick = () => (state.media ? stop() : start(openCamera(element("source").value)));
element("source").onchange = () => start(openCamera(element("source").value));
element("screen").onclick = () => start(() => navigator.mediaDevices.getDisplayMedia({ video: true, audio: false }));
element("photo").onchange = () => {
    const [file] = element("photo").files;
    if (file) readPhoto(file);
    element("photo").value = "";
};
element("scan").onclick = scan;
element("cancel").onclick = () => state.work?.controller.abort();
element("torch").onclick = async () => {
    const isOn = element("torch").getAttribute("aria-pressed") !== "true";
    try {
        await state.media.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: isOn }] });
        element("torch").setAttribute("aria-pressed", isOn);
    } catch {
        flash(`the light cannot be switched ${isOn ? "on" : "off"}`);
    }
};
element("search").oninput = () => { state.query = fold(element("search").value.trim()); draw(); };
element("boxes").onclick = (event) => hold(event.target.held ?? null);
element("release").onclick = () => hold(null);
element("copy-word").onclick = () => copy(state.held.word.text);
element("copy-line").onclick = () => copy(state.held.line.text);
element("copy-all").onclick = (event) => { event.preventDefault(); copy(element("text").textContent); };
element("save-text").onclick = saveText;
element("save-hocr").onclick = () => save("text/html", "scan.hocr.html");
element("save-pdf").onclick = () => save("application/pdf", "scan.pdf");
element("clear").onclick = () => removePages(() => true);
document.addEventListener("visibilitychange", () => { if (!document.hidden && state.media) keepAwake(); });
setInterval(forgetOld, 500);

// Where there is room, the text is in view.
element("all").open = matchMedia("(min-width: 50rem)").matches;
element("screen").hidden = !navigator.mediaDevices?.getDisplayMedia;
if (navigator.mediaDevices?.getUserMedia) {
    say("Start shows the camera's picture here");
} else {
    element("start").disabled = true;
    notify("A browser gives a page its camera only over HTTPS, or from the same machine (localhost). Open this page by "
        + "https, from a server with a TLS certificate, or use Photo.");
}
