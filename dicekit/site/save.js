// All work that this browser keeps, as one .zip; and back again.
"use strict";
const words = JSON.parse(document.getElementById("words").textContent);
const $ = (id) => document.getElementById(id);
const say = (text) => { $("said").textContent = text; };
const done = (request) => new Promise((yes, no) => {
  request.onsuccess = () => yes(request.result);
  request.onerror = () => no(request.error);
});

// JupyterLite keeps each file as one value, by its path, in "files", and choices in "settings".
const STORES = ["files", "settings"];
async function opened(version) {
  const request = indexedDB.open(words.storage, version);
  request.onupgradeneeded = () => {
    const base = request.result;
    for (const name of STORES) {
      if (!base.objectStoreNames.contains(name)) base.createObjectStore(name);
    }
  };
  const base = await done(request);
  base.onversionchange = () => base.close();  // JupyterLite wants to add a store
  if (STORES.every((name) => base.objectStoreNames.contains(name))) return base;
  base.close();
  return opened(base.version + 1);
}
async function store(name, mode) {
  return (await opened()).transaction(name, mode).objectStore(name);
}
const stored = async () => done((await store("files", "readonly")).getAll());
const hidden = (path) => path.split("/").some((part) => /^($|\.|__MACOSX$)/.test(part));
async function work() {
  const files = (await stored()).filter((file) => file.type !== "directory" && !hidden(file.path));
  return files.filter((file) => file.content !== null);
}

function bytesOf({ content, format }) {
  if (format === "base64") return Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 1) + "\n";
  return new TextEncoder().encode(text);
}
function entry(path, facts) {
  const now = new Date().toISOString();
  return { path, name: path.split("/").pop(), created: now, last_modified: now, mimetype: "",
    writable: true, ...facts };
}
const folderOf = (path) => entry(path, { type: "directory", format: "json", content: null, size: 0 });
function fileOf(path, bytes) {
  const file = entry(path, { type: "file", format: "text", size: bytes.length });
  try {
    file.content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    file.format = "base64";
    file.content = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }
  if (path.endsWith(".ipynb")) {
    try {
      Object.assign(file, { content: JSON.parse(file.content), type: "notebook", format: "json" });
    } catch { /* spoilt by its owner: it stays a text */ }
  }
  return file;
}
// A .zip as in its specification (APPNOTE.TXT): written without compression, read with it too.
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
const crc = (bytes) => ~bytes.reduce((sum, b) => TABLE[(sum ^ b) & 255] ^ (sum >>> 8), -1) >>> 0;
function fields(...pairs) {  // each: its size in bytes, its value
  const out = new DataView(new ArrayBuffer(pairs.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of pairs) {
    if (size === 2) out.setUint16(at, value, true);
    else out.setUint32(at, value, true);
    at += size;
  }
  return out.buffer;
}
function packed(files) {
  const now = new Date(), parts = [], list = [];
  const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
  const day = ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
  let at = 0, listed = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(file.path), bytes = bytesOf(file);
    const facts = [[2, 20], [2, 0x800], [2, 0], [2, time], [2, day], [4, crc(bytes)],
      [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
    parts.push(fields([4, 0x04034b50], ...facts), name, bytes);
    const rest = [[2, 0], [2, 0], [2, 0], [4, 0], [4, at]];
    list.push(fields([4, 0x02014b50], [2, 20], ...facts, ...rest), name);
    at += 30 + name.length + bytes.length;
    listed += 46 + name.length;
  }
  const count = files.length;
  const end = fields([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, listed], [4, at], [2, 0]);
  return new Blob([...parts, ...list, end], { type: "application/zip" });
}
async function unpacked(buffer) {
  const view = new DataView(buffer), found = [];
  let end = buffer.byteLength - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end--;  // throws where there is none
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left; left--) {
    const [flags, how] = [8, 10].map((place) => view.getUint16(at + place, true));
    const size = view.getUint32(at + 20, true);
    if (flags & 1 || ![0, 8].includes(how)) throw new Error("locked, or packed in another way");
    const [name, extra, note] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const path = new TextDecoder().decode(new Uint8Array(buffer, at + 46, name));
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    let bytes = new Uint8Array(buffer, start, size);
    if (how === 8) {
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    }
    if (crc(bytes) !== view.getUint32(at + 16, true)) throw new Error("damaged");
    if (!hidden(path)) found.push(fileOf(path, bytes));
    at += 46 + name + extra + note;
  }
  return found;
}

// What is here stays as it is: another version comes beside it, with a number.
async function bringBack(files) {
  const text = (file) => (file.type === "directory" ? null : String(bytesOf(file)));
  const here = new Map((await stored()).map((file) => [file.path, text(file)]));
  const parents = (path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  const fresh = [];
  for (const file of files) {
    const content = String(bytesOf(file));
    let path = file.path;
    for (let n = 2; here.has(path) && here.get(path) !== content; n++) {
      path = file.path.replace(/(\.[^./]*)?$/, ` (${n})$1`);
    }
    const blocked = parents(path).some((folder) => typeof here.get(folder) === "string");
    if (here.has(path) || blocked) continue;
    here.set(path, content);
    fresh.push({ ...file, path, name: path.split("/").pop() });
  }
  const to = await store("files", "readwrite");
  for (const file of fresh) {
    for (const folder of parents(file.path)) to.put(folderOf(folder), folder);
    to.put(file, file.path);
  }
  await new Promise((yes, no) => {
    to.transaction.oncomplete = yes;
    to.transaction.onabort = () => no(to.transaction.error);
  });
  return fresh.length;
}

async function show() {
  const count = (await work()).length, last = localStorage.getItem("dicekit-saved");
  const when = last ? new Date(last).toLocaleString(document.documentElement.lang) : words.never;
  $("count").textContent = words.count.replace("{n}", count).replace("{when}", when);
  $("download").disabled = !count;
}
const guarded = (what) => async (event) => {
  try { await what(event); } catch (error) { say(`${words.failed} (${error.message || error})`); }
};
$("download").addEventListener("click", guarded(async () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(packed(await work()));
  link.download = `dicekit-${new Date().toISOString().slice(0, 10)}.zip`;
  link.click();
  localStorage.setItem("dicekit-saved", new Date().toISOString());
  await show();
  say(words.saved);
}));
$("back").addEventListener("change", guarded(async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  let files;
  try { files = await unpacked(await file.arrayBuffer()); } catch { return say(words.damaged); }
  const brought = await bringBack(files);
  await show();
  say(words.brought.replace("{n}", brought));
}));
window.addEventListener("focus", guarded(show));
for (const link of document.querySelectorAll("[data-locale]")) {  // the menus follow, too
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const locale = JSON.stringify({ locale: link.dataset.locale });
    try {
      await done((await store("settings", "readwrite")).put(locale, words.plugin));
    } catch { /* then the menus do not */ }
    location.href = link.href;
  });
}
$("insecure").hidden = window.isSecureContext && navigator.serviceWorker;
$("as-file").hidden = location.protocol !== "file:";
guarded(show)();
