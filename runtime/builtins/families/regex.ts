/** Regular expressions in RE2's syntax, as Go's `regexp` has it. */

import { goQuote } from '../../values/text/term-text.js';
import { TextBuilder } from '../../values/text/text-builder.js';
import { toBinary } from '../../values/text/utf8.js';
import { array, boolean, number, string } from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext, Cache } from '../context.js';
import { counted } from '../cost.js';
import { BuiltinError } from '../errors.js';
import { globsIntersect } from '../lib/glob/intersection.js';
import { type ArrayIndexes, compileRegex, loadRegex, type Pattern } from '../lib/regex/engine.js';
import { withinLength } from '../string-operands.js';
import { intOperand } from '../value-operands.js';

const load = loadRegex;
const patternAndValue = [arg('pattern', string), arg('value', string)] as const;

// biome-ignore format: a table
export const regex: readonly Builtin[] = [
  builtin('regex.match', patternAndValue, boolean, match, { load, cost: counted }),
  builtin('re_match', patternAndValue, boolean, match, { load, deprecated: true, cost: counted }),
  builtin('regex.is_valid', [arg('pattern', string)], boolean, isValid, { load, checksOperands: true, cost: counted }),
  builtin('regex.split', patternAndValue, array(string), split, { load, cost: counted }),
  builtin('regex.find_n', [...patternAndValue, arg('number', number)], array(string), findN, { load, cost: counted }),
  builtin('regex.find_all_string_submatch_n', [...patternAndValue, arg('number', number)], array(array(string)), findAllSubmatches, { load, cost: counted }),
  builtin('regex.replace', [arg('s', string), arg('pattern', string), arg('value', string)], string, replace, { load, cost: counted }),
  builtin('regex.template_match', [arg('template', string), arg('value', string), arg('delimiter_start', string), arg('delimiter_end', string)], boolean, templateMatch, { load, cost: counted }),
  builtin('regex.globs_match', [arg('glob1', string), arg('glob2', string)], boolean, globsIntersect, { cost: counted }),
];

function match(pattern: string, value: string, context: BuiltinContext): boolean {
  return compileRegex(pattern, context).test(value, context);
}

function isValid(pattern: Value, context: BuiltinContext): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    compileRegex(pattern, context);
    return true;
  } catch (error) {
    if (error instanceof BuiltinError) return false;
    throw error;
  }
}

function limitOf(n: Value): number {
  const limit = intOperand(n, 3);
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

function findN(pattern: string, value: string, n: Value, context: BuiltinContext): string[] {
  const limit = limitOf(n);
  return compileRegex(pattern, context)
    .findAll(value, limit, false, context)
    .map((found) => group(value, found, 0));
}

/** A group that took no part is empty. */
function findAllSubmatches(pattern: string, value: string, n: Value, context: BuiltinContext): string[][] {
  const limit = limitOf(n);
  return compileRegex(pattern, context)
    .findAll(value, limit, true, context)
    .map((found) => Array.from({ length: found.length / 2 }, (_, i) => group(value, found, i)));
}

function group(text: string, found: ArrayIndexes, index: number): string {
  const start = found[2 * index] ?? -1;
  return start < 0 ? '' : text.slice(start, found[2 * index + 1]);
}

/** The texts between matches. A match that is empty cuts nothing off at either end. */
function split(pattern: string, value: string, context: BuiltinContext): string[] {
  const compiled = compileRegex(pattern, context);
  if (value === '') return pattern === '' ? [] : [''];
  const matches = compiled.findAll(value, Number.POSITIVE_INFINITY, false, context);
  const cuts = matches.filter(([start, end]) => end! > 0 && start! < value.length);
  const starts = [0, ...cuts.map(([, end]) => end)];
  return starts.map((start, i) => value.slice(start, cuts[i]?.[0]));
}

function replace(text: string, pattern: string, template: string, context: BuiltinContext): string {
  const compiled = compileRegex(pattern, context);
  const parts = template.includes('$') ? parseReplacement(template, compiled) : undefined;
  const matches = compiled.findAll(text, Number.POSITIVE_INFINITY, parts !== undefined, context);
  if (matches.length === 0) return text;
  return withinLength(() => {
    const result = new TextBuilder();
    let last = 0;
    for (const found of matches) {
      const replacement = parts === undefined ? template : expand(parts, text, found);
      context.tick(unitsPerMatch + (replacement.length >> 3));
      result.add(text.slice(last, found[0]) + replacement);
      last = found[1]!;
    }
    result.add(text.slice(last));
    return result.toString();
  });
}

/** Units for a match that is replaced. */
const unitsPerMatch = 10;

/** Text, or the groups one of which stands there: several may have one name. */
type ReplacementPart = string | readonly number[];

function expand(parts: readonly ReplacementPart[], text: string, found: ArrayIndexes): string {
  let result = '';
  for (const part of parts) {
    if (typeof part === 'string') result += part;
    else {
      const index = part.find((candidate) => (found[2 * candidate] ?? -1) >= 0);
      if (index !== undefined) result += group(text, found, index);
    }
  }
  return result;
}

const reference = /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/** Go's templates: `$name` takes as long a name as it can, `${1}x` keeps it short, `$$` is a dollar; what is none of these is text. */
function parseReplacement(template: string, pattern: Pattern): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let last = 0;
  for (const found of template.matchAll(reference)) {
    parts.push(template.slice(last, found.index));
    last = found.index + found[0].length;
    if (found[1] !== undefined) parts.push('$');
    else parts.push(groupsOf((found[2] ?? found[3])!, pattern));
  }
  parts.push(template.slice(last));
  return parts;
}

function groupsOf(name: string, pattern: Pattern): readonly number[] {
  if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return [Number(name)];
  return pattern.names.flatMap((known, i) => (known === name ? [i] : []));
}

/** Text in which regular expressions stand between delimiters. */
function templateMatch(template: string, value: string, start: string, end: string, context: BuiltinContext): boolean {
  const size = toBinary(start).length;
  if (size !== 1) throw new BuiltinError(`start delimiter has to be exactly one character long but is ${size} long`);
  // The reference counts the wrong one here.
  if (toBinary(end).length !== 1) throw new BuiltinError(`end delimiter has to be exactly one character long but is ${size} long`);
  const cache: Cache<string> = context.caches.of('regex.template_match', 100);
  const key = start + end + template;
  let pattern = cache.get(key);
  if (pattern === undefined) context.tick(template.length * unitsPerMatch);
  if (pattern === undefined) cache.set(key, (pattern = templatePattern(template, start, end, context)));
  return compileRegex(pattern, context).test(value, context);
}

function templatePattern(template: string, start: string, end: string, context: BuiltinContext): string {
  let pattern = '^';
  let level = 0;
  let last = 0;
  let open = 0;
  const unbalanced = () => new BuiltinError(`unbalanced braces in ${goQuote(template)}`);
  const inner: string[] = [];
  for (let i = 0; i < template.length; i++) {
    if (template[i] === start) {
      if (++level === 1) open = i;
    } else if (template[i] === end) {
      if (--level < 0) throw unbalanced();
      if (level > 0) continue;
      const part = template.slice(open + 1, i);
      inner.push(part);
      pattern += `${quoteMeta(template.slice(last, open))}(${part})`;
      last = i + 1;
    }
  }
  if (level !== 0) throw unbalanced();
  for (const part of inner) compileRegex(`^${part}$`, context);
  return `${pattern}${quoteMeta(template.slice(last))}$`;
}

function quoteMeta(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}
