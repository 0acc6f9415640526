/** The types of variables and documents at a place. */

import { sortedTermEntries } from '../../ast/compare-terms.js';
import { isRootName } from '../../ast/names.js';
import type { Ref, RefTerm, Term } from '../../ast/nodes.js';
import { type BuiltinTable, builtinName } from '../../resolve/builtin-table.js';
import { sortProperties } from './compare-types.js';
import { isConstant, jsonOfTerm } from './constant-terms.js';
import { typeOfBuiltin } from './declared-types.js';
import type { Replacements } from './replaced.js';
import { selectPath } from './select.js';
import { TypeTree } from './tree.js';
import type { FunctionType, Properties, Property, Type } from './type.js';
import {
  anything,
  arrayType,
  booleanType,
  bounded,
  emptyArray,
  emptyObject,
  emptySet,
  numberType,
  objectType,
  setType,
  stringType,
  typeOfNull,
  withElements,
} from './type.js';
import { unionAll } from './union.js';

/** The types of all rules, of `input`, and of the built-ins. */
export class Globals {
  readonly documents = new Map<string, TypeTree>();
  readonly builtins: BuiltinTable;
  /** The paths that modifiers of expressions replace; absent before the rules are known. */
  readonly replacements: Replacements | undefined;
  /** An error lists the known parts of a package, which depend on the order of checks. */
  listsPackages = false;

  constructor(builtins: BuiltinTable, replacements?: Replacements) {
    this.builtins = builtins;
    this.replacements = replacements;
  }

  /** The tree of `data` or `input`, made if it is not there. */
  document(name: string): TypeTree {
    let tree = this.documents.get(name);
    if (!tree) this.documents.set(name, (tree = new TypeTree()));
    return tree;
  }

  function(operator: RefTerm): FunctionType | undefined {
    const builtin = this.builtins.of(operator);
    return builtin && typeOfBuiltin(builtin);
  }
}

/** Comprehensions have been checked before their types are asked for. */
type TypeOfClosure = (term: Term) => Type | undefined;

/**
 * The variables of a body, around which there may be other bodies, and documents that a rule's
 * schemas describe.
 */
export class TypeScope {
  readonly globals: Globals;
  readonly outer: TypeScope | undefined;
  readonly documents: ReadonlyMap<string, TypeTree> | undefined;
  readonly #vars: Map<string, Type | undefined>;
  readonly #closure: TypeOfClosure;

  constructor(
    globals: Globals,
    closure: TypeOfClosure,
    outer?: TypeScope,
    documents?: ReadonlyMap<string, TypeTree>,
    vars = new Map<string, Type | undefined>(),
  ) {
    this.globals = globals;
    this.outer = outer;
    this.documents = documents;
    this.#closure = closure;
    this.#vars = vars;
  }

  /** A scope inside of this one. */
  inner(): TypeScope {
    return new TypeScope(this.globals, this.#closure, this);
  }

  /** The same variables, with other documents and functions. */
  replacing(documents: ReadonlyMap<string, TypeTree>): TypeScope {
    return documents.size === 0 ? this : new TypeScope(this.globals, this.#closure, this, documents, this.#vars);
  }

  /** Whether a built-in has been replaced. */
  replaces(name: string | undefined): boolean {
    if (name === undefined) return false;
    for (let scope: TypeScope | undefined = this; scope; scope = scope.outer)
      if (scope.documents?.has(name)) return true;
    return false;
  }

  set(name: string, type: Type | undefined): void {
    this.#vars.set(name, type && bounded(type));
  }

  /** The type of a variable; a built-in's name that nothing binds stands for the function. */
  variable(name: string): Type | undefined {
    for (let scope: TypeScope | undefined = this; scope; scope = scope.outer) {
      if (scope.#vars.has(name)) return scope.#vars.get(name);
    }
    const builtin = this.globals.builtins.get(name);
    return builtin && typeOfBuiltin(builtin);
  }

  /** The tree in which a ref into `data` or `input` is looked up at this scope alone. */
  tree(name: string): TypeTree | undefined {
    return this.documents?.get(name);
  }

  typeOf(term: Term): Type | undefined {
    switch (term.type) {
      case 'null':
        return typeOfNull;
      case 'boolean':
        return booleanType;
      case 'number':
        return numberType;
      case 'string':
        return stringType;
      case 'var':
        return this.variable(term.name);
      case 'ref':
        return this.typeOfRef(term);
      case 'array':
        if (term.items.length === 0) return typeOfEmpty(term, emptyArray);
        return bounded(
          arrayType(
            term.items.map((item) => this.typeOf(item)),
            undefined,
          ),
        );
      case 'set':
        if (term.items.length === 0) return typeOfEmpty(term, emptySet);
        return bounded(setType(unionAll(term.items.map((item) => this.typeOf(item))) ?? anything));
      case 'object':
        if (term.entries.length === 0) return typeOfEmpty(term, emptyObject);
        return this.#typeOfObject(term);
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return this.#closure(term);
      default:
        return undefined;
    }
  }

  #typeOfObject({ entries }: Term & { readonly type: 'object' }): Type {
    const fixed: Property[] = [];
    let variable = 0;
    for (const { key, value } of entries) {
      const name = key.type === 'string' ? key.value : isConstant(key) ? jsonOfTerm(key) : undefined;
      if (name === undefined) variable++;
      else fixed.push({ key: name, type: this.typeOf(value) });
    }
    let rest: Properties | undefined;
    if (variable > 0) {
      // The last of several keys that are no constants counts.
      const { key, value } = (variable > 1 ? sortedTermEntries(entries) : entries).findLast(
        (entry) => !isConstant(entry.key) || jsonOfTerm(entry.key) === undefined,
      )!;
      rest = { key: this.typeOf(key), value: this.typeOf(value) };
    }
    return bounded(objectType(sortProperties(fixed), rest));
  }

  typeOfRef({ terms }: { readonly terms: Ref }): Type | undefined {
    const [head] = terms;
    if (head.type !== 'var') return selectPath(this.typeOf(head), terms, 1);
    if (isRootName(head.name)) {
      for (let scope: TypeScope | undefined = this; scope; scope = scope.outer) {
        const found = scope.tree(head.name)?.find(terms, 1);
        if (found?.known) return found.type;
      }
      const found = this.globals.documents.get(head.name)?.find(terms, 1);
      return found?.known ? found.type : anything;
    }
    const name = builtinName(terms);
    const builtin = name === undefined || terms.length === 1 ? undefined : this.globals.builtins.get(name);
    const type = this.variable(head.name);
    return type === undefined && builtin ? typeOfBuiltin(builtin) : selectPath(type, terms, 1);
  }
}

/** An author knows that a literal is empty, and not that the annotations of a rule are. */
function typeOfEmpty({ loc }: Term, empty: Type): Type {
  return isWrittenLiteral(loc.text) ? empty : withElements(empty);
}

/** Whether a text is that of a collection, written as such. */
export function isWrittenLiteral(text: string): boolean {
  return /^(?:[[{]|set\b)/.test(text);
}
