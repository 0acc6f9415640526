/** All names of a module, with their meanings. */

import {
  type Body,
  type BuiltinTable,
  type Expr,
  forEachChild,
  functionName,
  type Import,
  importName,
  isAssignment,
  isEquality,
  isRootName,
  isWildcard,
  type Module,
  packageSegments,
  type Ref,
  type RefTerm,
  type Rule,
  Span,
  stringTerm,
  type Term,
  type VarTerm,
  varTerm,
} from '../../../compiler/index.js';
import { keywordTexts } from '../syntax/keywords.js';
import type { Stretch } from '../syntax/statements.js';
import { type Word, wordPaths } from './broken-words.js';
import { declareIn, eachBound, patternsOf, VariableScope } from './local-variables.js';
import { anyKey, documentKey, type NameRole, type Occurrence, parameterRoot, resultKey } from './symbol.js';
import { type NameMeaning, type SamePaths, type StatedNames, ValuePaths } from './value-paths.js';

export interface ModuleNames {
  /** In the order of the text. */
  readonly occurrences: readonly Occurrence[];
  readonly byKey: ReadonlyMap<string, readonly Occurrence[]>;
  /** Paths of one document: of a rule, and of the document that is its value. */
  readonly same: readonly SamePaths[];
  /** Paths whose last step is a key that the policy has as a value, in a variable. */
  readonly computed: readonly (readonly string[])[];
  /** Paths with a value that a built-in computes, or that has no name. */
  readonly opaque: readonly (readonly string[])[];
  /** The scopes of variables, outer ones first. */
  readonly scopes: readonly VariableScope[];
}

/**
 * Finds the names of a module. `exports` are the names that the rules of its package define,
 * `broken` the statements that are not in the module, because they cannot be read.
 */
export function findNames(
  module: Module,
  exports: ReadonlySet<string>,
  builtins: BuiltinTable,
  broken: BrokenStatements = { text: '', stretches: [] },
): ModuleNames {
  const finder = new NameFinder(module, exports, builtins);
  const occurrences = finder.find(broken).sort((a, b) => a.start - b.start || a.end - b.end);
  const byKey = Map.groupBy(occurrences, ({ key }) => key);
  const {
    scopes,
    values: { same, computed, opaque },
  } = finder;
  return { occurrences, byKey, same, computed, opaque, scopes };
}

/** Statements with errors, in the text as it was written. */
interface BrokenStatements {
  readonly text: string;
  readonly stretches: readonly Stretch[];
}

/** A ref, or a variable, whose scope is known and what it stands for not yet. */
interface Pending {
  readonly head: VarTerm;
  readonly rest: readonly Term[];
  readonly scope: VariableScope;
  readonly role: NameRole;
  readonly operator: RefTerm | undefined;
}

class NameFinder implements StatedNames {
  readonly #module: Module;
  readonly #exports: ReadonlySet<string>;
  readonly #builtins: BuiltinTable;
  readonly #imports = new Map<string, Import>();
  readonly #found: Occurrence[] = [];
  readonly scopes: VariableScope[] = [];
  readonly values: ValuePaths;
  #pending: Pending[] = [];

  constructor(module: Module, exports: ReadonlySet<string>, builtins: BuiltinTable) {
    this.#module = module;
    this.#exports = exports;
    this.#builtins = builtins;
    this.values = new ValuePaths(this);
  }

