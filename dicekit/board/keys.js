// The keyboard and the screen reader at a board.
//
// A board is made of plain widgets, and this file only watches them in the page. A key presses
// the button that a mouse would press, so there is no second way into the game. Its places are
// told by classes: .dk-die a die, .dk-aside one that is set aside, .dk-key-throw the button to
// throw, .dk-first what one would do next, .dk-toggle a button that is on (.dk-on) or off,
// .dk-typing where the throws of real dice are typed.

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const QUIET = 60; // milliseconds without a change: the board has done answering
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
const NEXT = [
  ".dk-typing input",
  ".dk-go.dk-key-coach", // at the end of a game: the review, and no new game by mistake
  ".dk-first",
  ".dk-die:not(.dk-dead)",
  ".dk-die",
  "button, input",
];
// What is to be seen when it opens; who does something in it stays there.
const OPENING = ".dk-shelf, .dk-teacher, .dk-explorer, .dk-coach, .dk-house, .dk-vote";
// When these words change, the game is to be seen: as much of it as there is room for.
const TOLD = ".dk-title, .dk-die, .dk-say, .dk-unseen";
const GAME = [
  ".dk-dice", ".dk-say", ".dk-strips", ".dk-first", ".dk-buttons", ".dk-score", ".dk-title",
];
// What ipywidgets puts where a widget is to come.
const COMING = ".lm-Widget:not([class*=widget]):empty";
// JupyterLab takes "b" for "insert a cell", and "d d" for "delete it": not in here.
const SUPPRESS = "data-lm-suppress-shortcuts";

function render({ model, el }) {
  const [status, help] = [document.createElement("div"), document.createElement("dialog")];
  status.setAttribute("role", "status");
  status.className = "dk-unseen";
  status.textContent = model.get("said").trimEnd();
  el.append(status, help);
  let timer = 0;
  model.on("change:said", () => {
    clearTimeout(timer);
    timer = setTimeout(() => say(status, model.get("said").trimEnd()), 2 * QUIET);
  });

  const ended = new AbortController();
  whenIn(".dk-board", el, ended.signal, (board) => watch(board, help, model, ended.signal));
  return () => ended.abort();
}

/** Change the text of a live region. It is always another text, so the same is heard again. */
function say(status, text) {
  status.textContent = text && text === status.textContent ? `${text}\u00a0` : text;
}

/** Call back with the element of this kind around `el`, which is put into the page later. */
function whenIn(kind, el, signal, found) {
  if (signal.aborted) return;
  if (el.closest(kind)) found(el.closest(kind));
  else setTimeout(() => whenIn(kind, el, signal, found), 50);
}

