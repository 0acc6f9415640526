/** One file to lint: its text, its tree and what is known of its names. */

import type { BuiltinTable, CompileCapabilities, Import, Module, Rule, Term } from '../../../compiler/index.js';
import {
  functionName,
  importName,
  isRootName,
  isScalar,
  nameOfKey,
  packageSegments,
  printRef,
  Span,
} from '../../../compiler/index.js';
import { type Call, type FoundAt, type TextPlace, textPlace } from './found-at.js';
import { RuleVars } from './rule-vars.js';
import { termAt } from './term-text.js';

export class LintFile {
  /** The name that findings show. */
  readonly name: string;
  /** The text as it was read, with a byte order mark if it has one. */
  readonly text: string;
  readonly module: Module;
  readonly builtins: BuiltinTable;
  readonly builtinNames: BuiltinNames;
  readonly isStdin: boolean;
  /** Whether it has version 0, or is for a release before version 1 of the language. */
  readonly isOld: boolean;
  /** The path on disk, whose directories belong to the package. */
  readonly path: string;
  readonly #made = new Map<unknown, unknown>();
  #globals: ReadonlySet<string> | undefined;
  #ruleNames: ReadonlySet<string> | undefined;
  #lines: readonly string[] | undefined;
  readonly #vars = new Map<Rule, RuleVars>();
  #plainRuleNames: ReadonlySet<string> | undefined;
  #importNames: ReadonlySet<string> | undefined;
  #functionNames: ReadonlySet<string> | undefined;
  #arities: ReadonlyMap<string, number | undefined> | undefined;

  constructor(
    name: string,
    text: string,
    module: Module,
    given: {
      readonly builtins: BuiltinTable;
      readonly builtinNames: BuiltinNames;
      readonly isStdin: boolean;
      readonly capabilities?: CompileCapabilities | undefined;
      readonly path: string;
    },
  ) {
    this.name = name;
    this.text = text;
    this.module = module;
    this.builtins = given.builtins;
    this.builtinNames = given.builtinNames;
    this.isStdin = given.isStdin;
    this.isOld = module.regoVersion === 'v0' || given.capabilities?.features?.includes('rego_v1') === false;
    this.path = given.path;
  }

  /** Facts of the file, which the function finds once. */
  once<T>(make: (file: LintFile) => T): T {
    if (!this.#made.has(make)) this.#made.set(make, make(this));
    return this.#made.get(make) as T;
  }

  /** The lines, without line breaks; a last line break makes a last empty one. */
  get lines(): readonly string[] {
    this.#lines ??= this.text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    return this.#lines;
  }

  /** The first names of rules. */
  get ruleNames(): ReadonlySet<string> {
    this.#ruleNames ??= new Set(this.module.rules.map(({ head }) => nameOfKey(head.ref[0])));
    return this.#ruleNames;
  }

  /** The variables of a rule of the file. */
  varsOf(rule: Rule): RuleVars {
    let vars = this.#vars.get(rule);
    if (!vars) this.#vars.set(rule, (vars = new RuleVars(rule, this)));
    return vars;
  }

  /** The names of rules that are one word, functions excepted. */
  get plainRuleNames(): ReadonlySet<string> {
    this.#plainRuleNames ??= new Set(
      this.module.rules
        .filter(({ head: { ref, args } }) => args === undefined && (ref.length === 1 || !isScalar(ref[1]!)))
        .map(({ head }) => nameOfKey(head.ref[0])),
    );
    return this.#plainRuleNames;
  }

  /** The first names of functions. */
  get functionNames(): ReadonlySet<string> {
    this.#functionNames ??= new Set(
      this.module.rules.filter(({ head }) => head.args !== undefined).map(({ head }) => nameOfKey(head.ref[0])),
    );
    return this.#functionNames;
  }

  /** The names that imports of documents give. */
  get importNames(): ReadonlySet<string> {
    this.#importNames ??= new Set(this.documentImports.map(importName));
    return this.#importNames;
  }

  /** Whether a call is of a built-in or of a function of this file. */
  isKnownFunction(call: Call): boolean {
    return this.builtinOf(call) !== undefined || this.arityOf(call) !== undefined;
  }

  /** The number of arguments of the function that is called; undefined where it is not known. */
  arityOf(call: Call): number | undefined {
    const builtin = this.builtinOf(call) === undefined ? undefined : this.builtins.of(call.operator);
    if (builtin) return builtin.variadic ? undefined : builtin.args.length;
    this.#arities ??= new Map(this.module.rules.map(({ head }) => [printRef(head.ref), head.args?.length]));
    return this.#arities.get(functionName(call.operator) ?? '');
  }

  /** Names of rules and imports. */
  get globals(): ReadonlySet<string> {
    this.#globals ??= new Set([...this.ruleNames, ...this.importNames]);
    return this.#globals;
  }

  /** Imports that give names: those of keywords do not. */
  get documentImports(): readonly Import[] {
    return this.module.imports.filter(({ path: { terms } }) => isRootName(nameOfKey(terms[0])));
  }

  /** The path of the package, `data` excepted. */
  get packagePath(): readonly string[] {
    return packageSegments(this.module);
  }

  /** The name of a built-in that is called; undefined for functions of policies. */
  builtinOf(call: Call): string | undefined {
    const name = functionName(call.operator);
    if (name === undefined || this.builtins.of(call.operator) === undefined) return undefined;
    return this.globals.has(nameOfKey(call.operator.terms[0])) ? undefined : name;
  }
}

/** The names of built-ins, and the first parts of those with dots. */
export interface BuiltinNames {
  readonly all: ReadonlySet<string>;
  /** `json` and `count`: names that a rule or variable would hide. */
  readonly first: ReadonlySet<string>;
}

/** A part of a text as findings show it. */
export function foundAt(span: Span): TextPlace {
  return textPlace(span, span.text);
}

/** The parts of several nodes in a row; the last one as findings show it alone. */
export function between(first: Span, last: Span | Term): FoundAt {
  return { ...first.source.position(first.start), end: last instanceof Span ? foundAt(last).end : termAt(last).end };
}

/** The words before the body of a rule: its name and what stands in brackets. */
export function headRefAt({ head }: Rule): FoundAt {
  return between(head.ref[0].loc, head.ref.at(-1)!.loc);
}
