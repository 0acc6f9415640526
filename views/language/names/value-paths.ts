/** Paths of values: which document a term is, as far as the text of its rule tells. */

import { isWildcard, type Span, type Term } from '../../../compiler/index.js';
import { type FieldCall, fieldsInTexts, passedOperands, readField } from './field-functions.js';
import type { BoundValue, VariableScope } from './local-variables.js';
import { anyKey, documentKey, type NameRole, type Occurrence, resultKey, variableRoot } from './symbol.js';

/** Two paths of one document. */
export type SamePaths = readonly [readonly string[], readonly string[]];

/** The meaning of a name in a scope. */
export type NameMeaning =
  | { readonly kind: 'document'; readonly path: readonly string[]; readonly alias: string | undefined }
  | { readonly kind: 'local'; readonly scope: VariableScope }
  /** A variable that nothing declares: a function of its name goes first. */
  | { readonly kind: 'rest'; readonly scope: VariableScope };

/** The names of a module. */
export interface StatedNames {
  meaningOf(name: string, scope: VariableScope): NameMeaning | undefined;
  /** A text for the variable of a scope, which no other variable has. */
  keyOf(name: string, scope: VariableScope): string;
  readonly scopes: readonly VariableScope[];
  /** Adds the name of a document. */
  document(loc: Span, path: readonly string[], role: NameRole, more?: Pick<Occurrence, 'isQuoted'>): void;
}

/** The path of a value, asked for once the scopes of a rule are known. */
type PathOf = () => readonly string[] | undefined;

export class ValuePaths {
  readonly #names: StatedNames;
  /** Values that are being looked up: a variable may be a part of itself. */
  readonly #asked = new Set<BoundValue>();
  /** Paths of one document: of a rule, and of the document that is its value. */
  readonly same: SamePaths[] = [];
  /** Paths whose last step is a key that the policy has as a value. */
  readonly computed: (readonly string[])[] = [];
  /** Paths with a value that a built-in computes, or that has no name. */
  readonly opaque: (readonly string[])[] = [];
  #bindings: { readonly name: string; readonly scope: VariableScope; readonly bound: BoundValue }[] = [];
  /** Work that waits until the scopes of a rule are known. */
  #later: (() => void)[] = [];

  constructor(names: StatedNames) {
    this.#names = names;
  }

  /** The path of a term's value; undefined for values that have no name. */
  of(term: Term, scope: VariableScope): readonly string[] | undefined {
    switch (term.type) {
      case 'var': {
        if (isWildcard(term.name)) return undefined;
        const found = this.#names.meaningOf(term.name, scope);
        if (found === undefined) return undefined;
        return found.kind === 'document' ? found.path : this.ofVariable(term.name, found.scope);
      }
      case 'ref': {
        const [head, ...rest] = term.terms;
        const first = this.of(head, scope);
        return first && [...first, ...rest.map((each) => (each.type === 'string' ? each.value : anyKey))];
      }
      case 'call': {
        const path = this.of(term.operator, scope);
        if (path?.[0] === 'data') return [...path, resultKey];
        const read = readField(term);
        const object = read && this.of(read.object, scope);
        return object && [...object, ...read.steps.map(({ key }) => key)];
      }
      default:
        return undefined;
    }
  }

