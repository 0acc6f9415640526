/** Residuals of entrypoints as modules in the place of their rules. */

import {
  type Body,
  type Expr,
  isRoot,
  leadingKeys,
  type Module,
  mapExprChildren,
  mapTermChildren,
  type Node,
  nowhere,
  type Package,
  packageSegments,
  parseModule,
  printBody,
  printRef,
  type Ref,
  type RefTerm,
  type RegoVersion,
  type Rule,
  type RuleHead,
  stringTerm,
  type Term,
  varTerm,
  walk,
} from '../../compiler/index.js';
import { type AuthorVariables, isRuleName, type PartialResult } from '../../engine/index.js';
import { beginsWith } from '../../values/index.js';

export class ResidualModules {
  readonly #modules: Module[] = [];
  readonly #variables = new Map<Module, AuthorVariables>();
  /** Paths of rules that the modules have instead of the policies. */
  readonly defined: (readonly string[])[] = [];
  #entrypoints = 0;
  readonly #namespace: string;
  readonly #version: RegoVersion;

  /**
   * @param namespace the package of conditions that become rules
   * @param version the version that the modules are in
   */
  constructor(namespace: string, version: RegoVersion) {
    this.#namespace = namespace;
    this.#version = version;
  }

  modules(): readonly Module[] {
    return this.#modules;
  }

  /** The variables of a module's rules that replace those of authors. */
  variablesOf(module: Module): AuthorVariables | undefined {
    return this.#variables.get(module);
  }

  /** Adds the residual of `data.path = __result__`. An entrypoint without a shorter one stays. */
  add(
    path: readonly string[],
    { queries, support, supported }: PartialResult,
    variables: AuthorVariables | undefined,
  ): void {
    const number = ++this.#entrypoints;
    if (queries.length === 0 || mentions([...queries.flat(), ...support.flatMap(({ rules }) => rules)], path)) return;
    const place = new Place(number, this.#namespace);
    const hasOwn = !isSupport(queries, path);
    // No rule can stand for a package of one name: a rule is in a package.
    if (
      hasOwn &&
      (path.length < 2 ||
        !isRuleName(path.at(-1)!) ||
        this.defined.some((one) => one.length > path.length && beginsWith(one, path)))
    )
      return;
    if (support.some((module) => !isPlaceable(module))) return;
    const own = hasOwn ? [resultModule(path, queries)] : [];
    for (const module of [...own, ...support]) {
      const moved = place.module(module);
      const pkg = packageSegments(moved);
      const rules = moved.rules.filter((rule) => !this.#isDefined([...pkg, ...namesOf(rule)]));
      // The entrypoint's own rules come first.
      const ordered = rules.toSorted((a, b) => Number(nameOf(b) === path.at(-1)) - Number(nameOf(a) === path.at(-1)));
      if (rules.length === 0) continue;
      const residual = { ...moved, regoVersion: this.#version, rules: ordered };
      this.#modules.push(residual);
      if (variables !== undefined) this.#variables.set(residual, variables);
    }
    for (const one of hasOwn ? [path, ...supported] : supported) if (!this.#isDefined(one)) this.defined.push(one);
  }

  #isDefined(path: readonly string[]): boolean {
    return this.defined.some((one) => beginsWith(path, one));
  }
}

/** The keys of a rule's ref as far as they are texts. */
function namesOf(rule: Rule): readonly string[] {
  return [nameOf(rule), ...leadingKeys(rule.head.ref.slice(1))];
}

const condition = /^__not0_(?=\d+_\d+__$)/;

/** Whether rules have a package: a document whose names are keywords may have none. */
function isPlaceable({ package: { path }, rules }: Module): boolean {
  return path.length > 2 || rules.every((rule) => condition.test(nameOf(rule)));
}

function nameOf({ head }: Rule): string {
  return (head.ref[0] as Term & { type: 'var' }).name;
}

/** Whether a document is read that is not a rule of the residual. */
function mentions(nodes: readonly Node[], path: readonly string[]): boolean {
  let found = false;
  for (const node of nodes) {
    walk(node, (one) => {
      const head = one.type === 'ref' ? one.terms[0] : undefined;
      if (one.type !== 'ref' || !isRoot(head, 'data')) return;
      found ||= path.every((key, i) => {
        const term = one.terms[i + 1];
        return term === undefined || term.type !== 'string' || term.value === key;
      });
    });
  }
  return found;
}

/** Whether the rules of the residual are all there is: `data.partial.path = __result__`. */
function isSupport(queries: readonly Body[], path: readonly string[]): boolean {
  const keys = ['partial', ...path].map((key) => stringTerm(nowhere, key));
  return queries.map(printBody).join('\n') === `${printRef([varTerm(nowhere, 'data'), ...keys])} = __result__`;
}

/** A rule for each query. */
function resultModule(path: readonly string[], queries: readonly Body[]): Module {
  const module = parseModule('', 'package a\n\nb := __result__ if true');
  const [rule] = module.rules as [Rule];
  const [name, ...pkg] = path.toReversed();
  const terms = ['partial', ...pkg.reverse()].map((key) => stringTerm(nowhere, key));
  const head: RuleHead = { ...rule.head, name: name!, ref: [varTerm(nowhere, name!)] };
  return {
    ...module,
    package: { ...module.package, path: [varTerm(nowhere, 'data'), ...terms] },
    rules: queries.map((body) => ({ ...rule, head, body })),
  };
}

/** Moves modules from `data.partial` to where the policy has them. */
class Place {
  readonly #entrypoint: number;
  readonly #namespace: string;

  constructor(entrypoint: number, namespace: string) {
    this.#entrypoint = entrypoint;
    this.#namespace = namespace;
  }

  module(module: Module): Module {
    const [data, , ...below] = module.package.path;
    const path: Package['path'] = [data, ...(below.length > 0 ? below : [stringTerm(nowhere, this.#namespace)])];
    const rules = module.rules.map((rule) => {
      const [first, ...rest] = rule.head.ref as [Term & { type: 'var' }, ...Term[]];
      const name = this.#condition(first.name);
      const ref: Ref = [{ ...first, name }, ...rest];
      const head = { ...rule.head, name: rule.head.name === '' ? '' : name, ref };
      return { ...rule, head, body: this.#body(rule.body) };
    });
    return { ...module, package: { ...module.package, path }, rules };
  }

  /** Conditions under `not` have a package of their own, which entrypoints share. */
  #condition(name: string): string {
    return name.replace(condition, `__not${this.#entrypoint}_`);
  }

  #body = (body: Body): Body => body.map((expr) => this.#expr(expr));

  #expr(expr: Expr): Expr {
    return mapExprChildren(expr, { term: this.#term, body: this.#body });
  }

  #term = (term: Term): Term => {
    const inner = mapTermChildren(term, { term: this.#term, body: this.#body });
    if (inner.type !== 'ref') return inner;
    const [head, first, second, ...rest] = inner.terms;
    if (!isRoot(head, 'data') || first?.type !== 'string' || first.value !== 'partial') return inner;
    if (second?.type !== 'string') return inner;
    const name = this.#condition(second.value);
    const terms: readonly Term[] =
      name === second.value
        ? [head, second, ...rest]
        : [head, { ...first, value: this.#namespace }, { ...second, value: name }, ...rest];
    return { ...inner, terms } as RefTerm;
  };
}
