import type { Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { int64 } from '../../value-operands.js';
import { compileRegex, type MatchIndexes } from './engine.js';

export function limitOperand(operand: Value, position: number): number {
  const limit = int64(operand, position);
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

export function findN(pattern: string, value: string, limit: number, context: BuiltinContext): string[] {
  return compileRegex(pattern, context)
    .findAll(value, limit, false, context)
    .map((found) => matchGroup(value, found, 0));
}

/** A group that took no part is empty. */
export function findAllSubmatches(pattern: string, value: string, limit: number, context: BuiltinContext): string[][] {
  return compileRegex(pattern, context)
    .findAll(value, limit, true, context)
    .map((found) => Array.from({ length: found.length / 2 }, (_, i) => matchGroup(value, found, i)));
}

export function matchGroup(text: string, found: MatchIndexes, index: number): string {
  const start = found[2 * index] ?? -1;
  return start < 0 ? '' : text.slice(start, found[2 * index + 1]);
}

/** The texts between matches. A match that is empty cuts nothing off at either end. */
export function splitAtMatches(pattern: string, value: string, context: BuiltinContext): string[] {
  const compiled = compileRegex(pattern, context);
  if (value === '') return pattern === '' ? [] : [''];
  const matches = compiled.findAll(value, Number.POSITIVE_INFINITY, false, context);
  const cuts = matches.filter(([start, end]) => end > 0 && start < value.length);
  const starts = [0, ...cuts.map(([, end]) => end)];
  return starts.map((start, i) => value.slice(start, cuts[i]?.[0]));
}