  find({ text, stretches }: BrokenStatements): Occurrence[] {
    const [root, ...path] = this.#module.package.path;
    this.#path([root.name], path, 'package', 'prefix');
    for (const statement of this.#module.imports) this.#import(statement);
    for (const rule of this.#module.rules) this.#rule(rule);
    for (const stretch of stretches) this.#broken(text, stretch);
    return this.#found;
  }

  /** The names of a statement that cannot be read, as far as words show them. */
  #broken(text: string, stretch: Stretch): void {
    const own = this.#scope(undefined, stretch);
    for (const [head, ...rest] of wordPaths(text, stretch)) {
      // A line that could be read has other letters at this offset.
      const isRead = this.#module.source.text[head.start] === text[head.start];
      if (isRead || Object.hasOwn(keywordTexts, head.text)) continue;
      const term = (word: Word, type: 'var' | 'string'): Term => {
        const loc = new Span(this.#module.source, word.start, word.start + word.text.length);
        return type === 'var' ? varTerm(loc, word.text) : stringTerm(loc, word.text);
      };
      const first = term(head, 'var') as VarTerm;
      // Lines that can be read may have the variable.
      const scope = this.scopes.findLast((each) => isIn(each, head.start) && each.mentioning(head.text)) ?? own;
      const found = this.meaningOf(head.text, scope);
      if (head.start === stretch.start && found?.kind !== 'document') this.#headRef([first], scope);
      else {
        scope.mentioned.add(head.text);
        const terms: Ref = [first, ...rest.map((word) => term(word, 'string'))];
        const last = rest.at(-1) ?? head;
        const loc = new Span(this.#module.source, head.start, last.start + last.text.length);
        const operator: RefTerm = { type: 'ref', loc, terms };
        this.#resolve({ head: first, rest: terms.slice(1), scope, role: 'read', operator });
      }
    }
  }

  get #packagePath(): readonly string[] {
    return ['data', ...packageSegments(this.#module)];
  }

  #import(statement: Import): void {
    const { path, alias } = statement;
    const [head, ...rest] = path.terms;
    if (head.type !== 'var' || !isRootName(head.name)) return;
    this.#imports.set(importName(statement), statement);
    this.document(head.loc, [head.name], 'import');
    const target = this.#path([head.name], rest, 'import');
    if (alias === undefined) return;
    const after = /\s*\bas\s+/y;
    after.lastIndex = path.loc.end;
    const { text } = path.loc.source;
    if (!after.test(text)) return;
    const start = after.lastIndex;
    this.#alias(alias, target, { start, end: start + alias.length }, 'declaration');
  }

  #rule(rule: Rule): void {
    const { head } = rule;
    const params = this.#scope(undefined, rule.loc);
    for (const arg of head.args ?? []) eachBound(arg, (name) => params.declared.add(name));
    for (const arg of head.args ?? []) this.#pattern(arg, params);
    const body = this.#scope(params, rule.loc);
    declareIn(body, rule.body);
    const path = this.#headRef(head.ref, body);
    const results = head.args === undefined ? path : [...path, resultKey];
    for (const [i, arg] of (head.args ?? []).entries())
      this.values.bind(arg, params, { from: { path: [parameterRoot(path, i)] }, steps: [] });
    for (let link: Rule | undefined = rule; link; link = link.else) {
      const scope = link === rule ? body : this.#scope(params, link.loc);
      if (link !== rule) declareIn(scope, link.body);
      // The key of an object's rule is a term of its ref, too.
      const { key } = link.head;
      if (key && !link.head.ref.some(({ loc }) => loc.start === key.loc.start)) this.#term(key, scope);
      if (key && link.head.value === undefined) this.values.addFields(key, scope, () => [...path, anyKey]);
      const { value, generatedValue } = link.head;
      if (value && !generatedValue) {
        this.#term(value, scope);
        this.values.addFields(value, scope, () => results);
      }
      if (!link.generatedBody) this.#body(link.body, scope);
    }
    this.#finish();
  }

  /** Decides what names stand for: the scopes of the rule have all of their variables. */
  #finish(): void {
    this.values.bindVariables();
    for (const pending of this.#pending) this.#resolve(pending);
    this.#pending = [];
    this.values.findFields();
  }

  #scope(outer: VariableScope | undefined, loc: { start: number; end: number }): VariableScope {
    const scope = new VariableScope(this.scopes.length, outer, loc);
    this.scopes.push(scope);
    return scope;
  }

  /** The path of a rule: the last constant in it is what the rule defines. */
  #headRef([name, ...rest]: Ref, scope: VariableScope): readonly string[] {
    if (name.type !== 'var') return [];
    const path = [...this.#packagePath, name.name];
    const isLast = (i: number): boolean => !rest.slice(i).some(({ type }) => type === 'string');
    this.document(name.loc, [...path], isLast(0) ? 'definition' : 'prefix');
    for (const [i, term] of rest.entries()) {
      if (term.type === 'string') {
        path.push(term.value);
        this.document(term.loc, [...path], isLast(i + 1) ? 'definition' : 'prefix');
      } else {
        path.push(anyKey);
        this.values.addComputed(term, path);
        this.#term(term, scope);
      }
    }
    return path;
  }

  #body(body: Body, scope: VariableScope): void {
    for (const expr of body) this.#expr(expr, scope);
  }

