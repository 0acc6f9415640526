/** The tests that `test --watch` runs again: those that a change touches. */

import { nowhere, rulesAt, stringTerm, varTerm } from '../../compiler/index.js';
import type { TestRule } from './discover.js';
import { passed, type TestResult } from './result.js';
import { changeBetween, type SourceChange, type TestSources, touchedRules } from './touched.js';

/** The most names of a line. */
const mostNames = 3;

/** The most tests that are named because they still fail. */
const mostFailing = 10;

export class WatchedTests {
  /** The sources of the last run. */
  #before: TestSources | undefined;
  /** Whether each test passed when it ran last. */
  #passed = new Map<string, boolean>();
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** The tests to run: all, unless it is known what has changed since the last run. */
  select(tests: readonly TestRule[], sources: TestSources): readonly TestRule[] {
    const change = this.#before && changeBetween(this.#before, sources);
    if (this.#before === undefined) return tests;
    if (change === undefined) {
      this.#write(`No policy and no document is different: all ${counted(tests.length)} run.\n`);
      return tests;
    }
    const rules = [this.#before, sources].map(({ compiled }) => [compiled, touchedRules(compiled, change)] as const);
    const selected = tests.filter((test) =>
      rules.some(([compiled, touched]) => rulesAt(compiled.ruleTree, refOf(test)).some((rule) => touched.has(rule))),
    );
    this.#write(`${changedText(change)}: ${touchedText(selected.length, tests.length)}.\n`);
    return selected;
  }

  /** Takes the results of a run, and tells which other tests still fail. */
  ran(tests: readonly TestRule[], sources: TestSources, results: readonly TestResult[]): void {
    this.#before = sources;
    const known = new Map(results.map((result) => [nameOf(result), passed(result) || result.skip]));
    const others = tests.map(nameOf).filter((name) => !known.has(name));
    const failing = others.filter((name) => this.#passed.get(name) === false);
    for (const name of others) known.set(name, this.#passed.get(name) ?? true);
    this.#passed = known;
    if (failing.length === 0) return;
    const more = failing.length > mostFailing ? [`… ${failing.length - mostFailing} more`] : [];
    this.#write(
      `Not run again, still failing:\n${[...failing.slice(0, mostFailing), ...more].map((name) => `  ${name}\n`).join('')}`,
    );
  }
}

function nameOf({ package: pkg, name }: Pick<TestRule, 'package' | 'name'>): string {
  return `${pkg}.${name}`;
}

function refOf({ path }: TestRule) {
  return [varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))];
}

function counted(count: number): string {
  return count === 1 ? '1 test' : `${count} tests`;
}

function touchedText(selected: number, all: number): string {
  if (selected === all) return `all ${counted(all)} depend on it`;
  if (selected === 0) return 'no test depends on it';
  return selected === 1 ? `1 of ${counted(all)} depends on it` : `${selected} of ${counted(all)} depend on it`;
}

/** `policies/authz.rego, data.users changed`. */
function changedText({ files, data }: SourceChange): string {
  const names = [...[...files].sort(), ...data.map((path) => ['data', ...path].join('.')).sort()];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more} changed`;
}
