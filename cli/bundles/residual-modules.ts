/** Residuals of entrypoints as modules in the place of their rules. */
import { stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Body, Expr, Module, Node, RefTerm, RegoVersion, Rule, Term } from '../../compiler/ast/nodes.js';
import { printBody } from '../../compiler/ast/print.js';
import { mapExprChildren, mapTermChildren, walk } from '../../compiler/ast/walk.js';
import { stringsOf } from '../../compiler/entrypoints.js';
import { nowhere } from '../../compiler/source/location.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { PartialResult } from '../../query/partial/partial.js';

export class ResidualModules {
  readonly #modules: Module[] = [];
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

  /** Adds the residual of `data.path = __result__`. An entrypoint without a shorter one stays. */
  add(path: readonly string[], { queries, support }: PartialResult): void {
    const number = ++this.#entrypoints;
    if (queries.length === 0 || mentions([...queries.flat(), ...support.flatMap(({ rules }) => rules)], path)) return;
    const place = new Place(number, this.#namespace);
    const own = isSupport(queries, path) ? [] : [resultModule(path, queries)];
    for (const module of [...own, ...support]) {
      const moved = place.module(module);
      const pkg = stringsOf(moved.package.path)!;
      const rules = moved.rules.filter((rule) => !this.#isDefined([...pkg, nameOf(rule)]));
      // The entrypoint's own rules come first.
      const ordered = rules.toSorted((a, b) => Number(nameOf(b) === path.at(-1)) - Number(nameOf(a) === path.at(-1)));
      if (rules.length > 0) this.#modules.push({ ...moved, regoVersion: this.#version, rules: ordered });
    }
    for (const module of this.#modules) {
      for (const rule of module.rules) this.#define([...stringsOf(module.package.path)!, nameOf(rule)]);
    }
  }

  #isDefined(path: readonly string[]): boolean {
    return this.defined.some((one) => one.join('/') === path.join('/'));
  }

  #define(path: readonly string[]): void {
    if (!this.#isDefined(path)) this.defined.push(path);
  }
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
      if (one.type !== 'ref' || head?.type !== 'var' || head.name !== 'data') return;
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
  const ref = ['data', 'partial', ...path].join('.');
  return queries.length === 1 && printBody(queries[0]!) === `${ref} = __result__`;
}

/** A rule for each query. */
function resultModule(path: readonly string[], queries: readonly Body[]): Module {
  const module = parseModule('', 'package a\n\nb := __result__ if true');
  const [rule] = module.rules as [Rule];
  const [name, ...pkg] = path.toReversed();
  const terms = ['partial', ...pkg.reverse()].map((key) => stringTerm(nowhere, key));
  const head = { ...rule.head, name: name!, ref: [varTerm(nowhere, name!)] };
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
    const [data, , ...below] = module.package.path as [Term, Term, ...Term[]];
    const path = [data, ...(below.length > 0 ? below : [stringTerm(nowhere, this.#namespace)])];
    const rules = module.rules.map((rule) => {
      const [first, ...rest] = rule.head.ref as [Term & { type: 'var' }, ...Term[]];
      const name = this.#condition(first.name);
      const head = { ...rule.head, name: rule.head.name === '' ? '' : name, ref: [{ ...first, name }, ...rest] };
      return { ...rule, head, body: this.#body(rule.body) };
    });
    return { ...module, package: { ...module.package, path }, rules };
  }

  /** Conditions under `not` have a package of their own, which entrypoints share. */
  #condition(name: string): string {
    return name.replace(/^__not0_(?=\d+_\d+__$)/, `__not${this.#entrypoint}_`);
  }

  #body = (body: Body): Body => body.map((expr) => this.#expr(expr));

  #expr(expr: Expr): Expr {
    return mapExprChildren(expr, { term: this.#term, body: this.#body });
  }

  #term = (term: Term): Term => {
    const inner = mapTermChildren(term, { term: this.#term, body: this.#body });
    if (inner.type !== 'ref') return inner;
    const [head, first, second, ...rest] = inner.terms;
    if (head?.type !== 'var' || head.name !== 'data' || first?.type !== 'string' || first.value !== 'partial') return inner;
    if (second?.type !== 'string') return inner;
    const name = this.#condition(second.value);
    const terms: readonly Term[] =
      name === second.value ? [head, second, ...rest] : [head, { ...first, value: this.#namespace }, { ...second, value: name }, ...rest];
    return { ...inner, terms } as RefTerm;
  };
}
