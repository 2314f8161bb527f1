"""Solves one weighted graph with one package and prints what that cost, in CPU milliseconds.

    peers.py which                      the packages that are installed, a line each
    peers.py PACKAGE SEMANTICS FILE     one line of JSON: build, solve, sum of the strengths
"""

import importlib.util
import json
import sys
import time

PACKAGES = {"qbaf": "qbaf", "formal-argumentation": "argumentation"}


def read(path):
    base, attacks, supports = {}, [], []
    with open(path) as file:
        for line in file:
            word, _, rest = line.strip().rstrip(".").rstrip(")").partition("(")
            first, _, second = rest.partition(",")
            if word == "arg":
                base[first] = float(second)
            elif word == "att":
                attacks.append((first, second))
            elif word == "sup":
                supports.append((first, second))
    return base, attacks, supports


def with_qbaf(semantics, base, attacks, supports):
    import qbaf

    yield
    name = {"df-quad": "DFQuAD_model", "quadratic-energy": "QuadraticEnergy_model"}[semantics]
    framework = qbaf.QBAFramework(
        list(base),
        list(base.values()),
        attacks,
        supports,
        semantics=name,
        allow_cycles=True,
        max_iterations=1000,
        convergence_threshold=1e-9,
    )
    yield
    yield framework.final_strengths


def with_formal_argumentation(semantics, base, attacks, supports):
    from argumentation.gradual import dfquad, gradual

    yield
    graph = gradual.WeightedBipolarGraph(
        frozenset(base), base, frozenset(attacks), frozenset(supports)
    )
    yield
    solve = {
        "df-quad": dfquad.dfquad_strengths,
        "quadratic-energy": gradual.quadratic_energy_strengths_discrete,
    }[semantics]
    yield solve(graph, tolerance=1e-9, max_iterations=1000).strengths


def main():
    if sys.argv[1] == "which":
        for name, module in PACKAGES.items():
            if importlib.util.find_spec(module):
                print(name)
        return
    package, semantics, path = sys.argv[1:]
    solve = {"qbaf": with_qbaf, "formal-argumentation": with_formal_argumentation}[package]
    steps = solve(semantics, *read(path))
    next(steps)
    began = time.process_time()
    next(steps)
    built = time.process_time()
    strengths = next(steps)
    solved = time.process_time()
    print(
        json.dumps(
            {
                "build": (built - began) * 1e3,
                "solve": (solved - built) * 1e3,
                "sum": sum(strengths.values()),
            }
        )
    )


main()
