/**
 * A rule and its `else` chain, link by link. Chains may be long, so nothing recurses along them.
 */

import type { Module, Rule } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import type { Span } from '../source/location.js';

/**
 * The chain with each link replaced; `map` sees a link with its old rest and need not care for it.
 */
export function mapLinks(rule: Rule, map: (link: Rule, first: boolean) => Rule): Rule {
  const first = map(rule, true);
  if (!rule.else) return first;
  const others = [...elseChain(rule.else)].map((link) => map(link, false));
  return withRest(
    first,
    others.reduceRight<Rule | undefined>((rest, link) => withRest(link, rest), undefined),
  );
}

function withRest(link: Rule, rest: Rule | undefined): Rule {
  return link.else === rest ? link : { ...link, else: rest };
}

/** The links of a chain, the rule itself first. */
export function* elseChain(rule: Rule): Iterable<Rule> {
  for (let link: Rule | undefined = rule; link; link = link.else) yield link;
}

/** The names of a module's rules by line: several rules may stand on one. */
export class RuleLines {
  readonly #module: Module;
  #names: ReadonlyMap<number, ReadonlySet<string>> | undefined;
  /** The names of rules and `else` branches by their start. */
  readonly #byStart = new Map<number, string>();

  constructor(module: Module) {
    this.#module = module;
  }

  /** The name of a rule if a rule of another name starts on its line. */
  sharedName({ loc }: Rule): string | undefined {
    this.#names ??= this.#read();
    return (this.#names.get(rowOf(loc))?.size ?? 0) > 1 ? this.#byStart.get(loc.start) : undefined;
  }

  #read(): ReadonlyMap<number, ReadonlySet<string>> {
    const names = new Map<number, Set<string>>();
    for (const rule of this.#module.rules) {
      const name = printRef(rule.head.ref);
      for (const { loc } of elseChain(rule)) {
        this.#byStart.set(loc.start, name);
        const row = rowOf(loc);
        names.set(row, (names.get(row) ?? new Set()).add(name));
      }
    }
    return names;
  }
}

function rowOf({ source, start }: Span): number {
  return source.row(start);
}