  /** The path of a variable's value: below a document, or below the variable itself. */
  ofVariable(name: string, scope: VariableScope): readonly string[] {
    const bound = scope.bound.get(name);
    return (bound && this.ofBound(bound)) ?? [variableRoot(this.#names.keyOf(name, scope))];
  }

  ofBound(bound: BoundValue): readonly string[] | undefined {
    if (this.#asked.has(bound)) return undefined;
    this.#asked.add(bound);
    const { from, steps } = bound;
    const path = 'path' in from ? from.path : this.of(from.term, from.scope);
    this.#asked.delete(bound);
    return path && [...path, ...steps];
  }

  /** Variables get the values that they were bound to: the scopes of a rule are known. */
  bindVariables(): void {
    for (const { name, scope, bound } of this.#bindings) {
      const owner = scope.declaring(name) ?? scope.mentioning(name);
      if (owner !== undefined && !owner.bound.has(name)) owner.bound.set(name, bound);
    }
    this.#bindings = [];
  }

  /** The rest of a ref whose beginning is the value of a call. */
  addRest(head: Term, scope: VariableScope, found: (path: readonly string[]) => void): void {
    this.#later.push(() => {
      const path = this.of(head, scope);
      if (path !== undefined) found(path);
    });
  }

  /** Finds the names in values, after variables were bound. */
  findFields(): void {
    for (const work of this.#later) work();
    this.#later = [];
  }

  /** A document at a path has a value: its names are found later. */
  addFields(value: Term, scope: VariableScope, pathOf: PathOf, role: NameRole = 'definition'): void {
    this.#later.push(() => this.#fields(value, pathOf() ?? [], scope, role));
  }

  /** The key of a document is the value of a term. */
  addComputed(term: Term, path: readonly string[]): void {
    const isKnown = term.type === 'number' || (term.type === 'var' && isWildcard(term.name));
    if (!isKnown) this.computed.push([...path]);
  }

  /** The names in a value that a document at a path has: keys of objects, and other documents. */
  #fields(value: Term, path: readonly string[], scope: VariableScope, role: NameRole): void {
    if (path.length === 0) return;
    switch (value.type) {
      case 'array':
      case 'set':
        for (const item of value.items) this.#fields(item, [...path, anyKey], scope, role);
        return;
      case 'object':
        for (const { key, value: inner } of value.entries) {
          const below = [...path, key.type === 'string' ? key.value : anyKey];
          if (key.type === 'string') this.#names.document(key.loc, below, role);
          else this.addComputed(key, below);
          this.#fields(inner, below, scope, role);
        }
        return;
      case 'arraycomprehension':
      case 'setcomprehension':
        return this.#fields(value.term, [...path, anyKey], this.#within(value, scope), role);
      case 'objectcomprehension': {
        const below = [...path, anyKey];
        this.addComputed(value.key, below);
        return this.#fields(value.value, below, this.#within(value, scope), role);
      }
      case 'call': {
        const operands = this.#isOfPolicy(value, scope) ? undefined : passedOperands(value);
        for (const arg of operands ?? []) this.#fields(arg, path, scope, role);
        if (operands !== undefined) return;
        const otherwise = readField(value)?.otherwise;
        if (otherwise !== undefined) this.#fields(otherwise, path, scope, role);
      }
    }
    const same = this.of(value, scope);
    if (same !== undefined) {
      if (documentKey(same) !== documentKey(path)) this.same.push([path, same]);
    } else if (role !== 'replaced' && (value.type === 'call' || value.type === 'ref')) this.opaque.push(path);
  }

  /** The fields that texts of a built-in's operands name. */
  addCall(call: FieldCall, scope: VariableScope): void {
    this.#later.push(() => {
      const [object] = call.args;
      const base = object && !this.#isOfPolicy(call, scope) ? this.of(object, scope) : undefined;
      if (base === undefined) return;
      const read = readField(call);
      for (const { steps, value } of [...(read ? [read] : []), ...fieldsInTexts(call)]) {
        const path = [...base];
        for (const { key, loc } of steps) {
          path.push(key);
          if (loc !== undefined) this.#names.document(loc, [...path], 'read', { isQuoted: true });
        }
        if (value !== undefined) this.#fields(value, path, scope, 'read');
      }
    });
  }

  /** Whether a policy has a function of the name. */
  #isOfPolicy({ operator }: FieldCall, scope: VariableScope): boolean {
    return this.of(operator, scope)?.[0] === 'data';
  }

  /** The scope of a comprehension. */
  #within({ loc }: Term, outer: VariableScope): VariableScope {
    return (
      this.#names.scopes.find((each) => each.outer === outer && each.start === loc.start && each.end === loc.end) ??
      outer
    );
  }

  /** A pattern gets a value: its variables are parts of that. */
  bind(pattern: Term, scope: VariableScope, bound: BoundValue): void {
    const { from, steps } = bound;
    switch (pattern.type) {
      case 'var':
        if (!isWildcard(pattern.name)) this.#bindings.push({ name: pattern.name, scope, bound });
        return;
      case 'array':
        for (const item of pattern.items) this.bind(item, scope, { from, steps: [...steps, anyKey] });
        return;
      case 'object':
        for (const { key, value } of pattern.entries) {
          const below = { from, steps: [...steps, key.type === 'string' ? key.value : anyKey] };
          this.bind(value, scope, below);
          if (key.type !== 'string') continue;
          this.#later.push(() => {
            const path = this.ofBound(below);
            if (path !== undefined) this.#names.document(key.loc, path, 'read');
          });
        }
    }
  }

  /** The patterns of `k, v in domain`. */
  bindMembers(patterns: readonly (Term | undefined)[], domain: Term, inner: VariableScope, scope: VariableScope): void {
    const value = patterns.at(-1);
    const own = [variableRoot(this.#names.keyOf(`#${domain.loc.start}`, scope))];
    const isPassed = domain.type === 'call' && passedOperands(domain) !== undefined;
    const isWritten = isPassed || domain.type === 'array' || domain.type === 'set' || domain.type === 'object';
    const from = isWritten ? { path: own } : { term: domain, scope };
    if (isWritten) this.addFields(domain, scope, () => own);
    if (value !== undefined) this.bind(value, inner, { from, steps: [anyKey] });
    const key = patterns.length > 1 ? patterns[0] : undefined;
    if (key === undefined) return;
    this.#later.push(() => {
      const path = this.of(domain, scope);
      if (path !== undefined) this.addComputed(key, [...path, anyKey]);
    });
  }

  /** `x := value` and `x = value`: a variable is the value, or has its fields. */
  assign([left, right]: readonly [Term, Term], scope: VariableScope): void {
    const isPath = ({ type }: Term): boolean => type === 'var' || type === 'ref' || type === 'call';
    if (isPath(right)) this.bind(left, scope, { from: { term: right, scope }, steps: [] });
    if (isPath(left) && (left.type !== 'var' || isPath(right)))
      this.bind(right, scope, { from: { term: left, scope }, steps: [] });
    if (left.type === 'var' && !isWildcard(left.name) && (right.type === 'call' || !isPath(right)))
      this.addFields(right, scope, () => this.of(left, scope));
  }
}
