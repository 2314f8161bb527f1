'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const byId = (id) => document.getElementById(id);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const graph = () => byId('graph');
  const nodes = () => all('#graph .node');
  const nodeOf = (id) => nodes().find((node) => node.getAttribute('href') === '#' + id);
  let chosen = null, cameFrom = null, folded = [], gesturing = null;

  // A chapter of a long transcript stays plain text until it is opened.
  const unfold = (chapter) => chapter.querySelectorAll('noscript').forEach((it) => (it.outerHTML = it.textContent));

  function find(id) {
    const round = /^(?:[a-z]+_|turn-r)(\d+)/.exec(id)?.[1];
    const holds = (it) => Number(it.dataset.first) <= round && round <= Number(it.dataset.last);
    if (round && !byId(id)) all('.chapter').filter(holds).forEach(unfold);
    return id ? byId(id) : null;
  }

  // The panel shows a copy of the point's article in the transcript.
  function choose(id) {
    const point = find(id);
    if (!point?.matches('article.point')) return false;
    const copy = point.cloneNode(true);
    copy.removeAttribute('id');
    const panel = byId('panel'), { turn } = point.dataset;
    panel.querySelector('.body').replaceChildren(copy);
    panel.querySelector('.where').setAttribute('href', turn ? '#turn-' + turn : '#scores');
    Object.assign(panel, { hidden: false, scrollTop: 0 });
    root.classList.add('open');
    chosen = id;
    mark(id);
    showStruck();
    return true;
  }

  function mark(id) {
    all('#graph .on, #graph .near').forEach((it) => it.classList.remove('on', 'near'));
    const node = id && nodeOf(id);
    graph()?.classList.toggle('picked', Boolean(node));
    if (!node) return;
    const near = new Set();
    all(`#graph .wire[data-n~="${Number(node.dataset.n)}"]`).forEach((wire) => {
      wire.classList.add('near');
      wire.dataset.n.split(' ').forEach((end) => near.add(end));
    });
    nodes().forEach((it) => it.classList.toggle('near', near.has(it.dataset.n)));
    node.classList.add('on');
    seat(node);
    show(node);
  }

  // What if this had not been said: points that the reader struck, by their ids.
  const struck = new Set();
  let weighed = null;

  function weigh() {
    const it = byId('weights');
    if (!it) return null;
    if (weighed?.of === it) return weighed;
    const numbers = (text) => text.split(' ').filter(Boolean).map(Number);
    const ids = it.dataset.ids.split(' ');
    const strengths = agonStrengths(numbers(it.dataset.base), numbers(it.dataset.edges));
    return (weighed = { of: it, ids, at: new Map(ids.map((id, at) => [id, at])), strengths, before: strengths(new Set()) });
  }

  function showStruck() {
    const graph = weigh(), bar = byId('what-if');
    all('.struck').forEach((it) => it.classList.remove('struck'));
    struck.forEach((id) => {
      [nodeOf(id), byId(id), ...all(`[data-of="${id}"]`)].forEach((it) => it?.classList.add('struck'));
    });
    if (!bar) return;
    bar.hidden = !struck.size || !graph;
    byId('strike').hidden = !graph?.at.has(chosen);
    byId('strike').textContent = struck.has(chosen) ? 'Restore' : 'Strike';
    if (bar.hidden) return;
    const now = graph.strengths(new Set([...struck].map((id) => graph.at.get(id))));
    const lead = (of) => (Math.abs(of[0] - of[1]) <= 1e-6 ? null : graph.ids[of[0] > of[1] ? 0 : 1]);
    const [was, is] = [lead(graph.before), lead(now)];
    const sides = [0, 1].map((at) => `${graph.ids[at]} ${graph.before[at].toFixed(2)} → ${now[at].toFixed(2)}`);
    const outcome = is === was ? (is ? `The ${is} still leads` : 'Neither side leads, as before')
      : is ? `Now the ${is} leads` : 'Now neither side leads';
    const named = [...struck].slice(0, 6).join(', ') + (struck.size > 6 ? ` and ${struck.size - 6} more` : '');
    bar.querySelector('p').textContent = `Without ${named}: ${sides.join(', ')}. ${outcome} in the graph; the verdict stays as it was.`;
  }

  function strike(id) {
    if (!weigh()?.at.has(id)) return;
    struck.has(id) ? struck.delete(id) : struck.add(id);
    showStruck();
  }

  // One box is in the tab order; the arrow keys move to the others.
  const seat = (node) => nodes().forEach((it) => it.setAttribute('tabindex', it === node ? '0' : '-1'));

  function middle(it) {
    const box = it.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  function show(node) {
    const frame = byId('frame'), a = node.getBoundingClientRect(), b = frame.getBoundingClientRect();
    if (a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom) return;
    const [x, y] = middle(node), [x0, y0] = middle(frame);
    frame.scrollBy(x - x0, y - y0);
  }

  function close() {
    if (byId('panel').hidden) return;
    byId('panel').hidden = true;
    root.classList.remove('open');
    mark(null);
    history.replaceState(null, '', location.pathname + location.search);
    (cameFrom ?? nodeOf(chosen))?.focus({ preventScroll: true });
    chosen = cameFrom = null;
  }

  function zoom(factor, x, y) {
    const svg = graph(), frame = byId('frame'), view = svg.viewBox.baseVal;
    const old = svg.width.baseVal.value / view.width;
    const next = Math.min(2.5, Math.max(0.12, factor === 'fit' ? frame.clientWidth / view.width : old * factor));
    const box = frame.getBoundingClientRect(), [x0, y0] = middle(frame);
    const dx = (x ?? x0) - box.left, dy = (y ?? y0) - box.top;
    const left = (frame.scrollLeft + dx) * (next / old) - dx, top = (frame.scrollTop + dy) * (next / old) - dy;
    svg.setAttribute('width', view.width * next);
    svg.setAttribute('height', view.height * next);
    frame.scrollTo(left, top);
  }

  function move(from, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const [x0, y0] = middle(from);
    let best = null, least = Infinity;
    nodes().forEach((it) => {
      const [x, y] = middle(it), along = (x - x0) * dx + (y - y0) * dy;
      const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
      if (it !== from && along > 1 && along + 2 * aside < least) [best, least] = [it, along + 2 * aside];
    });
    if (!best) return;
    seat(best);
    best.focus({ preventScroll: true });
    show(best);
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button?.id === 'close') return close();
    if (button?.id === 'strike') return strike(chosen);
    if (button?.id === 'restore') return struck.clear(), showStruck();
    if (button?.id === 'theme') {
      const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
      root.dataset.theme = isDark ? 'light' : 'dark';
    } else if (button?.dataset.zoom) {
      zoom({ in: 1.25, out: 0.8 }[button.dataset.zoom] ?? 'fit');
    } else if (button?.dataset.fold) {
      all('details.round, .chapter').forEach((it) => (it.open = button.dataset.fold === 'open'));
    }
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const id = link.getAttribute('href').slice(1);
    if (!choose(id)) return;
    event.preventDefault();
    if (!link.closest('#panel')) cameFrom = link;
    history.pushState(null, '', '#' + id);
    byId('panel').focus({ preventScroll: true });
  });

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close();
    const node = event.target.closest?.('#graph .node');
    if (!node || !event.key.startsWith('Arrow') || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(node, event.key);
  });

  document.addEventListener('toggle', (event) => {
    if (event.target.matches?.('.chapter[open]')) unfold(event.target);
  }, { capture: true });

  function follow() {
    const id = location.hash.slice(1);
    if (choose(id)) byId('explore').scrollIntoView();
    else find(id)?.scrollIntoView();
  }

  function gestures(frame) {
    // A picture that was replaced no longer listens.
    gesturing?.abort();
    gesturing = new AbortController();
    const { signal } = gesturing;
    let held = null, apart = 0;
    frame.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button === 0) held = { x: event.clientX, y: event.clientY, moved: false };
    });
    addEventListener('pointermove', (event) => {
      if (!held) return;
      const x = event.clientX - held.x, y = event.clientY - held.y;
      if (!held.moved && Math.hypot(x, y) < 5) return;
      frame.scrollBy(-x, -y);
      frame.classList.add('held');
      held = { x: event.clientX, y: event.clientY, moved: true };
    }, { signal });
    addEventListener('pointerup', () => {
      held = null;
      setTimeout(() => frame.classList.remove('held'));
    }, { signal });
    frame.addEventListener('click', (event) => {
      if (frame.classList.contains('held')) event.preventDefault(), event.stopPropagation();
    }, { capture: true });
    frame.addEventListener('dragstart', (event) => event.preventDefault());
    frame.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    }, { passive: false });
    frame.addEventListener('touchmove', (event) => {
      if (event.touches.length !== 2) return (apart = 0);
      event.preventDefault();
      const [one, two] = event.touches, now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
      if (apart) zoom(now / apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
      apart = now;
    }, { passive: false });
    frame.addEventListener('touchend', () => (apart = 0));
  }

  function prepare() {
    all('.tools, .folds, #theme').forEach((it) => (it.hidden = false));
    if (struck.size) showStruck();
    const svg = graph(), frame = byId('frame');
    if (!svg || frame.dataset.ready) return;
    frame.dataset.ready = 'yes';
    // On a phone the picture is only an overview; people read the list.
    const isNarrow = frame.clientWidth < 640;
    if (isNarrow) all('.index').forEach((it) => (it.open = true));
    zoom(isNarrow ? 'fit' : Math.min(1, Math.max(0.8, frame.clientWidth / svg.viewBox.baseVal.width)));
    frame.scrollTo((svg.width.baseVal.value - frame.clientWidth) / 2, 0);
    if (nodes().length) seat(nodes()[0]);
    gestures(frame);
    if (chosen) mark(chosen);
  }

  addEventListener('DOMContentLoaded', prepare);
  // A server replaces parts of the page while the debate runs.
  document.addEventListener('agon:replaced', prepare);
  // After the browser has scrolled to the fragment.
  addEventListener('load', () => setTimeout(follow));
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => {
    all('.chapter').forEach(unfold);
    folded = all('details:not([open])');
    folded.forEach((it) => (it.open = true));
  });
  addEventListener('afterprint', () => folded.forEach((it) => (it.open = false)));
})();
