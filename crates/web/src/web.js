'use strict';
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const one = (selector) => document.querySelector(selector);
  const slotOf = (name) => one(`[data-slot="${CSS.escape(name)}"]`);
  const ICONS = { running: '#2563c9', waiting_for_person: '#b7791f', done: '#1e7a36', failed: '#b42318' };
  // The server sends something at least every 10 seconds.
  const SILENCE_MS = 25_000;
  // How often a hidden tab asks for its title and icon.
  const HIDDEN_MS = 15_000;
  // The latest words of each call; the record has the whole text once the turn ends.
  const MAX_WORDS = 1_500;

  function duration(ms) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  }

  // How long ago a moment was, in the words of the server, which shows the date of earlier ones.
  function ago(at) {
    const minutes = Math.floor(Math.max(0, Date.now() - at) / 60_000);
    if (minutes < 1) return 'just now';
    if (minutes < 60) return `${minutes} min ago`;
    if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
    return minutes < 30 * 24 * 60 ? `${Math.floor(minutes / 60 / 24)} d ago` : null;
  }

  // Where the reader is in a part, to be restored after the part is replaced.
  function keyOf(it) {
    const near = it.parentElement.closest('[id], [data-of]');
    const base = near?.id || near?.dataset.of || '';
    const of = near ? all(it.tagName, near) : [];
    return `${it.tagName} ${base} ${of.indexOf(it)}`;
  }

  // Replaces the content of an element, and keeps the reader's place in it.
  function fill(slot, content) {
    const focus = document.activeElement;
    const focusKey = slot.contains(focus) && focus !== document.body ? keyOf(focus) : null;
    const toggled = new Map(all('details', slot).map((it) => [keyOf(it), it.open]));
    const known = new Set(all('[data-of]', slot).map((it) => it.dataset.of));
    slot.replaceChildren(content);
    all('details', slot).forEach((it) => (it.open = toggled.get(keyOf(it)) ?? it.open));
    if (known.size) all('[data-of]', slot).forEach((it) => it.classList.toggle('fresh', !known.has(it.dataset.of)));
    if (focusKey) all(focus.tagName, slot).find((it) => keyOf(it) === focusKey)?.focus({ preventScroll: true });
  }

  function replace(slot, part) {
    const template = document.createElement('template');
    template.innerHTML = part.html;
    fill(slot, template.content);
    slot.dataset.hash = part.hash;
  }

  function lost(isLost) {
    all('.lost').forEach((it) => (it.hidden = !isLost));
    document.body.classList.toggle('offline', isLost);
  }

  function showState(state) {
    document.body.dataset.state = state;
    const colour = (ICONS[state] ?? '#625d54').replace('#', '%23');
    const icon = one('#icon');
    icon.href = icon.href.replace(/fill='[^']*'/, `fill='${colour}'`);
  }

  function follow(address) {
    const { seq, state } = document.body.dataset;
    const words = new Map();
    let source, heard = Date.now(), loading = false, again = false, last = Number(seq);
    const loadedAt = Date.now();

    // While an earlier moment is shown, new events wait.
    let moment = null, playing = null;

    function hear() {
      heard = Date.now();
      lost(false);
    }

    function showWords() {
      words.forEach((text, call) => {
        const to = one(`[data-call="${CSS.escape(call)}"] .words`);
        if (to) to.textContent = text;
        else words.delete(call);
      });
    }

    // Playback: the links of the bar, without loading the page again.
    function show(link) {
      moment = new URL(link.href).searchParams.get('at');
      history.replaceState(null, '', link.href);
      load();
    }

    function play(isOn) {
      clearInterval(playing);
      const bar = () => one('.play');
      playing = isOn ? setInterval(() => {
        const next = bar()?.querySelector('[rel="next"]');
        next ? show(next) : play(false);
      }, 1600) : null;
      // From the end, playing starts again at the opening.
      if (isOn && !bar().querySelector('[rel="next"]')) {
        const first = bar().querySelector('[rel="first"]');
        if (first) show(first);
      }
      labelPlay();
    }

    function labelPlay() {
      all('[data-play]').forEach((it) => {
        it.hidden = false;
        it.classList.toggle('playing', Boolean(playing));
        const name = playing ? 'Pause (space)' : 'Play (space)';
        it.setAttribute('aria-label', name);
        it.title = name;
      });
    }

    document.addEventListener('click', (event) => {
      if (event.target.closest('[data-play]')) return play(!playing);
      const link = event.target.closest('.play a');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      play(false);
      show(link);
    });

    document.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest('input, textarea, select, button, summary, a, [contenteditable], #frame, #panel:not([hidden])')) {
        if (!event.target.closest('.play')) return;
      }
      if (event.key === ' ' && !event.target.closest('a, button')) return event.preventDefault(), play(!playing);
      const rel = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' }[event.key];
      const link = rel && one(`.play [rel="${rel}"]`);
      if (!link) return;
      event.preventDefault();
      play(false);
      show(link);
    });

    async function load() {
      if (loading) return (again = true);
      loading = true;
      try {
        const have = all('[data-slot]').map((it) => it.dataset.hash).join(',');
        const reply = await fetch(`${address}/parts?have=${have}${moment ? `&at=${moment}` : ''}`);
        if (!reply.ok) return;
        const { seq, state, title, parts } = await reply.json();
        last = Math.max(last, seq);
        document.title = `${title} · Agon`;
        showState(state);
        parts.forEach((part) => {
          const slot = slotOf(part.slot);
          // Never replace what the reader is writing.
          if (slot && !all('textarea, input[type="text"]', slot).some((it) => it.value !== it.defaultValue)) replace(slot, part);
        });
        showWords();
        labelPlay();
        tick();
        document.dispatchEvent(new Event('agon:replaced'));
      } catch {
        // The stream says that the connection is lost.
      } finally {
        loading = false;
        if (again) (again = false), load();
      }
    }

    // A browser opens only six connections to a server, so a hidden tab must not keep one.
    function pause() {
      source?.close();
      source = null;
      // Later words would not follow on these.
      words.clear();
    }

    function connect() {
      pause();
      if (document.hidden) return;
      source = new EventSource(`${address}/events?after=${last}`);
      source.onopen = () => (hear(), load());
      source.onerror = () => {
        lost(true);
        if (source?.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
      };
      source.addEventListener('beat', hear);
      source.addEventListener('state', () => (hear(), load()));
      source.addEventListener('words', (event) => {
        hear();
        const { call, words: more } = JSON.parse(event.data);
        words.set(call, ((words.get(call) ?? '') + more).slice(-MAX_WORDS));
        showWords();
      });
      source.addEventListener('line', (event) => {
        hear();
        last = Number(event.lastEventId);
        const { said } = JSON.parse(event.data);
        if (said) one('#announced').textContent = said;
        load();
      });
    }

    function tick() {
      all('.age').forEach((it) => (it.textContent = `last event ${duration(Math.max(0, Date.now() - Number(it.dataset.at)))} ago`));
      all('.since').forEach((it) => (it.textContent = duration(Math.max(0, Date.now() - Number(it.dataset.at)))));
      if (source && Date.now() - heard > SILENCE_MS && Date.now() - loadedAt > SILENCE_MS) lost(true);
    }

    showState(state);
    labelPlay();
    moment = new URL(location.href).searchParams.get('at');
    connect();
    tick();
    setInterval(tick, 1000);
    // A visible tab asks for the lines after its last one.
    document.addEventListener('visibilitychange', () => {
      heard = Date.now();
      connect();
    });
    setInterval(() => document.hidden && load(), HIDDEN_MS);
    addEventListener('pagehide', pause);
    addEventListener('pageshow', (event) => event.persisted && connect());
  }

  // The list is loaded again while a debate in it runs. A page of the team asks whether there is a
  // later version, which costs the server no more than the sizes of files.
  function refresh() {
    // The clocks of the server and of the browser can differ, so the page has the time left.
    const ends = new WeakMap();
    function endOf(it) {
      if (!ends.has(it)) ends.set(it, Date.now() + Number(it.dataset.left));
      return ends.get(it);
    }

    const isList = Boolean(one('[data-refresh="list"]'));
    let version = null;

    async function load() {
      if (document.hidden) return;
      if (isList && !one('[data-state="running"], [data-state="waiting_for_person"]')) return;
      const headers = { accept: 'text/html' };
      // The end of a lease is a change by time alone.
      if (version && !all('.left').some((it) => endOf(it) < Date.now())) headers['if-none-match'] = version;
      try {
        const reply = await fetch(location.href, { headers, cache: 'no-store' });
        lost(!(reply.ok || reply.status === 304));
        if (!reply.ok) return;
        version = reply.headers.get('etag');
        const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
        all('[data-refresh]').forEach((old) => {
          const now = fresh.querySelector(`[data-refresh="${old.dataset.refresh}"]`);
          if (!now || now.innerHTML === old.innerHTML) return;
          const content = document.createDocumentFragment();
          content.append(...now.childNodes);
          fill(old, content);
        });
      } catch {
        // Tried again at the next interval.
        lost(true);
      }
    }

    setInterval(load, isList ? 3000 : 1000);
    setInterval(() => all('.ago').forEach((it) => (it.textContent = ago(Number(it.dataset.at)) ?? it.textContent)), 1000);
    setInterval(() => all('.left').forEach((it) => (it.textContent = duration(endOf(it) - Date.now()))), 1000);
  }

  addEventListener('DOMContentLoaded', () => {
    if (document.body.dataset.live) follow(document.body.dataset.live);
    if (one('[data-refresh]')) refresh();
  });
})();
