/** The tests that reach each part of the policies: only these can notice a change there. */

import type { Compiled, CompiledRule, Rule, Source } from '../../../compiler/index.js';
import { nowhere, rulesAt, type Span, stringTerm, varTerm } from '../../../compiler/index.js';
import { type Mutant, scalarPath } from '../../../views/index.js';
import type { Probe, ProbeTable } from '../../coverage/probe-table.js';
import type { TestRule } from '../discover.js';

/** How often each test passed the places of probes. */
export class TestReach {
  readonly #probes: readonly Probe[];
  readonly #bySource = new Map<Source, number[]>();
  /** The hits of probes by number, by test. */
  readonly #hits: ReadonlyMap<number, number>[] = [];
  readonly #tests: readonly TestRule[];
  readonly #compiled: Compiled;
  readonly #reads = new Map<number, ReadonlySet<CompiledRule>>();
  #order: readonly number[] | undefined;

  /** @param table of a program of all tests, before any has run */
  constructor(table: ProbeTable, tests: readonly TestRule[], compiled: Compiled) {
    this.#probes = table.all;
    this.#tests = tests;
    this.#compiled = compiled;
    for (const [number, { loc }] of table.all.entries()) {
      const numbers = this.#bySource.get(loc.source);
      if (numbers) numbers.push(number);
      else this.#bySource.set(loc.source, [number]);
    }
  }

  /** Takes the hits since the last test, and sets them to zero. */
  ran(test: number): void {
    const hits = new Map<number, number>();
    for (const [number, probe] of this.#probes.entries()) {
      if (probe.hits > 0) hits.set(number, probe.hits);
      probe.hits = 0;
    }
    this.#hits[test] = hits;
  }

  /** The tests that reach the site of a mutant: those that evaluate the least come first. */
  testsOf(mutant: Mutant): readonly number[] {
    const reaching = this.#reaching(mutant);
    return this.#inOrder().filter((test) => reaching.has(test));
  }

  #inOrder(): readonly number[] {
    this.#order ??= this.#tests.map((_, i) => i).sort((a, b) => this.#breadth(a) - this.#breadth(b) || a - b);
    return this.#order;
  }

  #breadth(test: number): number {
    return this.#hits[test]?.size ?? 0;
  }

  #reaching({ site, rule }: Mutant): ReadonlySet<number> {
    if (site.kind === 'expression') {
      for (const span of site.within) {
        const probes = this.#probesIn(span);
        if (probes.length > 0) return this.#passing(probes);
      }
      return new Set();
    }
    if (site.kind === 'head') {
      const { head } = site;
      const ends = this.#probesIn(rule.loc).filter((number) => {
        const at = this.#probes[number]!.head;
        return at?.start === head.start && at.end === head.end;
      });
      if (ends.length > 0) return this.#passing(ends);
    }
    return this.#asking(rule);
  }

  #probesIn(span: Span): readonly number[] {
    return (this.#bySource.get(span.source) ?? []).filter((number) => span.includes(this.#probes[number]!.loc));
  }

  #passing(probes: readonly number[]): ReadonlySet<number> {
    const passing = new Set<number>();
    for (const test of this.#tests.keys()) if (probes.some((probe) => this.#hits[test]?.has(probe))) passing.add(test);
    return passing;
  }

  /** The tests that ask for the document of a rule, as far as the rules show that they read it. */
  #asking(rule: Rule): ReadonlySet<number> {
    const path = scalarPath(rule.head);
    const ofDocument = (read: CompiledRule): boolean =>
      read.module.parsed.source === rule.loc.source && scalarPath(read.rule.head) === path;
    const siblings = [...this.#compiled.modules.values()].flatMap(({ parsed }) =>
      parsed.source === rule.loc.source ? parsed.rules.filter((each) => scalarPath(each.head) === path) : [],
    );
    const asked = siblings.flatMap(({ loc }) => this.#probesIn(loc));
    if (asked.length > 0) return this.#passing(asked);
    return new Set([...this.#tests.keys()].filter((test) => [...this.#readBy(test)].some(ofDocument)));
  }

  /** All rules that a test may read. */
  #readBy(test: number): ReadonlySet<CompiledRule> {
    let known = this.#reads.get(test);
    if (known === undefined) {
      const ref = [varTerm(nowhere, 'data'), ...this.#tests[test]!.path.map((key) => stringTerm(nowhere, key))];
      const found = new Set<CompiledRule>();
      const left = [...rulesAt(this.#compiled.ruleTree, ref as never)];
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        if (found.has(next)) continue;
        found.add(next);
        left.push(...this.#compiled.graph.dependencies(next));
      }
      this.#reads.set(test, (known = found));
    }
    return known;
  }
}