function watch(board, help, model, signal) {
  // What has the focus, or had it when it was hidden; null: the focus is elsewhere in the page.
  // The board remembers it, for it outlives its parts: they are made anew in another language.
  board.dicekit ??= { focused: board.contains(document.activeElement) && document.activeElement };
  const memory = board.dicekit;
  let typing = false; // whether a throw is to be typed
  let opened = new Set(); // the parts that are open
  let timer = 0;

  const all = (kind) => [...board.querySelectorAll(kind)].filter(usable);
  const seen = (kind) => [...board.querySelectorAll(kind)].filter((part) => part.checkVisibility());
  const listen = (target, type, act) =>
    target.addEventListener(type, act, { signal, capture: true });

  /** Say in attributes what the classes show to the eye. */
  function mark() {
    for (const button of board.querySelectorAll(".dk-die, .dk-toggle")) {
      const on = button.classList.contains(button.matches(".dk-die") ? "dk-aside" : "dk-on");
      setAttribute(button, "aria-pressed", String(on));
    }
    setAttribute(board, "aria-label", board.querySelector("h2")?.textContent || "dicekit");
  }

  /** After the last of many changes, the focus is on something that can be used. */
  function settle() {
    const remade = memory.focused && !memory.focused.isConnected;
    if (remade && board.querySelector(COMING)) return; // it is settled when all has come
    const [field] = all(".dk-typing input");
    const begins = field && !typing;
    const [typed] = typing && !field ? all(".dk-die") : []; // where Enter cannot bank
    typing = Boolean(field);
    const open = all(OPENING);
    const news = open.find((part) => !opened.has(part));
    const closed = [...opened].some((part) => !open.includes(part));
    opened = new Set(open);
    const { focused, acted } = memory;
    const asked = news?.matches(".dk-vote") && acted?.matches("button");
    const [vote] = asked ? all(".dk-vote input") : [];
    if (vote) {
      vote.focus();
      vote.select();
    }
    else if (!focused || help.open) ; // leave it
    else if (begins && !(usable(focused) && focused.matches(TYPING))) field.focus();
    else if (!useful(focused)) {
      (typed ?? beside(focused)[0] ?? twin(focused) ?? NEXT.flatMap(all)[0])?.focus();
    }
    else if (document.activeElement === board) focused.focus();
    showNews(news, closed);
  }

  /** Bring into view what has just opened or was said, for a person who did something here. */
  function showNews(news, closed) {
    const { acted, told, message } = memory;
    memory.told = seen(TOLD).map((part) => part.textContent).join("\n");
    memory.message = seen(".dk-said p")[0] ?? message;
    if (!acted || (acted.matches(TYPING) && !acted.closest(".dk-play"))) return;
    const busy = acted.closest(OPENING)?.checkVisibility();
    if (news && !news.matches(".dk-vote")) news.scrollIntoView({ block: "nearest" });
    else if (memory.message !== message) memory.message.scrollIntoView({ block: "nearest" });
    else if (!busy && (closed || memory.told !== told)) {
      showFirst(acted.matches(".dk-die") ? GAME.slice(0, 1) : GAME);
    }
  }

  /** Bring the first of these parts into view, and with it those for which there is room. */
  function showFirst(kinds) {
    const boxes = kinds.flatMap((kind) => seen(kind)).map((part) => part.getBoundingClientRect());
    const view = viewOf(board);
    let { top, bottom } = boxes.find((box) => box.height) ?? view;
    for (const box of boxes.filter((box) => box.height)) {
      const [above, below] = [Math.min(top, box.top), Math.max(bottom, box.bottom)];
      if (below - above <= view.bottom - view.top) [top, bottom] = [above, below];
    }
    view.scroller.scrollBy(0, Math.min(top - view.top, Math.max(bottom - view.bottom, 0)));
  }

  /** Whether it is of use to have the focus here: not on the dice of a throw that is over. */
  function useful(element) {
    if (element.matches(".dk-die") && !all(".dk-die:not(.dk-dead)").length) return false;
    return element !== board && usable(element);
  }

  /** The buttons of the same row, if it is one of dice, of a score sheet or the like. */
  function beside(button) {
    const row = button.matches(".dk-die, .dk-row") ? button.parentElement?.children : null;
    return [...(row ?? [])].filter((other) => usable(other) && !other.matches(".dk-dead"));
  }

  /** What stands where this stood, if that was made anew in another language. */
  function twin(element) {
    return element.isConnected ? null : all(element.localName)[memory.place];
  }

  function changed() {
    mark();
    const { focused } = memory;
    if (focused && !usable(focused)) board.focus({ preventScroll: true }); // until all is settled
    clearTimeout(timer);
    const remade = focused && !focused.isConnected; // which takes longer
    timer = setTimeout(settle, remade ? 20 * QUIET : QUIET);
  }

  function press(event) {
    const { key, code, repeat, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!help.open && key === "Enter" && !repeat && !event.isComposing) enter(target);
    if (help.open || target.matches(TYPING)) return;
    if (repeat && !(key in STEPS)) {
      if (key === "Enter") event.preventDefault(); // a key that is held down acts once
      return;
    }
    // The key's place, not its sign: a French keyboard has & where others have 1.
    const digit = /^(?:Digit|Numpad)([1-6])$/.exec(code)?.[1];
    const name = names()[key.toLowerCase()];
    if (key === "?") showHelp();
    else if (name) find(name)?.click();
    else if (digit) all(".dk-die")[digit - 1]?.click();
    else if (key in STEPS && step(target, STEPS[key])) event.preventDefault();
  }

  /** Enter in a field presses the button that stands beside it, once the text was sent. */
  function enter(field) {
    const button = all(".dk-row").find((other) => other.parentElement.contains(field));
    if (!button || !field.matches(TYPING)) return;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    setTimeout(() => button.click(), QUIET);
  }

  /** Copy the field beside a button; the board is told only of what was copied. */
  function copy(event) {
    event.target.parentElement.querySelector("input").select();
    // There is no navigator.clipboard where the page comes over plain http.
    if (document.execCommand("copy")) event.target.focus();
    else event.stopImmediatePropagation();
  }

  /** The button of this name; one may look back also while the panel for it is closed. */
  function find(name) {
    return all(`.dk-key-${name}`)[0] ?? (name === "back" ? board.querySelector(".dk-key-back") : null);
  }

  /** The buttons by their keys, which are other letters in other languages. */
  function names() {
    const keys = model.get("help").slice(2);
    return Object.fromEntries(keys.map(([key, , name]) => [key.toLowerCase(), name]));
  }

  /** Go from a button to the one beside it, and say whether it is a row of buttons. */
  function step(button, by) {
    const row = all("button").filter((other) => other.parentElement === button.parentElement);
    row[(row.indexOf(button) + by + row.length) % row.length]?.focus();
    return row.length > 0;
  }

  function showHelp() {
    const [title, close, ...keys] = model.get("help");
    const rows = keys.map(([key, words]) => {
      return make("div", make("dt", make("kbd", key)), make("dd", words));
    });
    const button = make("button", close);
    button.className = "widget-button dk-go";
    const form = make("form", button);
    form.method = "dialog";
    help.setAttribute("aria-label", title);
    help.replaceChildren(make("h3", title), make("dl", ...rows), form);
    help.showModal();
  }

  board.setAttribute("role", "group");
  board.tabIndex = -1;
  // JupyterLab listens at the document: the window hears it first. What JupyterLab looks for is
  // ":focus", so the attribute must be on the button itself. Ctrl + S stays JupyterLab's.
  listen(window, "keydown", ({ target, ctrlKey, metaKey }) => {
    if (board.contains(target)) target.toggleAttribute(SUPPRESS, !ctrlKey && !metaKey);
  });
  listen(board, "keydown", press);
  listen(board, "click", (event) => {
    // The second half of a double click would throw again, or press what has come there.
    if (event.detail > 1 && event.target.closest(".dk-go, .dk-rows button")) {
      event.stopImmediatePropagation();
    }
    else if (event.target.closest(".dk-key-help")) showHelp();
    else if (event.target.closest(".dk-key-copy")) copy(event);
  });
  listen(document, "focusin", ({ target }) => {
    if (target === board) memory.focused ??= board;
    else memory.focused = board.contains(target) ? target : null;
    if (memory.focused === target) memory.place = all(target.localName).indexOf(target);
  });
  for (const type of ["keydown", "click"]) {
    listen(document, type, ({ target }) => {
      memory.acted = board.contains(target) ? target : null;
    });
  }
  listen(document, "click", () => {
    if (!board.contains(document.activeElement)) memory.focused = null; // a click beside the board
  });
  const observer = new MutationObserver(changed);
  const attributeFilter = ["class", "style", "disabled"];
  observer.observe(board, { subtree: true, childList: true, attributes: true, attributeFilter });
  signal.addEventListener("abort", () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  changed();
}

/** What scrolls an element, the notebook or the page, and between which heights it shows it. */
function viewOf(element) {
  for (let part = element; (part = part.parentElement) && part !== document.body; ) {
    const scrolls = /auto|scroll/.test(getComputedStyle(part).overflowY);
    if (scrolls && part.scrollHeight > part.clientHeight + 1) {
      const { top } = part.getBoundingClientRect();
      return { scroller: part, top, bottom: top + part.clientHeight };
    }
  }
  return { scroller: window, top: 0, bottom: innerHeight };
}

function usable(element) {
  return element.isConnected && !element.disabled && element.checkVisibility();
}

function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function make(kind, ...content) {
  const element = document.createElement(kind);
  element.append(...content);
  return element;
}

export default { render };
