/** All names of a module, with what they stand for. */

import { functionName, isRootName, isWildcard } from '../../../compiler/ast/names.js';
import type { Body, Expr, Import, Module, Ref, RefTerm, Rule, Term, VarTerm } from '../../../compiler/ast/nodes.js';
import { forEachChild } from '../../../compiler/ast/walk.js';
import type { BuiltinTable } from '../../../compiler/resolve/builtin-table.js';
import { isAssignment } from '../../../compiler/resolve/expression-kinds.js';
import { importName } from '../../../compiler/resolve/imports.js';
import type { Span } from '../../../compiler/source/location.js';
import { declareIn, eachBound, patternsOf, VariableScope } from './local-variables.js';
import { anyKey, documentKey, type NameRole, type Occurrence } from './symbol.js';

export interface ModuleNames {
  /** In the order of the text. */
  readonly occurrences: readonly Occurrence[];
  readonly byKey: ReadonlyMap<string, readonly Occurrence[]>;
  /** The scopes of variables, outer ones first. */
  readonly scopes: readonly VariableScope[];
}

/** Finds the names of a module. `exports` are the names that the rules of its package define. */
export function findNames(module: Module, exports: ReadonlySet<string>, builtins: BuiltinTable): ModuleNames {
  const finder = new NameFinder(module, exports, builtins);
  const occurrences = finder.find().sort((a, b) => a.start - b.start || a.end - b.end);
  return { occurrences, byKey: Map.groupBy(occurrences, ({ key }) => key), scopes: finder.scopes };
}

/** A ref, or a variable, whose scope is known and what it stands for not yet. */
interface Pending {
  readonly head: VarTerm;
  readonly rest: readonly Term[];
  readonly scope: VariableScope;
  readonly role: NameRole;
  readonly operator: RefTerm | undefined;
}

class NameFinder {
  readonly #module: Module;
  readonly #exports: ReadonlySet<string>;
  readonly #builtins: BuiltinTable;
  readonly #imports = new Map<string, Import>();
  readonly #found: Occurrence[] = [];
  readonly scopes: VariableScope[] = [];
  #pending: Pending[] = [];

  constructor(module: Module, exports: ReadonlySet<string>, builtins: BuiltinTable) {
    this.#module = module;
    this.#exports = exports;
    this.#builtins = builtins;
  }

  find(): Occurrence[] {
    const [root, ...path] = this.#module.package.path;
    this.#path([root.name], path, 'package');
    for (const statement of this.#module.imports) this.#import(statement);
    for (const rule of this.#module.rules) this.#rule(rule);
    return this.#found;
  }

  get #packagePath(): readonly string[] {
    return this.#module.package.path.map((term) => (term.type === 'string' ? term.value : term.name));
  }

  #import(statement: Import): void {
    const { path, alias } = statement;
    const [head, ...rest] = path.terms;
    if (head.type !== 'var' || !isRootName(head.name)) return;
    this.#imports.set(importName(statement), statement);
    this.#document(head.loc, [head.name], 'import');
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
    for (let link: Rule | undefined = rule; link; link = link.else) {
      const scope = link === rule ? body : this.#scope(params, link.loc);
      if (link !== rule) declareIn(scope, link.body);
      // The key of an object's rule is a term of its ref, too.
      const { key } = link.head;
      if (key && !link.head.ref.some(({ loc }) => loc.start === key.loc.start)) this.#term(key, scope);
      if (link.head.value && !link.head.generatedValue) this.#term(link.head.value, scope);
      if (link.head.value && head.args === undefined) this.#fields(link.head.value, path);
      if (!link.generatedBody) this.#body(link.body, scope);
    }
    for (const pending of this.#pending) this.#resolve(pending);
    this.#pending = [];
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
    this.#document(name.loc, [...path], isLast(0) ? 'definition' : 'read');
    for (const [i, term] of rest.entries()) {
      if (term.type === 'string') {
        path.push(term.value);
        this.#document(term.loc, [...path], isLast(i + 1) ? 'definition' : 'read');
      } else {
        path.push(anyKey);
        this.#term(term, scope);
      }
    }
    return path;
  }

  /** The keys of objects that a rule's value is written with. */
  #fields(value: Term, path: readonly string[]): void {
    if (path.length === 0) return;
    if (value.type === 'array' || value.type === 'set')
      for (const item of value.items) this.#fields(item, [...path, anyKey]);
    if (value.type !== 'object') return;
    for (const { key, value: inner } of value.entries) {
      const below = [...path, key.type === 'string' ? key.value : anyKey];
      if (key.type === 'string') this.#document(key.loc, below, 'definition');
      this.#fields(inner, below);
    }
  }

