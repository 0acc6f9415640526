/** The types that the checker inferred: of documents by their paths, and of variables. */

import type { Compiled, CompiledRule, Node, Ref, Type } from '../../../compiler/index.js';
import { BodyChecker, elseChain, nowhere, stringTerm, TypeScope, varTerm, walk } from '../../../compiler/index.js';
import { anyKey } from '../names/symbol.js';
import { describedDocuments } from './schema-fields.js';

/**
 * The type of a document; undefined where nothing is known. The schemas of a rule say more of the
 * documents that it reads.
 */
export function typeOfDocument(
  compiled: Compiled,
  [root, ...keys]: readonly string[],
  rule?: CompiledRule,
): Type | undefined {
  const { types } = compiled;
  if (types === undefined || root === undefined) return undefined;
  const terms: Ref = [
    varTerm(nowhere, root),
    ...keys.map((key) => (key === anyKey ? varTerm(nowhere, '$0') : stringTerm(nowhere, key))),
  ];
  const described = rule && describedDocuments(rule, compiled, types.globals);
  const own = described?.has(root) ? described : undefined;
  return new TypeScope(types.globals, () => undefined, undefined, own).typeOfRef({ terms });
}

/** The types of the variables of a rule, by their names in the compiled rule. */
type VariableTypes = (name: string) => Type | undefined;

const known = new WeakMap<CompiledRule, VariableTypes>();

/** The type of the variable at some offsets of a module; undefined where nothing is known. */
export function typeOfVariable(
  compiled: Compiled,
  file: string,
  at: { readonly start: number; readonly end: number },
): Type | undefined {
  const rule = compiled.modules
    .get(file)
    ?.rules.find(({ rule: { loc } }) => at.start >= loc.start && at.end <= loc.end);
  if (rule === undefined) return undefined;
  let name: string | undefined;
  walk(rule.rule, (node: Node) => {
    if (node.type === 'var' && node.loc.start === at.start && node.loc.end === at.end) name ??= node.name;
    return name === undefined;
  });
  return name === undefined ? undefined : typesIn(rule, compiled)(name);
}

function typesIn(rule: CompiledRule, compiled: Compiled): VariableTypes {
  const { types, options } = compiled;
  let found = known.get(rule);
  if (found === undefined) {
    const scopes: TypeScope[] = [];
    for (const link of types === undefined ? [] : elseChain(rule.rule)) {
      const checker = new BodyChecker(types!.globals, rule.module.names, options.allowUndefinedFunctions);
      const scope = new RecordedScope(checker.scope(describedDocuments(rule, compiled, types!.globals)), scopes);
      for (const expr of link.body) checker.expr(expr, scope);
    }
    found = (name) => {
      for (const scope of scopes) {
        const type = scope.variable(name);
        if (type !== undefined) return type;
      }
      return undefined;
    };
    known.set(rule, found);
  }
  return found;
}

/** A scope that keeps the scopes inside of it, whose variables are asked for later. */
class RecordedScope extends TypeScope {
  readonly #base: TypeScope;
  readonly #all: TypeScope[];

  constructor(base: TypeScope, all: TypeScope[], outer?: TypeScope) {
    super(base.globals, (term) => base.typeOf(term), outer, outer ? undefined : base.documents);
    this.#base = base;
    this.#all = all;
    all.push(this);
  }

  override inner(): TypeScope {
    return new RecordedScope(this.#base, this.#all, this);
  }
}
