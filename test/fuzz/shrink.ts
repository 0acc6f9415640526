/** Cuts a case down while two ways go on to differ in it. */
import type { Module } from '../../compiler/ast/nodes.js';
import { printModule } from '../../compiler/ast/print.js';
import { nowhere } from '../../compiler/source/location.js';
import { isArray, isObject, type PlainObject, type Value } from '../../values/value.js';
import type { PolicyCase } from '../generators/random-case.js';
import { parsedModule } from '../generators/repair.js';
import { nodeAt, type Place, removedAt, replacedAt, visitPlaces } from '../generators/tree.js';
import type { Difference } from './compare.js';

/** The difference in a smaller case; undefined where there is none. */
type Attempt = (given: PolicyCase) => Promise<Difference | undefined>;

/** The smallest case that was found in time. */
export async function shrunk(difference: Difference, attempt: Attempt, milliseconds: number): Promise<Difference> {
  const end = performance.now() + milliseconds;
  let best = difference;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of candidatesOf(best.given)) {
      if (performance.now() > end) return best;
      const found = await attempt(candidate).catch(() => undefined);
      if (found === undefined) continue;
      best = { ...found, given: candidate };
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Smaller cases, those with the largest cuts first. */
function* candidatesOf(given: PolicyCase): IterableIterator<PolicyCase> {
  const { paths, inputs } = given;
  if (paths.length > 1) for (let i = 0; i < paths.length; i++) yield { ...given, paths: paths.toSpliced(i, 1) };
  if (inputs.length > 1) for (let i = 0; i < inputs.length; i++) yield { ...given, inputs: inputs.toSpliced(i, 1) };
  if (given.modules.size > 1) {
    for (const name of given.modules.keys()) yield { ...given, modules: new Map([...given.modules].filter(([other]) => other !== name)) };
  }
  for (const [name, text] of given.modules) {
    const module = parsedModule(name, text, given.regoVersion);
    if (module === undefined) continue;
    for (const smaller of smallerModules(module)) {
      const printed = printModule(smaller);
      if (printed.length < text.length && smaller.rules.length > 0) yield { ...given, modules: new Map(given.modules).set(name, printed) };
    }
  }
  for (const data of smallerValues(given.data)) if (isObject(data)) yield { ...given, data: data as PlainObject };
  const [input] = inputs;
  if (input !== undefined) for (const one of [undefined, ...smallerValues(input)]) yield { ...given, inputs: [one, ...inputs.slice(1)] };
}

function* smallerModules(module: Module): IterableIterator<Module> {
  const places: { readonly place: Place; readonly node: Readonly<Record<string, unknown>> }[] = [];
  visitPlaces(module, (node, place) => places.push({ place, node }));
  for (const kind of ['rule', 'import', 'expr', 'with']) {
    for (const { place, node } of places) {
      if (node.type !== kind) continue;
      if (place.at(-1) === 'else') yield replacedAt(module, place, undefined);
      else if (typeof place.at(-1) === 'number' && mayGo(module, place, kind)) yield removedAt(module, place);
    }
  }
  for (const { place, node } of places) {
    if (node.type === 'expr') for (const body of innerBodies(node)) yield spliced(module, place, body);
    if (!isTerm(node) || place.includes('operator') || place[0] === 'imports') continue;
    for (const inner of innerTerms(node)) yield replacedAt(module, place, inner);
    if (node.type !== 'number') yield replacedAt(module, place, { type: 'number', loc: nowhere, text: '1' });
  }
}

/** A body keeps an expression. */
function mayGo(module: Module, place: Place, kind: string): boolean {
  return kind !== 'expr' || (nodeAt(module, place.slice(0, -1)) as readonly unknown[]).length > 1;
}

function isTerm({ type }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof type === 'string' && /^(?:ref|array|set|object|call|\w*comprehension|templatestring|string|number|boolean|null)$/.test(type)
  );
}

/** The bodies of `every`, `not`, `and` and `or` may stand for the expression. */
function innerBodies(node: Readonly<Record<string, unknown>>): readonly (readonly unknown[])[] {
  return [node.body, node.lhs, node.rhs].filter((body) => Array.isArray(body));
}

function spliced(module: Module, place: Place, body: readonly unknown[]): Module {
  const list = nodeAt(module, place.slice(0, -1));
  if (!Array.isArray(list)) return module;
  return replacedAt(module, place.slice(0, -1), list.toSpliced(place.at(-1) as number, 1, ...body));
}

/** Terms below a term that may stand for it, and the term without one of its parts. */
function* innerTerms(node: Readonly<Record<string, unknown>>): IterableIterator<unknown> {
  const { items, args, entries, terms, term, parts } = node;
  for (const list of [items, args, parts]) if (Array.isArray(list)) yield* list.filter((one) => isTerm(one) || one.type === 'var');
  if (term !== undefined) yield term;
  if (Array.isArray(items)) for (let i = 0; i < items.length; i++) yield { ...node, items: items.toSpliced(i, 1) };
  if (Array.isArray(entries)) for (let i = 0; i < entries.length; i++) yield { ...node, entries: entries.toSpliced(i, 1) };
  if (Array.isArray(terms) && terms.length > 2) yield { ...node, terms: terms.slice(0, -1) };
}

function* smallerValues(value: Value): IterableIterator<Value> {
  if (isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1);
    for (const [i, inner] of value.entries()) for (const smaller of smallerValues(inner)) yield value.with(i, smaller);
    return;
  }
  if (isObject(value)) {
    const entries = Object.entries(value as PlainObject);
    for (let i = 0; i < entries.length; i++) yield Object.fromEntries(entries.toSpliced(i, 1));
    for (const [i, [key, inner]] of entries.entries())
      for (const smaller of smallerValues(inner)) yield Object.fromEntries(entries.with(i, [key, smaller]));
    return;
  }
  if (typeof value === 'string' && value.length > 1) yield 'a';
}
