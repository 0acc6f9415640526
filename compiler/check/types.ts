/**
 * Type checking. Each rule is checked by itself, after those that it reads: its body gives types to its variables, and its head adds to the types of `data`.
 * What a rule adds is kept by rule, so that a later check of almost the same rules need look only at those that changed and at those that read them.
 */

import { compareStrings } from '../../runtime/values/compare.js';
import type { Body, Rule } from '../ast/nodes.js';
import type { Diagnostic, Diagnostics } from '../diagnostics/diagnostics.js';
import { renderDiagnostic } from '../diagnostics/render.js';
import type { AnnotationSet } from '../resolve/annotation-set.js';
import type { BuiltinTable } from '../resolve/builtin-table.js';
import type { CompiledRule } from '../resolve/compiled.js';
import type { RuleGraph } from '../resolve/graph.js';
import { linksOf } from '../resolve/links.js';
import type { CompileOptions } from '../resolve/options.js';
import { BodyChecker } from './typing/body.js';
import { Globals, type Scope } from './typing/env.js';
import { checkRule, contribute, type RuleTypes } from './typing/rule.js';
import { RuleSchemas } from './typing/schemas.js';
import { typeText } from './typing/text.js';
import type { Type } from './typing/type.js';

/** What checking looks at: modules after the stages before it. */
export interface TypeCheckInput {
  readonly graph: RuleGraph;
  readonly annotations: AnnotationSet;
  readonly builtins: BuiltinTable;
  readonly options: CompileOptions;
  readonly diagnostics: Diagnostics;
}

interface RuleRecord extends RuleTypes {
  readonly reads: ReadonlySet<Rule>;
  readonly hasSchemas: boolean;
}

/** The types of all rules. `Compiled.types` holds it. */
export class Types {
  readonly globals: Globals;
  readonly options: CompileOptions;
  /** By the rule as the stages before left it. */
  readonly rules: ReadonlyMap<Rule, RuleRecord>;

  constructor(globals: Globals, options: CompileOptions, rules: ReadonlyMap<Rule, RuleRecord>) {
    this.globals = globals;
    this.options = options;
    this.rules = rules;
  }
}

/**
 * Checks all rules and reports what cannot be, in the order of the text. `previous` is what an earlier check of other versions of the modules answered:
 * rules that are still the same objects, and read only such, are not checked again.
 */
export function checkTypes(input: TypeCheckInput, previous?: unknown): Types {
  const { graph, annotations, builtins, options, diagnostics } = input;
  const globals = new Globals(builtins);
  const schemas = new RuleSchemas(options, annotations);
  const errors: Diagnostic[] = [];
  const inputType = schemas.input();
  if (inputType !== undefined && 'kind' in inputType) globals.document('input').type = inputType;
  else if (inputType) errors.push(inputType);
  const known = previous instanceof Types && previous.options === options ? previous.rules : undefined;
  const records = new Map<Rule, RuleRecord>();
  const same = new Set<Rule>();
  for (const rule of graph.sorted) {
    const reads = rulesRead(graph, rule);
    let record = known?.get(rule.rule);
    if (record && isSame(record, reads, same)) {
      same.add(rule.rule);
      for (const contribution of record.contributions) contribute(globals, record.path, contribution);
    } else {
      const hasSchemas = options.schemaAnnotations === true && [...linksOf(rule.rule)].some((link) => schemas.of(rule, link).length > 0);
      record = { ...checkRule(rule, globals, schemas, options.allowUndefinedFunctions === true), reads, hasSchemas };
    }
    records.set(rule.rule, record);
    for (const error of record.errors) errors.push(error);
  }
  for (const error of inOrder(errors)) diagnostics.add(error);
  return new Types(globals, options, records);
}

function rulesRead(graph: RuleGraph, rule: CompiledRule): ReadonlySet<Rule> {
  const reads = new Set<Rule>();
  for (const other of graph.dependencies(rule)) reads.add(other.rule);
  return reads;
}

/** What schemas say depends on more than the rules read. */
function isSame(record: RuleRecord, reads: ReadonlySet<Rule>, same: ReadonlySet<Rule>): boolean {
  if (record.hasSchemas || record.reads.size !== reads.size) return false;
  for (const read of reads) if (!record.reads.has(read) || !same.has(read)) return false;
  return true;
}

/** By place, then by text; those without a place come first. */
function inOrder(errors: readonly Diagnostic[]): readonly Diagnostic[] {
  return errors.toSorted((a, b) => {
    const [left, right] = [a.location, b.location];
    if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
    const order = compareStrings(left.file, right.file) || left.row - right.row || left.col - right.col;
    return order || compareStrings(renderDiagnostic(a), renderDiagnostic(b));
  });
}

/** The types of a query's variables. `CompiledQuery.types` holds it. */
export class QueryTypes {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The type of a variable (by its generated name, if it has one) as text, such as `array[string]`; undefined where nothing is known. */
  textOf(name: string): string | undefined {
    const type: Type | undefined = this.#scope.variable(name);
    return type && typeText(type);
  }
}

/**
 * Checks a query against the types of rules, and reports what cannot be in the order of its expressions. `types` is what `checkTypes` answered; without it nothing
 * is checked. `names` are the written names of generated variables.
 */
export function typeOfQuery(
  body: Body,
  types: unknown,
  names: ReadonlyMap<string, string>,
  diagnostics: Diagnostics,
): QueryTypes | undefined {
  if (!(types instanceof Types)) return undefined;
  const checker = new BodyChecker(types.globals, names, types.options.allowUndefinedFunctions === true);
  const { scope, errors } = checker.body(body);
  for (const { diagnostic } of errors) diagnostics.add(diagnostic);
  return new QueryTypes(scope);
}
