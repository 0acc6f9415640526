/** Where the path of an undefined answer leaves what there is: most often a name is misspelt. */
import { closest, documentText } from '../../compiler/index.js';
import { isObject, objectKeys, objectSize, quote, type Value } from '../../values/index.js';
import type { Engine } from '../engine.js';
import { partOf } from './path-parts.js';

/** A name that neither a rule nor a document nor an entrypoint has. */
export interface MissingName {
  /** The path above it. */
  readonly above: readonly string[];
  readonly name: string;
  /** A name there that is like it, or the path that is meant, with slashes. */
  readonly meant: string | undefined;
}

/** The most names among which a similar one is sought. */
const mostNames = 1000;

/**
 * The first name of a path that is not there; undefined where a rule may answer the path.
 * @param among the names that may be meant: keys of documents are data, which not everybody is told
 */
export function missingName(engine: Engine, path: readonly string[], among: 'rules' | 'all'): MissingName | undefined {
  if (exists(engine, path)) return undefined;
  for (const [i, name] of path.entries()) {
    const above = path.slice(0, i);
    if (exists(engine, [...above, name])) continue;
    return { above, name, meant: likeName(name, namesAt(engine, above, among)) ?? meantPath(engine, path, among) };
  }
  return undefined;
}

function namesAt(engine: Engine, path: readonly string[], among: 'rules' | 'all'): readonly string[] {
  return [...ruleNames(engine, path), ...(among === 'all' ? keysOf(partOf(engine.store.root, path)) : [])];
}

function likeName(name: string, names: readonly string[]): string | undefined {
  return names.length > mostNames ? undefined : closest(name, names);
}

/** The path of one that is written as in a policy: `data.authz.allow`, `authz.allow`. */
function meantPath(engine: Engine, path: readonly string[], among: 'rules' | 'all'): string | undefined {
  const written = path.flatMap((name) => name.split(/[.:/]/)).filter((name) => name !== '');
  const parts = written[0] === 'data' ? written.slice(1) : written;
  if (parts.length === 0 || parts.join('/') === path.join('/')) return undefined;
  const found: string[] = [];
  for (const part of parts) {
    const names = namesAt(engine, found, among);
    const meant = names.includes(part) ? part : likeName(part, names);
    if (meant === undefined) return undefined;
    found.push(meant);
  }
  return found.join('/');
}

/** Whether a rule, an entrypoint or a document is at a path, or a rule above it. */
function exists({ version: { policies, plans }, store }: Engine, path: readonly string[]): boolean {
  return policies?.programs.mayMeetRules([path]) === true || plans.has(path) || partOf(store.root, path) !== undefined;
}

/** The names of rules, packages and entrypoints at a path. */
function ruleNames({ version: { policies, plans } }: Engine, path: readonly string[]): readonly string[] {
  return [...(policies?.atOnce?.namesAt(path) ?? []), ...plans.namesAt(path)];
}

function keysOf(document: Value | undefined): readonly string[] {
  if (document === undefined || !isObject(document) || objectSize(document) > mostNames) return [];
  return [...objectKeys(document)].filter((key) => typeof key === 'string');
}

/** The sentence about the first name of a path that is not there. */
export function missingIn(engine: Engine, path: readonly string[]): string | undefined {
  const missing = missingName(engine, path, 'all');
  return missing && missingText(missing);
}

/**
 * @example
 * missingText({ above: ['authz'], name: 'alow', meant: 'allow' })
 * // 'data.authz has no "alow": did you mean "allow"?'
 */
export function missingText({ above, name, meant }: MissingName): string {
  return `${documentText(above)} has no ${quote(name)}${meant === undefined ? '' : `: did you mean ${quote(meant)}?`}`;
}
