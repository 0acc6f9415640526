/**
 * A rule and its `else` chain, link by link. Chains may be long, so nothing recurses along them.
 */

import type { Rule } from '../ast/nodes.js';

/**
 * The chain with each link replaced; `map` sees a link with its old rest and need not care for it.
 */
export function mapLinks(rule: Rule, map: (link: Rule, first: boolean) => Rule): Rule {
  if (!rule.else) return map(rule, true);
  const links: Rule[] = [];
  for (let link: Rule | undefined = rule; link; link = link.else) links.push(map(link, link === rule));
  let rest: Rule | undefined;
  for (let i = links.length - 1; i >= 0; i--) {
    const link: Rule = links[i]!;
    rest = link.else === rest ? link : { ...link, else: rest };
  }
  return rest!;
}

/** The links of a chain, the rule itself first. */
export function* elseChain(rule: Rule): Iterable<Rule> {
  for (let link: Rule | undefined = rule; link; link = link.else) yield link;
}
