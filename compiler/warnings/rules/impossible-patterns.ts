/** Regular expressions and globs that no text matches. */

import { type CharSet, GlobError, parseGlob, parsePlainRegex, type RegexNode } from '../../../values/index.js';
import type { CallExpr, Term } from '../../ast/nodes.js';
import { walk } from '../../ast/walk.js';
import { jsonOfTerm } from '../../check/typing/constant-terms.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { builtinName } from '../../resolve/builtin-table.js';
import { conditionsOf } from '../conditions/conditions.js';
import type { WarningSearch } from '../warning-search.js';

/** The operands that are a regular expression, and the text that it is matched with. */
const regexOperands: ReadonlyMap<string, readonly [pattern: number, text: number]> = new Map([
  ['regex.match', [0, 1]],
  ['regex.split', [0, 1]],
  ['regex.find_n', [0, 1]],
  ['regex.find_all_string_submatch_n', [0, 1]],
  ['regex.replace', [1, 0]],
]);

export function findImpossiblePatterns({ compiled, warnings }: WarningSearch): void {
  for (const { parsed, rules } of compiled.modules.values()) {
    if (!/\b(?:regex|glob)\./.test(parsed.source.text)) continue;
    for (const { rule } of rules) {
      const { keys } = conditionsOf(rule.body, compiled.builtins);
      walk(rule, (node) => {
        if (node.type === 'expr' && node.kind === 'call') checkCall(node, keys, warnings);
      });
    }
  }
}

function checkCall({ operator, args, loc }: CallExpr, keys: ReadonlyMap<string, string>, warnings: Warnings): void {
  const name = builtinName(operator.terms);
  const places = name === 'glob.match' ? ([0, 2] as const) : name === undefined ? undefined : regexOperands.get(name);
  if (places === undefined) return;
  const [pattern, text] = places.map((at) => args[at]);
  if (pattern?.type !== 'string' || text === undefined) return;
  const tree = name === 'glob.match' ? globTree(pattern.value, args[1]) : parsePlainRegex(pattern.value)?.node;
  if (tree === undefined) return;
  const key = text.type === 'var' ? keys.get(text.name) : undefined;
  const letters = key?.startsWith('lower(') ? 'small' : key?.startsWith('upper(') ? 'capital' : undefined;
  const start: Places = name === 'glob.match' ? atStart : atStart | inside;
  if (ends(tree, start, letters) !== nowhere) return;
  const isByCase = letters !== undefined && ends(tree, start, undefined) !== nowhere;
  warnings.report(
    'impossiblePattern',
    loc,
    { pattern: pattern.loc.text, letters: isByCase ? letters : undefined },
    pattern.loc,
  );
}

/** The tree of a glob whose delimiters are constants. */
function globTree(pattern: string, operand: Term | undefined): RegexNode | undefined {
  const delimiters = operand && jsonOfTerm(operand);
  if (delimiters !== null && !Array.isArray(delimiters)) return undefined;
  const separators = delimiters === null ? [] : delimiters.length === 0 ? ['.'] : (delimiters as readonly unknown[]);
  if (!separators.every((separator) => typeof separator === 'string')) return undefined;
  try {
    return parseGlob(
      pattern,
      separators.filter((separator) => separator !== ''),
    );
  } catch (error) {
    if (error instanceof GlobError) return undefined;
    throw error;
  }
}

/**
 * Places in a text, as bits: at its start, inside of it, and the same where it must have ended,
 * since `$` has been passed.
 */
type Places = number;
const nowhere: Places = 0;
const atStart: Places = 1;
const inside: Places = 2;
const endedAtStart: Places = 4;
const ended: Places = 8;

type Letters = 'small' | 'capital' | undefined;

/** The places behind a part of a pattern, which begins at some places. */
function ends(node: RegexNode, from: Places, letters: Letters): Places {
  if (from === nowhere) return nowhere;
  switch (node.kind) {
    case 'set':
      return from & (atStart | inside) && hasCharacter(node.set, letters) ? inside : nowhere;
    case 'concat':
      return node.nodes.reduce((places, part) => ends(part, places, letters), from);
    case 'alternate':
      return node.nodes.reduce((places, part) => places | ends(part, from, letters), nowhere);
    case 'group':
      return ends(node.of, from, letters);
    case 'repeat':
      return endsOfRepeat(node, from, letters);
    case 'assert':
      if (node.what === 'start') return from & (atStart | endedAtStart);
      if (node.what !== 'end') return from;
      return (from & (atStart | endedAtStart) ? endedAtStart : nowhere) | (from & (inside | ended) ? ended : nowhere);
  }
}

/** There are four places: after some rounds no new one comes. */
function endsOfRepeat(
  { of, min, max }: Extract<RegexNode, { kind: 'repeat' }>,
  from: Places,
  letters: Letters,
): Places {
  let places = from;
  for (let i = 0; i < Math.min(min, 5); i++) places = ends(of, places, letters);
  let all = places;
  for (let i = min; i < Math.min(max, min + 5); i++) {
    places = ends(of, places, letters);
    all |= places;
  }
  return all;
}

const capitals = [65, 90] as const;
const smallLetters = [97, 122] as const;

/** Whether a set has a character that a text in small letters, or in capitals, can have. */
function hasCharacter(set: CharSet, letters: Letters): boolean {
  const [low, high] = letters === 'small' ? capitals : letters === 'capital' ? smallLetters : [1, 0];
  return set.some(([from, to]) => letters === undefined || from < low || to > high);
}
