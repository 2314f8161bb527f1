'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const byId = (id) => document.getElementById(id);
  const calm = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth');
  const graph = () => byId('graph');
  const nodes = () => Array.from(graph()?.querySelectorAll('.node') ?? []);
  const nodeOf = (id) => nodes().find((node) => node.getAttribute('href') === '#' + id);
  const pointOf = (id) => {
    const found = id ? byId(id) : null;
    return found?.matches('article.point') ? found : null;
  };
  let chosen = null;
  let cameFrom = null;

  // The panel shows a copy of the point's article in the transcript.
  function choose(id) {
    const point = pointOf(id);
    if (!point) return false;
    const copy = point.cloneNode(true);
    copy.removeAttribute('id');
    const panel = byId('panel');
    panel.querySelector('.body').replaceChildren(copy);
    const { turn } = point.dataset;
    panel.querySelector('.where').setAttribute('href', turn ? '#turn-' + turn : '#scores');
    panel.hidden = false;
    panel.scrollTop = 0;
    root.classList.add('open');
    chosen = id;
    mark(id);
    return true;
  }

  function mark(id) {
    const svg = graph();
    if (!svg) return;
    svg.querySelectorAll('.on, .near').forEach((it) => it.classList.remove('on', 'near'));
    const node = id && nodeOf(id);
    svg.classList.toggle('picked', Boolean(node));
    if (!node) return;
    const near = new Set();
    svg.querySelectorAll(`.wire[data-n~="${Number(node.dataset.n)}"]`).forEach((wire) => {
      wire.classList.add('near');
      wire.dataset.n.split(' ').forEach((end) => near.add(end));
    });
    nodes().forEach((it) => it.classList.toggle('near', near.has(it.dataset.n)));
    node.classList.add('on');
    seat(node);
  }

  // One box is in the order of tabs; arrows lead to the others.
  function seat(node) {
    nodes().forEach((it) => it.setAttribute('tabindex', it === node ? '0' : '-1'));
  }

  function show(node) {
    const frame = byId('frame'), a = node.getBoundingClientRect(), b = frame.getBoundingClientRect();
    if (a.left < b.left || a.right > b.right || a.top < b.top || a.bottom > b.bottom) {
      frame.scrollBy({
        left: a.left + a.width / 2 - b.left - b.width / 2,
        top: a.top + a.height / 2 - b.top - b.height / 2,
        behavior: calm(),
      });
    }
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
    x ??= frame.clientWidth / 2;
    y ??= frame.clientHeight / 2;
    const left = (frame.scrollLeft + x) * (next / old) - x, top = (frame.scrollTop + y) * (next / old) - y;
    svg.setAttribute('width', view.width * next);
    svg.setAttribute('height', view.height * next);
    frame.scrollTo(left, top);
  }

  function move(from, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const middle = (it) => {
      const box = it.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
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
    if (button?.id === 'theme') {
      const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
      root.dataset.theme = dark ? 'light' : 'dark';
    } else if (button?.dataset.zoom) {
      zoom({ in: 1.25, out: 0.8 }[button.dataset.zoom] ?? 'fit');
    } else if (button?.dataset.fold) {
      document.querySelectorAll('details.round').forEach((it) => (it.open = button.dataset.fold === 'open'));
    }
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const id = link.getAttribute('href').slice(1);
    if (!choose(id)) return;
    event.preventDefault();
    if (!link.closest('#panel')) cameFrom = link;
    history.pushState(null, '', '#' + id);
    const node = nodeOf(id);
    if (node) show(node);
    byId('panel').focus({ preventScroll: true });
  });

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close();
    const node = event.target.closest?.('#graph .node');
    if (node && event.key.startsWith('Arrow') && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      move(node, event.key);
    }
  });

  function follow() {
    const id = location.hash.slice(1);
    if (!choose(id)) return;
    byId('explore').scrollIntoView();
    const node = nodeOf(id);
    if (node) show(node);
  }

  function gestures(frame) {
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
    });
    addEventListener('pointerup', () => {
      held = null;
      setTimeout(() => frame.classList.remove('held'));
    });
    frame.addEventListener('click', (event) => {
      if (!frame.classList.contains('held')) return;
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
    frame.addEventListener('dragstart', (event) => event.preventDefault());
    frame.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    const spread = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    frame.addEventListener('touchstart', (event) => { if (event.touches.length === 2) apart = spread(event.touches); }, { passive: true });
    frame.addEventListener('touchmove', (event) => {
      if (event.touches.length !== 2 || !apart) return;
      event.preventDefault();
      const now = spread(event.touches), [one, two] = event.touches, box = frame.getBoundingClientRect();
      zoom(now / apart, (one.clientX + two.clientX) / 2 - box.left, (one.clientY + two.clientY) / 2 - box.top);
      apart = now;
    }, { passive: false });
  }

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('.tools, .folds, #theme').forEach((it) => (it.hidden = false));
    const svg = graph();
    if (svg) {
      const fit = byId('frame').clientWidth / svg.viewBox.baseVal.width;
      zoom(Math.min(1, Math.max(0.55, fit)));
      byId('frame').scrollLeft = 0;
      if (nodes().length) seat(nodes()[0]);
      gestures(byId('frame'));
    }
  });
  // After the browser has gone to the fragment by itself.
  addEventListener('load', () => setTimeout(follow));
  addEventListener('hashchange', follow);
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = Array.from(document.querySelectorAll('details:not([open])'));
    folded.forEach((it) => (it.open = true));
  });
  addEventListener('afterprint', () => folded.forEach((it) => (it.open = false)));
})();
