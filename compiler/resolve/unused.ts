/** Variables that are declared and not used. */

import { isWildcard } from '../ast/names.js';
import type { Body, Expr } from '../ast/nodes.js';
import { addVars, varsDeclaredIn } from './expression-kinds.js';
import { isGeneratedName } from './local-names.js';
import type { LocalScopes } from './local-scopes.js';
import { type Context, report } from './working-module.js';

/** Each written expression with its rewritten form. */
type Pairs = readonly (readonly [Expr, Expr])[];

interface RewrittenBody {
  readonly body: Body;
  /** The rewritten expressions. */
  readonly statements: readonly (Expr | undefined)[];
  readonly rewritten: Body;
}

/**
 * Reports variables that a body declares by `some`, or in strict mode by `:=`, and nothing uses.
 * Answers how many.
 */
export function checkUnused(
  context: Context,
  { body, statements, rewritten }: RewrittenBody,
  scopes: LocalScopes,
  used: ReadonlySet<string>,
): number {
  if (!hasCandidates(context, scopes)) return 0;
  const pairs = body.map((expr, i) => [expr, statements[i] ?? expr] as const);
  const usedNames = new Set([...used].map((name) => scopes.find(name)?.name ?? name));
  const assigned = context.options.strict ? checkAssigned(context, pairs, scopes, usedNames) : 0;
  return assigned > 0 ? assigned : checkDeclared(context, pairs, rewritten, scopes, usedNames);
}

/** Variables used after their declaration are in the rewritten body. */
function hasCandidates(context: Context, scopes: LocalScopes): boolean {
  if (!scopes.topDeclares) return false;
  for (const { occurrence, count } of scopes.top.values()) {
    if (count <= 1 && (occurrence === 'declared' || (occurrence === 'assigned' && context.options.strict))) return true;
  }
  return false;
}

function checkAssigned(context: Context, pairs: Pairs, scopes: LocalScopes, used: ReadonlySet<string>): number {
  const unused: [string, string][] = [];
  for (const [written, { name, occurrence, count }] of scopes.top) {
    if (occurrence === 'assigned' && count <= 1 && !isWildcard(written) && !used.has(name))
      unused.push([name, written]);
  }
  if (unused.length === 0) return 0;
  const places = firstPlaces(pairs);
  for (const [name, written] of unused.sort(([a], [b]) => (a < b ? -1 : 1)))
    report(context, 'assignedUnused', (places.get(name) ?? pairs[0]![0]).loc, { name: written });
  return unused.length;
}

/** The expression that has a variable first, as it was written. */
function firstPlaces(pairs: Pairs): ReadonlyMap<string, Expr> {
  const places = new Map<string, Expr>();
  for (const [expr, next] of pairs) {
    const names = new Set<string>();
    addVars(next, names);
    for (const name of names) if (!places.has(name)) places.set(name, expr);
  }
  return places;
}

function checkDeclared(
  context: Context,
  pairs: Pairs,
  rewritten: Body,
  scopes: LocalScopes,
  used: ReadonlySet<string>,
): number {
  const declared: [string, string][] = [];
  for (const [written, { name, occurrence }] of scopes.top) {
    if (occurrence === 'declared' && !isGeneratedName(written) && !used.has(name)) declared.push([name, written]);
  }
  if (declared.length === 0) return 0;
  const names = new Set<string>();
  for (const expr of rewritten) addVars(expr, names);
  const unused = declared.filter(([name]) => !names.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (unused.length === 0) return 0;
  const places = new Map<string, Expr>();
  for (const [expr] of pairs)
    for (const written of varsDeclaredIn([expr])) if (!places.has(written)) places.set(written, expr);
  for (const [, written] of unused) {
    report(context, 'declaredUnused', (places.get(written) ?? pairs[0]![0]).loc, {
      name: isWildcard(written) ? '_' : written,
    });
  }
  return unused.length;
}
