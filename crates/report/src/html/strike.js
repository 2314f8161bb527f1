'use strict';
// Returns a function that computes the strengths of a graph without some of its points, by
// quadratic energy, as `argue` does. `edges` has a triple for each edge: from, to and weight, which
// is negative for an attack. A test compares 1,000 graphs with `argue`.
function agonStrengths(base, edges) {
  const count = base.length;
  const into = Array.from({ length: count }, () => []), onto = Array.from({ length: count }, () => []);
  for (let at = 0; at + 2 < edges.length; at += 3) {
    into[edges[at + 1]].push(edges[at], edges[at + 2]);
    onto[edges[at]].push(edges[at + 1]);
  }
  // Sources first. What is left over is part of a cycle, or depends on one.
  const waits = into.map((parents) => parents.length / 2);
  const order = base.map((_, at) => at).filter((at) => waits[at] === 0);
  for (let at = 0; at < order.length; at++) {
    onto[order[at]].forEach((to) => --waits[to] === 0 && order.push(to));
  }
  const cyclic = base.map((_, at) => at).filter((at) => waits[at] > 0);

  return (struck) => {
    const strengths = Float64Array.from(base);
    function settle(at) {
      if (struck.has(at)) return 0;
      let energy = 0;
      const parents = into[at];
      for (let nth = 0; nth < parents.length; nth += 2) energy += strengths[parents[nth]] * parents[nth + 1];
      const share = (energy * energy) / (1 + energy * energy);
      return energy > 0 ? base[at] + (1 - base[at]) * share : base[at] - base[at] * share;
    }
    order.forEach((at) => (strengths[at] = settle(at)));
    for (let step = 0, change = 1; cyclic.length && step < 10_000 && change > 1e-12; step++) {
      const next = cyclic.map(settle);
      change = 0;
      cyclic.forEach((at, nth) => {
        change = Math.max(change, Math.abs(strengths[at] - next[nth]));
        strengths[at] = next[nth];
      });
    }
    return strengths;
  };
}