  #body(body: Body, scope: VariableScope): void {
    for (const expr of body) this.#expr(expr, scope);
  }

  #expr(expr: Expr, scope: VariableScope): void {
    for (const { target, value } of expr.with) {
      this.#target(target, scope);
      this.#term(value, scope);
    }
    switch (expr.kind) {
      case 'term':
        return this.#term(expr.term, scope);
      case 'call':
        if (isAssignment(expr)) {
          this.#pattern(expr.args[0], scope);
          return this.#term(expr.args[1], scope);
        }
        this.#operator(expr.operator, scope);
        for (const arg of expr.args) this.#term(arg, scope);
        return;
      case 'some':
        for (const symbol of expr.symbols) {
          for (const pattern of patternsOf(symbol)) this.#pattern(pattern, scope);
          if (symbol.type === 'call') this.#term(symbol.args.at(-1)!, scope);
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
        this.#operator(term.operator, scope);
        for (const arg of term.args) this.#term(arg, scope);
        return;
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
    } else this.#term(head, scope);
    for (const term of rest) if (term.type !== 'string') this.#term(term, scope);
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
    if (isRootName(name)) {
      this.#document(loc, [name], rest.length === 0 ? role : 'read');
      this.#path([name], rest, role);
      return;
    }
    const declaring = scope.declaring(name);
    if (declaring) return this.#local(head, declaring, role);
    const statement = this.#imports.get(name);
    if (statement !== undefined) {
      const target = statement.path.terms.map((term) => (term.type === 'string' ? term.value : nameOf(term)));
      const own = rest.length === 0 ? role : 'read';
      if (statement.alias === undefined) this.#document(loc, target, own, { isImplied: true });
      else this.#alias(name, target, loc, own);
      this.#path(target, rest, role);
      return;
    }
    if (this.#exports.has(name)) {
      const path = [...this.#packagePath, name];
      this.#document(loc, path, rest.length === 0 ? role : 'read');
      this.#path(path, rest, role);
      return;
    }
    const builtin = operator && functionName(operator);
    if (operator && builtin !== undefined && this.#builtins.of(operator) !== undefined) {
      const { start, end } = operator.loc;
      const key = `b\u0001${builtin}`;
      this.#found.push({ start, end, kind: 'builtin', role, key, name: builtin });
      return;
    }
    const mentioning = scope.mentioning(name);
    if (mentioning) this.#local(head, mentioning, role);
  }

  #local({ name, loc: { start, end } }: VarTerm, { id }: VariableScope, role: NameRole): void {
    const key = `l\u0001${this.#module.source.file}\u0001${id}\u0001${name}`;
    this.#found.push({ start, end, kind: 'local', role, key, name });
  }

  #alias(name: string, target: readonly string[], at: { start: number; end: number }, role: NameRole): void {
    const key = `a\u0001${this.#module.source.file}\u0001${name}`;
    this.#found.push({ start: at.start, end: at.end, kind: 'alias', role, key, name, target });
  }

  /** The rest of a path; answers the whole one. */
  #path(first: readonly string[], rest: readonly Term[], role: NameRole): readonly string[] {
    const path = [...first];
    for (const [i, term] of rest.entries()) {
      if (term.type !== 'string') {
        path.push(anyKey);
        continue;
      }
      path.push(term.value);
      this.#document(term.loc, [...path], i === rest.length - 1 ? role : 'read');
    }
    return path;
  }

  #document(loc: Span, path: readonly string[], role: NameRole, more: Pick<Occurrence, 'isImplied'> = {}): void {
    const { source, start, end } = loc;
    const quote = source.text[start];
    const isQuoted = end - start >= 2 && (quote === '"' || quote === '`');
    const inner = isQuoted ? { start: start + 1, end: end - 1, isQuoted: true as const } : { start, end };
    const { isImplied } = more;
    this.#found.push({
      ...inner,
      ...(isImplied && { isImplied }),
      kind: 'document',
      role,
      key: documentKey(path),
      path,
    });
  }
}

function nameOf(term: Term): string {
  return term.type === 'var' ? term.name : anyKey;
}
