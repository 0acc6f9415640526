/**
 * The table of the grammar: its rules with their arguments and results. A function is a rule
 * if it looks ahead (`OPTION`, `MANY`, `OR`) or is recursive; other functions are
 * called directly, which costs less time and stack.
 */

import type { Expr, Import, ObjectEntry, Package, Rule, Term, With, WrittenBody } from '../../ast/nodes.js';
import type { TokenType } from '../tokens.js';
import type { Cursor } from './cursor.js';
import type { ElseParts, ParsedOperand, RefParts } from './parts.js';
import type { RuleMethod } from './rule-parser.js';

export type Statement = Package | Import | Rule;

interface Rules {
  // modules.ts
  readonly module: RuleMethod<[], Statement[]>;
  readonly query: RuleMethod<[], Expr[]>;
  /** The path of a package or an import: any word may start it. */
  readonly path: RuleMethod<[], Term>;
  // rule-statements.ts
  readonly rule: RuleMethod<[], Rule[]>;
  readonly elseBranch: RuleMethod<[], ElseParts>;
  // bodies.ts
  /** A body in braces. */
  readonly braces: RuleMethod<[], WrittenBody>;
  /** Expressions, separated by line breaks or semicolons. */
  readonly body: RuleMethod<[], WrittenBody>;
  /** Expressions, separated by semicolons only, at the top of a module or a query. */
  readonly statementQuery: RuleMethod<[], WrittenBody>;
  /** One expression with its modifiers. */
  readonly literal: RuleMethod<[], Expr>;
  readonly modifiers: RuleMethod<[], With[]>;
  // iteration.ts
  readonly someDeclaration: RuleMethod<[], Expr>;
  readonly everyExpression: RuleMethod<[], Expr>;
  // logic.ts
  readonly operand: RuleMethod<[], ParsedOperand>;
  /** Parentheses around operands; undefined if they hold a plain term. */
  readonly group: RuleMethod<[isOperand: boolean], ParsedOperand | undefined>;
  /** A chain of `and` and `or` after its first operand. */
  readonly logicalChain: RuleMethod<[first: ParsedOperand], Expr>;
  // operators.ts
  /** A term with infix operators, and memberships of two: `k, v in xs`. */
  readonly expression: RuleMethod<[], Term>;
  /** An element of a list: as `expression`, but a comma ends it. */
  readonly element: RuleMethod<[], Term>;
  // terms.ts, numbers.ts, templates.ts
  /** A term without infix operators, with the fields, indexes and arguments after it. */
  readonly term: RuleMethod<[], Term>;
  readonly parenthesized: RuleMethod<[], Term>;
  /** Fields, indexes and arguments after a term. */
  readonly suffixes: RuleMethod<[head: Term, isRuleHead: boolean], RefParts>;
  readonly negative: RuleMethod<[], Term>;
  readonly fraction: RuleMethod<[], Term>;
  readonly template: RuleMethod<[], Term>;
  // collections.ts
  /** Elements up to a closing bracket; a comma may follow the last. */
  readonly elements: RuleMethod<[items: Term[], close: TokenType], void>;
  readonly moreElements: RuleMethod<[items: Term[], close: TokenType], void>;
  readonly array: RuleMethod<[], Term>;
  readonly setOrObject: RuleMethod<[], Term>;
  readonly objectAfterKey: RuleMethod<[start: number, key: Term, mayBeComprehension: boolean], Term>;
  /** Entries of an object after the first, up to its closing brace. */
  readonly moreEntries: RuleMethod<[entries: ObjectEntry[]], void>;
}

/** The one parser: its state, the methods that read, and the rules. */
export type Parser = Cursor & Rules;

/** The rules as functions over the parser; each file of the grammar has some. */
export type RuleBodies = {
  readonly [Name in keyof Rules]: ($: Parser, ...args: Parameters<Rules[Name]>) => ReturnType<Rules[Name]>;
};
