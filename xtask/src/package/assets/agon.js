#!/usr/bin/env node
// Starts the program of Agon, which is in a package of its own for each system.
"use strict";

const { spawn } = require("child_process");
const os = require("os");

const TARGETS = [
  // TARGETS
];

// Whether this Linux has musl instead of glibc: only glibc reports its version.
function isMusl() {
  const report = process.report && process.report.getReport();
  return Boolean(report) && !report.header.glibcVersionRuntime;
}

function fail(message, hint) {
  process.stderr.write(`error: ${message}\n  hint: ${hint}\n`);
  process.exit(4);
}

// The path of a target's program, or null if its package is not installed.
function find(target) {
  const file = target.os === "win32" ? "agon.exe" : "agon";
  try {
    return require.resolve(`agon-debate-${target.name}/bin/${file}`);
  } catch (error) {
    return null;
  }
}

function program() {
  const here = TARGETS.filter((it) => it.os === process.platform && it.cpu === process.arch);
  const found = here.map(find).filter(Boolean);
  // Usual, and quick: the report of isMusl takes longer than everything else here.
  if (found.length === 1) return found[0];
  const libc = process.platform === "linux" ? (isMusl() ? "musl" : "glibc") : null;
  const target = here.find((it) => it.libc === libc);
  if (!target) {
    const system = [process.platform, process.arch, libc].filter(Boolean).join(" ");
    fail(`there is no program of Agon for this system (${system})`, "build it from its source");
  }
  const path = find(target);
  if (!path) {
    fail(
      `the package agon-debate-${target.name}, which contains the program, is not installed`,
      'run "npm install --global --include=optional agon-debate"; other package managers: ' +
        "install optional dependencies too"
    );
  }
  return path;
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });

// A terminal sends Ctrl-C to the program too, so only a signal without a terminal is passed on.
const isTerminal = process.stdin.isTTY || process.stderr.isTTY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !isTerminal) child.kill(signal);
  });
}
child.on("error", (error) => {
  fail(`cannot start ${child.spawnfile}: ${error.message}`, "install agon-debate again");
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // If that did not end this process, such as for SIGQUIT on some systems.
    code = 128 + os.constants.signals[signal];
  }
  process.exitCode = code;
});
