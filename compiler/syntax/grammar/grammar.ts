/** The grammar of both versions: one chevrotain parser with embedded actions. */

import { EOF } from 'chevrotain';
import { attemptRules } from './attempts.js';
import { bodyRules } from './bodies.js';
import { collectionRules } from './collections.js';
import { Cursor } from './cursor.js';
import { iterationRules } from './iteration.js';
import { logicRules } from './logic.js';
import { moduleRules } from './modules.js';
import { numberRules } from './numbers.js';
import { operatorRules } from './operators.js';
import { ruleRules } from './rule-statements.js';
import type { Parser, RuleBodies, Statement } from './rules.js';
import { templateRules } from './templates.js';
import { termRules } from './terms.js';

const ruleBodies: RuleBodies = {
  ...moduleRules,
  ...ruleRules,
  ...bodyRules,
  ...iterationRules,
  ...logicRules,
  ...operatorRules,
  ...termRules,
  ...numberRules,
  ...templateRules,
  ...collectionRules,
  ...attemptRules,
};

/** A new parser. Making one takes some milliseconds, so parsers are used again. */
export function createParser({ isChecked = false } = {}): Parser {
  const parser = new Cursor(isChecked) as Parser;
  for (const [name, body] of Object.entries(ruleBodies) as [string, AnyBody][]) {
    // Bound, not wrapped: each call of a rule costs stack, and terms nest.
    parser.RULE(name, body.bind(undefined, parser));
  }
  parser.performSelfAnalysis();
  return parser;
}

type AnyBody = (parser: Parser, ...args: readonly unknown[]) => unknown;

/** The next statements of a module, up to about so many tokens. */
export function nextStatements(parser: Parser, tokens: number): Statement[] {
  parser.stopAt = parser.position + tokens;
  return parser.module();
}

/** Whether all statements have been read. */
export function isAtEnd(parser: Parser): boolean {
  return parser.at(EOF);
}
