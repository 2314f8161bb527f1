"""Answers questions about argument graphs with the packages that are installed.

Each line of the input is a question in JSON, each line of the output its answers, by package.
"""

import contextlib
import io
import itertools
import json
import math
import sys


def load(find):
    try:
        return find()
    except ImportError:
        return None


def find_pygarg():
    from pygarg.dung import solver

    return solver


def find_dung():
    from argumentation.core import dung

    return dung


def find_formal():
    from argumentation.gradual import dfquad, gradual

    return dfquad, gradual


def find_qbaf():
    import qbaf

    return qbaf


def find_uncertainpy():
    import uncertainpy.gradual as gradual
    import uncertainpy.gradual.semantics as semantics

    return gradual, semantics


PYGARG, DUNG, FORMAL, QBAF, UNCERTAINPY = map(
    load, [find_pygarg, find_dung, find_formal, find_qbaf, find_uncertainpy]
)
QBAF_NAMES = {
    "df-quad": "DFQuAD_model",
    "quadratic-energy": "QuadraticEnergy_model",
    "euler": "EulerBased_model",
    "euler-top": "EulerBasedTop_model",
    "squared-df-quad": "SquaredDFQuAD_model",
}
LIMIT = 10_000


def extensions(n, attacks):
    names = [f"a{at}" for at in range(n)]
    listed = lambda sets: sorted(sorted(int(it[1:]) for it in one) for one in sets)
    answer = {}
    if PYGARG:
        pairs = [[names[a], names[b]] for a, b in attacks]
        answer["pygarg"] = {
            code: listed(PYGARG.extension_enumeration(names, pairs, code))
            for code in ["GR", "CO", "PR", "ST", "SST", "ID"]
        }
    if DUNG:
        af = DUNG.ArgumentationFramework(
            arguments=frozenset(names),
            defeats=frozenset((names[a], names[b]) for a, b in attacks),
        )
        answer["formal-argumentation"] = {
            "GR": listed([DUNG.grounded_extension(af)]),
            "CO": listed(DUNG.complete_extensions(af)),
            "PR": listed(DUNG.preferred_extensions(af)),
            "ST": listed(DUNG.stable_extensions(af)),
            "SST": listed(DUNG.semi_stable_extensions(af)),
            "STG": listed(DUNG.stage_extensions(af)),
            "ID": listed([DUNG.ideal_extension(af)]),
            "EAG": listed([DUNG.eager_extension(af)]),
        }
    return answer


def by_formal(base, attacks, supports, name):
    dfquad, gradual = FORMAL
    name_of = str
    graph = gradual.WeightedBipolarGraph(
        frozenset(map(name_of, base)),
        {name_of(a): w for a, w in base.items()},
        frozenset((name_of(a), name_of(b)) for a, b in attacks),
        frozenset((name_of(a), name_of(b)) for a, b in supports),
    )
    solve = {
        "df-quad": dfquad.dfquad_strengths,
        "quadratic-energy": gradual.quadratic_energy_strengths_discrete,
    }[name]
    result = solve(graph, tolerance=1e-13, max_iterations=LIMIT)
    return {a: result.strengths[name_of(a)] for a in base} if result.converged else None


def qbaf_framework(base, attacks, supports, name):
    return QBAF.QBAFramework(
        list(base),
        list(base.values()),
        attacks,
        supports,
        semantics=QBAF_NAMES[name],
        allow_cycles=True,
        max_iterations=LIMIT,
        convergence_threshold=1e-13,
    )


def by_qbaf(base, attacks, supports, name):
    try:
        return dict(qbaf_framework(base, attacks, supports, name).final_strengths)
    except RuntimeError:
        return None


def by_uncertainpy(base, attacks, supports, name):
    gradual, semantics = UNCERTAINPY
    aggregation, influence = {
        "df-quad": lambda: (semantics.ProductAggregation(), semantics.LinearInfluence(1)),
        "quadratic-energy": lambda: (semantics.SumAggregation(), semantics.QuadraticMaximumInfluence(1)),
        "euler": lambda: (semantics.SumAggregation(), semantics.EulerBasedInfluence()),
        "mlp": lambda: (semantics.SumAggregation(), semantics.MLPBasedInfluence()),
    }[name]()
    bag = gradual.BAG()
    nodes = {a: gradual.Argument(str(a), w) for a, w in base.items()}
    for node in nodes.values():
        bag.arguments[node.name] = node
    for a, b in attacks:
        bag.add_attack(nodes[a], nodes[b])
    for a, b in supports:
        bag.add_support(nodes[a], nodes[b])
    with contextlib.redirect_stdout(io.StringIO()):
        found = gradual.algorithms.computeStrengthValues(bag, aggregation, influence)
        if found is not None:
            return {a: found[node] for a, node in nodes.items()}
        model = semantics.ContinuousModularModel()
        model.aggregation, model.influence, model.BAG = aggregation, influence, bag
        model.approximator = gradual.algorithms.RK4(model)
        model.solve(0.1, 1e-12, verbose=False)
    return {a: node.strength for a, node in nodes.items()}


