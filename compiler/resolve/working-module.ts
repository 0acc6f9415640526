/**
 * The context of stages while they run. Trees are never edited: a stage puts a rule's next version
 * in its place.
 */

import { stringTerm } from '../ast/make.js';
import type { Import, Module, Ref, RefTerm, Rule } from '../ast/nodes.js';
import { dataPath } from '../ast/paths.js';
import type { ComplaintName, Holes } from '../diagnostics/complaints.js';
import type { Diagnostics } from '../diagnostics/diagnostics.js';
import type { Span } from '../source/location.js';
import type { BuiltinTable } from './builtin-table.js';
import type { CompileOptions } from './compile-options.js';
import type { CompiledModule, CompiledRule } from './compiled-rule.js';
import { RuleLines } from './links.js';
import { LocalNames } from './local-names.js';
import { findNode, type RuleTree, refKey } from './tree.js';

/** A rule on its way through the stages. */
export class WorkingRule implements CompiledRule {
  readonly module: WorkingModule;
  readonly ref: Ref;
  rule: Rule;
  reads: readonly (readonly Ref[])[] = [];

  constructor(module: WorkingModule, rule: Rule) {
    this.module = module;
    this.rule = rule;
    this.ref = fullRef(module.parsed, rule);
  }
}

/** The package's path and the head's ref as one ref. */
function fullRef({ package: { path } }: Module, { head }: Rule): Ref {
  const [first, ...rest] = head.ref;
  return [...path, first.type === 'var' ? stringTerm(first.loc, first.name) : first, ...rest];
}

/** A module on its way through the stages. */
export class WorkingModule implements CompiledModule {
  readonly name: string;
  readonly parsed: Module;
  readonly imports: readonly Import[];
  readonly locals: LocalNames;
  readonly lookups = new Set<string>();
  readonly lines: RuleLines;
  /** Rules as they are now; `rules` once heads are rewritten. */
  current: readonly Rule[];
  rules: readonly WorkingRule[] = [];

  constructor(name: string, parsed: Module) {
    this.name = name;
    this.parsed = parsed;
    this.imports = parsed.imports;
    this.lines = new RuleLines(parsed);
    this.current = parsed.rules;
    this.locals = new LocalNames('__local', parsed.source.text);
  }

  get names(): ReadonlyMap<string, string> {
    return this.locals.names;
  }

  get localStarts(): readonly number[] {
    return this.locals.starts;
  }

  /** Whether a word stands anywhere in the text: where it does not, a stage need not look. */
  mentions(word: string): boolean {
    return this.parsed.source.text.includes(word);
  }

  matches(pattern: RegExp): boolean {
    return pattern.test(this.parsed.source.text);
  }
}

/** The context of a body, be it a rule's or a query. */
export interface Context {
  readonly options: CompileOptions;
  readonly diagnostics: Diagnostics;
  readonly builtins: BuiltinTable;
  readonly locals: LocalNames;
  readonly rules: RuleTree;
  /** The rules of the module by line; a query has none. */
  readonly lines?: RuleLines;
  /** Takes the paths at which rules were looked for. */
  readonly lookups?: Set<string>;
}

export function report<Name extends ComplaintName>(
  context: Pick<Context, 'diagnostics'>,
  name: Name,
  span: Span,
  at: Holes<Name>,
  details?: unknown,
): void {
  context.diagnostics.report(name, span, at, details);
}

/**
 * The number of a function's parameters, an output not counted; undefined where there is no such
 * function or rule.
 */
export function arityOf(context: Context, operator: RefTerm): number | undefined {
  const known = context.builtins.of(operator);
  if (known) return known.args.length;
  // The keys of a function are strings: calls have no others, and plans name functions by them.
  if (dataPath(operator) === undefined) return undefined;
  const rule = lookUp(context, operator.terms)?.rules.find(({ ref }) => ref.length === operator.terms.length);
  return rule && (rule.rule.head.args?.length ?? 0);
}

/** The node of the rule tree at a ref, if all of its terms are constants and it is there. */
export function lookUp(context: Context, ref: Ref): RuleTree | undefined {
  noteLookup(context, ref);
  return findNode(context.rules, ref);
}

/** Notes that a stage's result depends on the rules at a ref. */
export function noteLookup({ lookups }: Context, ref: Ref): void {
  if (lookups === undefined) return;
  const key = refKey(ref);
  if (key !== undefined) lookups.add(key);
}
