/** Where the expressions of residual modules come from: partial evaluation keeps their places. */
import type { AuthorVariable, Expr, Module, Origins, ReplacedVariable, Rule, Span } from '../../compiler/index.js';
import { elseChain, termKey, walk } from '../../compiler/index.js';
import type { AuthorVariables } from '../../engine/index.js';

export class ResidualOrigins implements Origins {
  readonly modules: readonly Module[];
  readonly #origins = new Map<string, Span>();
  readonly #variables: AuthorVariables;
  readonly #replaced = new Map<string, readonly ReplacedVariable[]>();

  /**
   * @param written the residual as it was read back from its text
   * @param residual its rules as partial evaluation left them
   * @param authors the modules that were evaluated
   * @param variables what the residual has in the place of their variables
   */
  constructor(written: Module, residual: Module, authors: readonly Module[], variables: AuthorVariables) {
    this.modules = authors;
    this.#variables = variables;
    for (const rule of written.rules) {
      walk(rule, (node) => {
        if (node.type !== 'call' && node.type !== 'ref') return;
        const replaced = variables.replacedBy(termKey(node));
        if (replaced.length > 0) this.#replaced.set(keyOf(node.loc), replaced);
      });
    }
    const sources = new Set(authors.map(({ source }) => source));
    for (const [link, origins] of pairsOf(linksOf(written), linksOf(residual)) ?? []) {
      for (const [expr, origin] of pairs(link, origins)) {
        if (sources.has(origin.loc.source)) this.#origins.set(keyOf(expr.loc), origin.loc);
      }
    }
  }

  originOf(span: Span): Span | undefined {
    return this.#origins.get(keyOf(span));
  }

  authorsOf(variable: string): readonly AuthorVariable[] {
    return this.#variables.of(variable);
  }

  replacedBy(key: string): readonly ReplacedVariable[] {
    return this.#variables.replacedBy(key);
  }

  replacedAt(span: Span): readonly ReplacedVariable[] {
    return this.#replaced.get(keyOf(span)) ?? [];
  }
}

function linksOf({ rules }: Module): readonly Rule[] {
  return rules.flatMap((rule) => [...elseChain(rule)]);
}

/** The expressions of two links that stand for one another; nested ones where all have one. */
function pairs(a: Rule, b: Rule): readonly (readonly [Expr, Expr])[] {
  const [all, others] = [expressionsOf(a), expressionsOf(b)];
  return pairsOf(all, others) ?? pairsOf(a.body, b.body) ?? [];
}

/** Elements at the same place; undefined for lists of different lengths. */
function pairsOf<T>(a: readonly T[], b: readonly T[]): readonly (readonly [T, T])[] | undefined {
  return a.length === b.length ? a.map((one, i) => [one, b[i]!] as const) : undefined;
}

function expressionsOf(link: Rule): readonly Expr[] {
  const found: Expr[] = [];
  walk({ ...link, else: undefined }, (node) => {
    if (node.type === 'expr') found.push(node);
  });
  return found;
}

function keyOf({ start, end }: Span): string {
  return `${start}:${end}`;
}
