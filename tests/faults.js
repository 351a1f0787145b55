// What is wrong with a board as it lies on the page, in words. `room` is how far down one can
// see: what is pressed next must lie above.
(board, room) => {
    const faults = new Set(), box = part => part.getBoundingClientRect(), outer = box(board);
    const name = part => `<${part.localName} class="${part.getAttribute('class') ?? ''}"> `
        + (part.innerText || part.value || '').trim().slice(0, 60);
    const fault = (kind, ...parts) => faults.add(`${kind}: ${parts.map(name).join(' and ')}`);
    const shown = [...board.querySelectorAll('*')].filter(part => part.checkVisibility()
        && part.getClientRects().length && !part.closest('.dk-unseen, .dk-style, .dk-plot'));
    const scrolls = part => part.closest('.dk-wide, .dk-scroll');
    const speaks = part => [...part.childNodes].some(node => node.nodeType === 3
        && node.data.trim());

    const pen = document.createElement('canvas').getContext('2d');
    const width = (words, font) => { pen.font = font; return pen.measureText(words).width; };
    for (const part of shown) {
        const at = box(part), style = getComputedStyle(part);
        if (!scrolls(part) && (at.right > outer.right + 1 || at.left < outer.left - 1))
            fault('outside', part);
        const hides = style.overflowX !== 'visible' && !part.matches('.dk-wide, .dk-scroll, input');
        const cut = hides && part.clientWidth && part.scrollWidth > part.clientWidth + 1;
        const chosen = part.matches('select:not([size])') && part.selectedOptions[0]?.text;
        if (cut || chosen && width(chosen, style.font) > part.clientWidth - 24)
            fault('cut off', part);
        if (part.matches('button') && part.scrollWidth > part.clientWidth + 3)
            fault('spills', part);
        if (hides && part.clientHeight && part.scrollHeight > part.clientHeight + 2)
            fault('cut off below', part);
        if (outer.width < 400 && part.matches('button') && Math.min(at.width, at.height) < 32)
            fault('small for a thumb', part);
    }

    const solid = shown.filter(part => !scrolls(part)
        && (part.matches('button, input, select, svg') || speaks(part)));
    for (const [k, one] of solid.entries()) for (const other of solid.slice(k + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        for (const a of one.getClientRects()) for (const b of other.getClientRects()) {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 2 && high > 3) fault('overlap', one, other);
        }
    }

    // Contrast, as WCAG 2 reckons it.
    const parts = part => part ? [part, ...parts(part.parentElement)] : [];
    const colour = text => text.match(/[\d.]+/g).map(Number);
    const mixed = (front, back, share) => front.slice(0, 3).map((c, k) =>
        c * share + back[k] * (1 - share));
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, k) => sum + c * [.2126, .7152, .0722][k], 0);
    for (const part of shown) {
        if (!speaks(part) && !part.matches('input, select') || part.closest('svg')) continue;
        const around = parts(part), style = getComputedStyle(part), ink = colour(style.color);
        const behind = around.map(p => colour(getComputedStyle(p).backgroundColor))
            .find(c => (c[3] ?? 1) > .99) ?? [255, 255, 255];
        const share = around.reduce((all, p) => all * getComputedStyle(p).opacity, ink[3] ?? 1);
        const [low, high] = [light(mixed(ink, behind, share)), light(behind)].sort((a, b) => a - b);
        if ((high + .05) / (low + .05) < 4.5) fault('pale', part);
    }

    for (const part of board.querySelectorAll('.dk-go, .dk-row, .dk-die'))
        if (room && part.checkVisibility() && box(part).bottom > outer.top + room)
            fault('out of sight', part);
    const area = board.closest('.jp-OutputArea-output');
    if (area.scrollWidth > area.clientWidth + 1) faults.add('the page scrolls sideways');
    return [...faults];
}