  #expr(expr: Expr, scope: VariableScope): void {
    for (const { target, value } of expr.with) {
      this.#target(target, scope);
      this.#term(value, scope);
      this.values.addFields(value, scope, () => this.values.of(target, scope), 'replaced');
    }
    switch (expr.kind) {
      case 'term':
        return this.#term(expr.term, scope);
      case 'call':
        if (isAssignment(expr) || isEquality(expr)) this.values.assign(expr.args, scope);
        if (isAssignment(expr)) {
          this.#pattern(expr.args[0], scope);
          return this.#term(expr.args[1], scope);
        }
        return this.#call(expr, scope);
      case 'some':
        for (const symbol of expr.symbols) {
          for (const pattern of patternsOf(symbol)) this.#pattern(pattern, scope);
          if (symbol.type !== 'call') continue;
          this.#term(symbol.args.at(-1)!, scope);
          this.values.bindMembers(patternsOf(symbol), symbol.args.at(-1)!, scope, scope);
        }
        return;
      case 'every': {
        this.#term(expr.domain, scope);
        const inner = this.#scope(scope, expr.loc);
        for (const variable of [expr.key, expr.value]) {
          if (variable === undefined) continue;
          eachBound(variable, (name) => inner.declared.add(name));
          this.#pattern(variable, inner);
        }
        declareIn(inner, expr.body);
        this.values.bindMembers(
          expr.key === undefined ? [expr.value] : [expr.key, expr.value],
          expr.domain,
          inner,
          scope,
        );
        return this.#body(expr.body, inner);
      }
      case 'not':
        return this.#body(expr.body, expr.explicit ? this.#inner(expr.body, scope, expr.loc) : scope);
      default:
        this.#body(expr.lhs, expr.explicitLhs ? this.#inner(expr.lhs, scope, expr.loc) : scope);
        this.#body(expr.rhs, expr.explicitRhs ? this.#inner(expr.rhs, scope, expr.loc) : scope);
    }
  }

  #inner(body: Body, outer: VariableScope, loc: Span): VariableScope {
    const scope = this.#scope(outer, loc);
    declareIn(scope, body);
    return scope;
  }

  /** The left side of `:=`, what `some` declares, and parameters. */
  #pattern(term: Term, scope: VariableScope): void {
    switch (term.type) {
      case 'var':
        return this.#variable(term, scope, 'declaration');
      case 'array':
      case 'set':
        for (const item of term.items) this.#pattern(item, scope);
        return;
      case 'object':
        for (const { key, value } of term.entries) {
          this.#term(key, scope);
          this.#pattern(value, scope);
        }
        return;
      default:
        this.#term(term, scope);
    }
  }

  #variable(head: VarTerm, scope: VariableScope, role: NameRole): void {
    if (isWildcard(head.name)) return;
    scope.mentioned.add(head.name);
    this.#pending.push({ head, rest: [], scope, role, operator: undefined });
  }

  #term(term: Term, scope: VariableScope): void {
    switch (term.type) {
      case 'var':
        return this.#variable(term, scope, 'read');
      case 'ref':
        return this.#ref(term, scope, 'read');
      case 'call':
        return this.#call(term, scope);
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension': {
        const inner = this.#inner(term.body, scope, term.loc);
        for (const each of term.type === 'objectcomprehension' ? [term.key, term.value] : [term.term])
          this.#term(each, inner);
        return this.#body(term.body, inner);
      }
      case 'templatestring':
        for (const part of term.parts) {
          if (part.type === 'expr') this.#expr(part, scope);
          else this.#term(part, scope);
        }
        return;
      default:
        forEachChild(term, (child) => this.#term(child as Term, scope));
    }
  }

  #ref({ terms }: RefTerm, scope: VariableScope, role: NameRole): void {
    const [head, ...rest] = terms;
    if (head.type === 'var') {
      if (!isWildcard(head.name)) {
        if (role === 'read') scope.mentioned.add(head.name);
        this.#pending.push({ head, rest, scope, role, operator: undefined });
      }
    } else {
      this.#term(head, scope);
      this.values.addRest(head, scope, (path) => this.#path(path, rest, role));
    }
    for (const term of rest) if (term.type !== 'string') this.#term(term, scope);
  }

  #call(
    { operator, args }: { readonly operator: RefTerm; readonly args: readonly Term[] },
    scope: VariableScope,
  ): void {
    this.#operator(operator, scope);
    for (const arg of args) this.#term(arg, scope);
    this.values.addCall({ operator, args }, scope);
    for (const [i, arg] of args.entries()) {
      this.values.addFields(arg, scope, () => {
        const path = this.values.of(operator, scope);
        return path?.[0] === 'data' ? [parameterRoot(path, i)] : undefined;
      });
    }
  }

  /** A function: of a policy, or a built-in. Infix operators are no names. */
  #operator(operator: RefTerm, scope: VariableScope): void {
    const [head, ...rest] = operator.terms;
    if (head.type !== 'var' || !/^[\p{L}_]/u.test(operator.loc.text)) return;
    this.#pending.push({ head, rest, scope, role: 'call', operator });
    for (const term of rest) if (term.type !== 'string') this.#term(term, scope);
  }

  #target(target: Term, scope: VariableScope): void {
    const ref: RefTerm = target.type === 'ref' ? target : { type: 'ref', loc: target.loc, terms: [target] };
    const [head, ...rest] = ref.terms;
    if (head.type !== 'var') return this.#term(target, scope);
    this.#pending.push({ head, rest, scope, role: 'replaced', operator: ref });
    for (const term of rest) if (term.type !== 'string') this.#term(term, scope);
  }

  #resolve({ head, rest, scope, role, operator }: Pending): void {
    const { name, loc } = head;
    const found = this.meaningOf(name, scope);
    const own = rest.length === 0 ? role : 'read';
    if (found === undefined || found.kind === 'rest') {
      const builtin = operator && functionName(operator);
      if (operator && builtin !== undefined && this.#builtins.of(operator) !== undefined) {
        const { start, end } = operator.loc;
        this.#found.push({ start, end, kind: 'builtin', role, key: `b\u0001${builtin}`, name: builtin });
        return;
      }
      if (found === undefined) return;
    }
    if (found.kind === 'local' || found.kind === 'rest') {
      this.#local(head, found.scope, role);
      if (rest.length > 0) this.#path(this.values.ofVariable(name, found.scope), rest, role);
      return;
    }
    const { path, alias } = found;
    if (alias === undefined) {
      const whole = [...path, ...rest.map(stepOf)];
      const isImplied = path.length > 1 && !this.#exports.has(name);
      this.document(loc, path, own, { whole, ...(isImplied && { isImplied }) });
    } else this.#alias(name, path, loc, own);
    this.#path(path, rest, role);
  }

  meaningOf(name: string, scope: VariableScope): NameMeaning | undefined {
    if (isRootName(name)) return { kind: 'document', path: [name], alias: undefined };
    const declaring = scope.declaring(name);
    if (declaring) return { kind: 'local', scope: declaring };
    const statement = this.#imports.get(name);
    if (statement !== undefined) {
      const path = statement.path.terms.map((term) => (term.type === 'string' ? term.value : nameOf(term)));
      return { kind: 'document', path, alias: statement.alias };
    }
    if (this.#exports.has(name)) return { kind: 'document', path: [...this.#packagePath, name], alias: undefined };
    const mentioning = scope.mentioning(name);
    return mentioning && { kind: 'rest', scope: mentioning };
  }

  keyOf(name: string, { id }: VariableScope): string {
    return `l\u0001${this.#module.source.file}\u0001${id}\u0001${name}`;
  }

  #local({ name, loc: { start, end } }: VarTerm, scope: VariableScope, role: NameRole): void {
    const key = this.keyOf(name, scope);
    this.#found.push({ start, end, kind: 'local', role, key, name, value: this.values.ofVariable(name, scope) });
  }

  #alias(name: string, target: readonly string[], at: { start: number; end: number }, role: NameRole): void {
    const key = `a\u0001${this.#module.source.file}\u0001${name}`;
    this.#found.push({ start: at.start, end: at.end, kind: 'alias', role, key, name, target });
  }

  /** The rest of a path; answers the whole one. */
  #path(first: readonly string[], rest: readonly Term[], role: NameRole, before: NameRole = 'read'): readonly string[] {
    const whole = [...first, ...rest.map(stepOf)];
    for (const [i, term] of rest.entries()) {
      const path = whole.slice(0, first.length + i + 1);
      if (term.type !== 'string') this.values.addComputed(term, path);
      else this.document(term.loc, path, i === rest.length - 1 ? role : before, { whole });
    }
    return whole;
  }

  document(
    loc: Span,
    path: readonly string[],
    role: NameRole,
    more: Pick<Occurrence, 'isImplied' | 'isQuoted' | 'whole'> = {},
  ): void {
    const { source, start, end } = loc;
    const quote = source.text[start];
    const isQuoted = end - start >= 2 && (quote === '"' || quote === '`');
    const inner = isQuoted ? { start: start + 1, end: end - 1, isQuoted: true as const } : { start, end };
    this.#found.push({
      ...inner,
      ...more,
      kind: 'document',
      role,
      key: documentKey(path),
      path,
    });
  }
}

function isIn({ start, end }: { start: number; end: number }, offset: number): boolean {
  return offset >= start && offset < end;
}

/** A step of a ref: a constant key, or any. */
function stepOf(term: Term): string {
  return term.type === 'string' ? term.value : anyKey;
}

function nameOf(term: Term): string {
  return term.type === 'var' ? term.name : anyKey;
}