SOLVERS = {}
if FORMAL:
    SOLVERS["formal-argumentation"] = (by_formal, ["df-quad", "quadratic-energy"])
if QBAF:
    SOLVERS["qbaf"] = (by_qbaf, list(QBAF_NAMES))
if UNCERTAINPY:
    SOLVERS["uncertainpy"] = (by_uncertainpy, ["df-quad", "quadratic-energy", "euler", "mlp"])


def strengths(base, attacks, supports):
    base = dict(enumerate(base))
    answer = {}
    for peer, (solve, names) in SOLVERS.items():
        found = {name: solve(base, attacks, supports, name) for name in names}
        answer[peer] = {
            name: one and [one[a] for a in base] for name, one in found.items()
        }
    return answer


def defined(solve, name, base, attacks, supports):
    """Contributions to argument 0 by their definitions, over the strengths that a peer gives."""

    def sigma(keep, without_edges_into=None, changed=None):
        inside = lambda edges: [
            (a, b) for a, b in edges if a in keep and b in keep and b != without_edges_into
        ]
        weights = {a: base[a] for a in base if a in keep} | (changed or {})
        found = solve(weights, inside(attacks), inside(supports), name)
        if found is None:
            raise ArithmeticError
        return found[0]

    everyone = set(base)
    result = {it: [None] for it in ["removal", "intrinsic-removal", "shapley", "gradient"]}
    result["gradient"] = []
    step = 1e-6
    for x in base:
        up, down = (sigma(everyone, changed={x: base[x] + by}) for by in [step, -step])
        result["gradient"].append((up - down) / (2 * step))
        if x == 0:
            continue
        without = sigma(everyone - {x})
        result["removal"].append(sigma(everyone) - without)
        result["intrinsic-removal"].append(sigma(everyone, without_edges_into=x) - without)
        others = [a for a in base if a not in (0, x)]
        total = 0.0
        for size in range(len(others) + 1):
            share = math.factorial(size) * math.factorial(len(base) - 2 - size) / math.factorial(len(base) - 1)
            for some in itertools.combinations(others, size):
                total += share * (sigma({0, x, *some}) - sigma({0, *some}))
        result["shapley"].append(total)
    return result


def by_qbaf_ctrbs(name, base, attacks, supports):
    from qbaf_ctrbs.gradient import determine_gradient_ctrb
    from qbaf_ctrbs.intrinsic_removal import determine_iremoval_ctrb
    from qbaf_ctrbs.removal import determine_removal_ctrb
    from qbaf_ctrbs.shapley import determine_shapley_ctrb

    # Its functions take names of arguments, and tell a set of them by its type.
    framework = qbaf_framework(
        {f"a{a}": w for a, w in base.items()},
        [(f"a{a}", f"a{b}") for a, b in attacks],
        [(f"a{a}", f"a{b}") for a, b in supports],
        name,
    )
    functions = {
        "removal": determine_removal_ctrb,
        "intrinsic-removal": determine_iremoval_ctrb,
        "shapley": determine_shapley_ctrb,
        "gradient": determine_gradient_ctrb,
    }
    with contextlib.redirect_stdout(io.StringIO()):
        return {
            measure: [None] + [of("a0", f"a{x}", framework) for x in base if x != 0]
            for measure, of in functions.items()
        }


def contributions(base, attacks, supports):
    base = dict(enumerate(base))
    attacks, supports = ([tuple(edge) for edge in edges] for edges in [attacks, supports])
    answer = {}
    for peer, (solve, names) in SOLVERS.items():
        answer[peer] = {}
        for name in names:
            # These look no further than their own strengths.
            with contextlib.suppress(ArithmeticError, RuntimeError):
                if peer == "qbaf":
                    answer[peer][name] = by_qbaf_ctrbs(name, base, attacks, supports)
                elif peer == "formal-argumentation":
                    answer[peer][name] = defined(solve, name, base, attacks, supports)
    return answer


for line in sys.stdin:
    asked = json.loads(line)
    task = asked.pop("task")
    for edges in ["attacks", "supports"]:
        if edges in asked:
            asked[edges] = [tuple(edge) for edge in asked[edges]]
    answers = {"extensions": extensions, "strengths": strengths, "contributions": contributions}
    print(json.dumps(answers[task](**asked)), flush=True)
