/** The grammar of both versions: the rules of all files over one parser. */

import { EOF } from '../tokens.js';
import { bodyRules } from './bodies.js';
import { collectionRules } from './collections.js';
import { Cursor } from './cursor.js';
import { iterationGrammar } from './iteration.js';
import { logicRules } from './logic.js';
import { moduleRules } from './modules.js';
import { numberRules } from './numbers.js';
import { operatorRules } from './operators.js';
import { ruleGrammar } from './rule-statements.js';
import type { Parser, RuleBodies, Statement } from './rules.js';
import { templateRules } from './templates.js';
import { termRules } from './terms.js';

export const ruleBodies: RuleBodies = {
  ...moduleRules,
  ...ruleGrammar,
  ...bodyRules,
  ...iterationGrammar,
  ...logicRules,
  ...operatorRules,
  ...termRules,
  ...numberRules,
  ...templateRules,
  ...collectionRules,
};

export function createParser(): Parser {
  const parser = new Cursor();
  // Bound, not wrapped: each call of a rule costs stack, and terms nest.
  const rules = Object.entries<AnyBody>(ruleBodies).map(([name, body]) => [
    name,
    body.bind(undefined, parser as Parser),
  ]);
  return Object.assign(parser, Object.fromEntries(rules)) as Parser;
}

type AnyBody = ($: Parser, ...args: never[]) => unknown;

/** The next statements of a module, up to about `tokens` tokens. */
export function nextStatements(parser: Parser, tokens: number): Statement[] {
  parser.stopAt = parser.position + tokens;
  return parser.module();
}

/** Whether all statements have been read, or no more can be. */
export function isAtEnd(parser: Parser): boolean {
  return parser.at(EOF) || parser.recovered;
}
