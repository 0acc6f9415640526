/**
 * Rewritings that act on every body of a rule or query, those of comprehensions and of `every`,
 * `not`, `and`, `or` among them.
 */

import type { Body, Rule, Term } from '../ast/nodes.js';
import { type Mapper, mapExprChildren, mapHeadChildren, mapList, mapTermChildren } from '../ast/walk.js';

/** A rewriting of bodies and of terms, whose parts are rewritten already. */
export interface Rewriting {
  readonly body?: (body: Body) => Body;
  readonly term?: (term: Term) => Term;
}

function isLeaf({ type }: Term): boolean {
  return type === 'string' || type === 'var' || type === 'number';
}

/** The mapper that rewrites inner parts first. */
function mapperOf({ body: mapBody, term: mapTerm }: Rewriting): Mapper {
  const mapper: Mapper = {
    term: (term) => {
      switch (term.type) {
        case 'var':
        case 'string':
        case 'number':
        case 'boolean':
        case 'null':
          return term;
        case 'ref':
          if (term.terms.every(isLeaf)) return mapTerm ? mapTerm(term) : term;
      }
      const mapped = mapTermChildren(term, mapper);
      return mapTerm ? mapTerm(mapped) : mapped;
    },
    body: (body) => {
      const inner = mapList(body, (expr) => mapExprChildren(expr, mapper));
      return mapBody ? mapBody(inner) : inner;
    },
  };
  return mapper;
}

export function rewriteBody(body: Body, rewriting: Rewriting): Body {
  return mapperOf(rewriting).body(body);
}

/** Makes a function that rewrites all bodies of a rule's link. */
export function linkRewriter(rewriting: Rewriting): (link: Rule) => Rule {
  const mapper = mapperOf(rewriting);
  return (link) => {
    const head = mapHeadChildren(link.head, mapper);
    const body = mapper.body(link.body);
    return head === link.head && body === link.body ? link : { ...link, head, body };
  };
}

/** A rule's link with all of its bodies rewritten. */
export function rewriteLink(link: Rule, rewriting: Rewriting): Rule {
  return linkRewriter(rewriting)(link);
}
