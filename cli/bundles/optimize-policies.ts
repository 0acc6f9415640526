/** Policies whose entrypoints have been evaluated partially: `build -O`. */

import {
  type Annotations,
  type CompileCapabilities,
  type Compiled,
  CompileErrors,
  type Entrypoint,
  generatedCall,
  type Import,
  isRoot,
  leadingKeys,
  type Module,
  type Node,
  nameOfKey,
  nowhere,
  type Origins,
  operatorRef,
  packageSegments,
  parseModule,
  printRef,
  type RefTerm,
  type Rule,
  refTerm,
  type Source,
  stringKeys,
  stringTerm,
  type Term,
  varTerm,
  walk,
} from '../../compiler/index.js';
import type { Engine, ModuleFile, PartialResult } from '../../engine/index.js';
import { AuthorVariables, residualModule } from '../../engine/index.js';
import { baseAt } from '../../runtime/index.js';
import { beginsWith, isSamePath, type Value } from '../../values/index.js';
import type { ParsedFile } from '../load-policies.js';
import { partEnd } from '../refactor/part-end.js';
import { readsModified } from './modified-residuals.js';
import { ResidualModules } from './residual-modules.js';
import { ResidualOrigins } from './residual-origins.js';

interface Optimized {
  /** The policies without the rules that were evaluated. */
  readonly rest: readonly ParsedFile[];
  /** The residuals of those rules. */
  readonly residuals: readonly ParsedFile[];
  /** All of them: what is left of a file has the places that it has in the whole file. */
  readonly sources: readonly ParsedFile[];
  readonly compiled: Compiled;
  /** Where the expressions of residuals come from, for debug information. */
  readonly origins: ReadonlyMap<Source, Origins>;
}

interface Rest {
  /** For the bundle. */
  readonly written: ParsedFile;
  /** For the plan. */
  readonly planned: ParsedFile;
}

export interface OptimizeOptions {
  readonly data: Value;
  readonly roots: readonly string[];
  /** Keeps the rules that the entrypoints read as rules. */
  readonly isShallow: boolean;
  /** The package of conditions that become rules. */
  readonly namespace: string;
  /** The version that readers of the bundle take modules for. */
  readonly version: 'v0' | 'v1';
  readonly capabilities: CompileCapabilities | undefined;
  /** Throws CompileErrors. */
  readonly compile: (parsed: readonly ParsedFile[]) => Compiled;
  /** Whether the plan is not too large. */
  readonly fits: (compiled: Compiled, sources: readonly ParsedFile[]) => boolean;
  /** Residuals with more expressions are not compiled: their plan does not fit. */
  readonly mostExpressions: number;
  readonly debug: ((line: string) => void) | undefined;
  /** Whether the plan gets debug information. */
  readonly isDescribed: boolean;
  /** Tests decide nothing, and replace much. */
  readonly isTest: (file: ParsedFile) => boolean;
}

type Parse = (name: string, text: string, version: 'v0' | 'v1') => Module;

/** Evaluates entrypoints partially: the input is unknown, and documents outside of the roots. */
export async function optimizePolicies(
  engine: Engine,
  parsed: readonly ParsedFile[],
  entrypoints: readonly Entrypoint[],
  {
    data,
    roots,
    isShallow,
    namespace,
    version,
    capabilities,
    compile,
    fits,
    mostExpressions,
    debug,
    isDescribed,
    isTest,
  }: OptimizeOptions,
): Promise<Optimized> {
  const parse = (name: string, text: string, regoVersion: 'v0' | 'v1') =>
    parseModule(name, text, { regoVersion, ...(capabilities && { capabilities }) });
  const unknowns = [varTerm(nowhere, 'input'), ...outside(parsed, roots)];
  // The residual of a part of a rule's value would be another rule below that rule.
  const ruled = parsed.flatMap(({ module }) => module.rules.map((rule) => pathOf(module, rule)));
  const isPart = (path: readonly string[]) => ruled.some((one) => one.length < path.length && beginsWith(path, one));
  // A residual has the value in a variable of this name.
  const isNamed = (path: readonly string[]) => ruled.some((one) => beginsWith(one, path));
  const isPackage = (path: readonly string[]) => !ruled.some((one) => beginsWith(path, one));
  // One rule in the place of a package would take the place of its functions, and of its data.
  const isOnlyRules = (path: readonly string[]) =>
    documentAt(data, path) === undefined &&
    !parsed.some(({ module }) =>
      module.rules.some(
        (rule) => rule.head.args !== undefined && path.every((key, i) => key === pathOf(module, rule)[i]),
      ),
    );
  const functions = new Set(
    parsed.flatMap(({ module }) =>
      module.rules.filter(({ head }) => head.args !== undefined).map((rule) => JSON.stringify(pathOf(module, rule))),
    ),
  );
  const residualOf = async (path: readonly string[], shallowInlining: boolean): Promise<Residual> => {
    const query = [generatedCall(nowhere, operatorRef(nowhere, 'eq'), [dataRef(path), varTerm(nowhere, '__result__')])];
    const variables = isDescribed ? new AuthorVariables() : undefined;
    const asked = { query, unknowns, shallowInlining, variables };
    return { path, variables, result: await engine.partial(asked, undefined, {}, (found: PartialResult) => found) };
  };
  const found: Residual[] = [];
  for (const { path } of entrypoints) {
    if (isPart(path) || isNamed([...path.slice(0, -1), '__result__']) || (isPackage(path) && !isOnlyRules(path)))
      continue;
    // A function has no value without arguments: it stays as it is.
    if (functions.has(JSON.stringify(path))) continue;
    found.push(await residualOf(path, isShallow));
  }
  const authors = parsed.map(({ module }) => module);
  const packages = Map.groupBy(authors, packageOf);
  const replaced = (chosen: readonly Residual[]): Optimized => {
    const modules = new ResidualModules(namespace, version === 'v0' ? 'v0v1' : 'v1');
    for (const { path, result, variables } of chosen) modules.add(path, result, variables);
    const all = modules.modules();
    const rest = parsed.flatMap((file) =>
      without(file, packages.get(packageOf(file.module))!, { defined: modules.defined, residuals: all }, parse),
    );
    const origins = new Map<Source, Origins>();
    const residuals = all.map((residual, i) => {
      const file = fileOf(residual, i, all, (name, text) => parse(name, text, version));
      const { module } = file;
      const variables = modules.variablesOf(residual);
      if (variables !== undefined)
        origins.set(module.source, new ResidualOrigins(module, residual, authors, variables));
      return file;
    });
    const sources = [...rest.map(({ planned }) => planned), ...residuals];
    return { rest: rest.map(({ written }) => written), residuals, sources, compiled: compile(sources), origins };
  };
  const tests = new Set(parsed.filter(isTest).map(({ name }) => name));
  const isSound = ({ compiled, residuals }: Optimized): boolean => {
    const names = new Set(residuals.map(({ name }) => name));
    return !readsModified(
      compiled,
      names,
      unknowns.map((one) => (one.type === 'ref' ? one.terms : [one])),
      (module) => tests.has(module),
    );
  };
  const smaller = async ({ path }: Residual) => (isShallow ? undefined : await residualOf(path, true));
  return await mostOf(found, smaller, { replaced, isSound, fits, mostExpressions, debug });
}

/** The residual of an entrypoint. */
interface Residual {
  readonly path: readonly string[];
  readonly result: PartialResult;
  readonly variables: AuthorVariables | undefined;
}

interface Choice extends Pick<OptimizeOptions, 'fits' | 'mostExpressions' | 'debug'> {
  readonly replaced: (chosen: readonly Residual[]) => Optimized;
  readonly isSound: (optimized: Optimized) => boolean;
}

/**
 * Replaces the entrypoints by their residuals. Some do not go with the other rules: a rule in the
 * place of another may have a narrower type, which calls and refs of other rules do not fit, so
 * that the compiler refuses them; and a modifier would have no effect on it. Or the plan is too
 * large. Then they are replaced one by one: by a residual that keeps the rules that the entrypoint
 * reads, or not at all.
 * @param smaller such a residual, if there is one
 */
async function mostOf(
  found: readonly Residual[],
  smaller: (one: Residual) => Promise<Residual | undefined>,
  { replaced, isSound, fits, mostExpressions, debug }: Choice,
): Promise<Optimized> {
  const refused = 'what partial evaluation left of it does not go with other rules';
  const tooLarge = 'the plan would be too large';
  const attempt = (chosen: readonly Residual[]): Optimized | string => {
    if (chosen.reduce((sum, { result }) => sum + expressionsOf(result), 0) > mostExpressions) return tooLarge;
    try {
      const optimized = replaced(chosen);
      if (!isSound(optimized)) return refused;
      return fits(optimized.compiled, optimized.sources) ? optimized : tooLarge;
    } catch (error) {
      if (error instanceof CompileErrors) return refused;
      throw error;
    }
  };
  const all = attempt(found);
  if (typeof all !== 'string') return all;
  let chosen: readonly Residual[] = [];
  let best = replaced(chosen);
  for (const one of found) {
    let next: Residual | undefined = one;
    let made = attempt([...chosen, one]);
    if (typeof made === 'string') {
      next = await smaller(one);
      if (next !== undefined) made = attempt([...chosen, next]);
    }
    if (next === undefined || typeof made === 'string')
      debug?.(`${one.path.join('/')} is not optimized: ${made as string}`);
    else [chosen, best] = [[...chosen, next], made];
  }
  return best;
}

function expressionsOf({ queries, support }: PartialResult): number {
  const bodies = [...queries, ...support.flatMap(({ rules }) => rules.map(({ body }) => body))];
  return bodies.reduce((sum, { length }) => sum + length, 0);
}

function documentAt(data: Value, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((value, key) => (value === undefined ? undefined : baseAt(value, key)), data);
}

function dataRef(path: readonly string[]): RefTerm {
  return refTerm(nowhere, [varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))]);
}

/** Refs into documents that another bundle may bring. */
function outside(parsed: readonly ParsedFile[], roots: readonly string[]): readonly RefTerm[] {
  if (roots.includes('')) return [];
  const found = new Map<string, RefTerm>();
  for (const { module } of parsed) {
    walkModule(module, (ref) => {
      const keys = leadingKeys(ref.terms.slice(1));
      const path = keys.join('/');
      if (!roots.some((root) => path === root || path.startsWith(`${root}/`))) found.set(path, dataRef(keys));
    });
  }
  return [...found.values()];
}

function walkModule(module: Module, visit: (ref: RefTerm) => void): void {
  const visitNode = (node: Node): void => {
    const head = node.type === 'ref' ? node.terms[0] : undefined;
    if (node.type === 'ref' && isRoot(head, 'data')) visit(node);
  };
  for (const node of [...module.imports, ...module.rules]) walk(node, visitNode);
}

/** The modules that replace rules, and the paths of these. */
interface Replacement {
  readonly defined: readonly (readonly string[])[];
  readonly residuals: readonly Module[];
}

/**
 * A file without some rules and their metadata; no file if nothing is left. A name of a rule that
 * is a package among the residuals is imported.
 * @param siblings the modules of its package
 */
function without(parsed: ParsedFile, siblings: readonly Module[], replacement: Replacement, parse: Parse): Rest[] {
  const { file, module } = parsed;
  const removed = module.rules.filter((rule) => isReplaced(module, rule, replacement));
  const lost = lostNames(module, siblings, replacement);
  if (removed.length === 0 && lost.length === 0) return [{ written: parsed, planned: parsed }];
  if (removed.length === module.rules.length) return [];
  let { text } = file;
  const isOfRemoved = ({ path }: Annotations) => removed.some((rule) => belongsTo(path, module, rule));
  const spans = [...removed, ...module.annotations.filter(isOfRemoved)].map(({ loc }) => loc);
  const cuts = [...new Map(spans.map(({ start, end }) => [start, end])).entries()].sort(([a], [b]) => b - a);
  let before = Number.POSITIVE_INFINITY;
  for (const [start, end] of cuts) {
    text = text.slice(0, start) + text.slice(Math.min(end, before));
    before = start;
  }
  const end = Math.max(...module.package.path.map(partEnd));
  const imports = lost.map((path) => `import ${printRef(path.terms)}\n`);
  if (imports.length > 0) text = `${text.slice(0, end)}\n\n${imports.join('')}${text.slice(end)}`;
  const version = module.regoVersion === 'v1' ? 'v1' : 'v0';
  const planned: Module = {
    ...module,
    imports: [
      ...module.imports,
      ...lost.map((path): Import => ({ type: 'import', loc: path.loc, path, alias: undefined })),
    ],
    rules: module.rules.filter((rule) => !removed.includes(rule)),
    annotations: module.annotations.filter((one) => !isOfRemoved(one)),
  };
  return [
    {
      written: { ...parsed, file: { ...file, text }, module: parse(file.path, text, version) },
      planned: { ...parsed, module: planned },
    },
  ];
}

function isReplaced(module: Module, rule: Rule, { defined }: Replacement): boolean {
  const path = pathOf(module, rule);
  return defined.some((one) => beginsWith(path, one));
}

/** Paths of replaced rules that other rules of a module name, and no rule of its package has. */
function lostNames(module: Module, siblings: readonly Module[], replacement: Replacement): readonly RefTerm[] {
  const packagePath = packageSegments(module);
  const isSame = (other: Module) => isSamePath(packageSegments(other), packagePath);
  const replaced: Rule[] = [];
  const left = new Set<Rule>();
  for (const one of siblings)
    for (const rule of one.rules)
      if (isReplaced(one, rule, replacement)) replaced.push(rule);
      else left.add(rule);
  const known = new Set(
    [...left, ...replacement.residuals.filter(isSame).flatMap(({ rules }) => rules)].map(firstName),
  );
  const read = new Set<string>();
  for (const rule of module.rules)
    if (left.has(rule)) walk(rule, (node) => void (node.type === 'var' && read.add(node.name)));
  const names = new Set(replaced.map(firstName).filter((name) => name !== undefined));
  return [...names].filter((name) => read.has(name) && !known.has(name)).map((name) => dataRef([...packagePath, name]));
}

function firstName({ head: { ref } }: Rule): string | undefined {
  const [first] = ref;
  return first?.type === 'var' ? first.name : undefined;
}

/** The path of a module's package as a key. */
function packageOf(module: Module): string {
  return JSON.stringify(packageSegments(module));
}

function pathOf(module: Module, { head }: Rule): readonly string[] {
  const [first, ...keys] = head.ref;
  return [...packageSegments(module), nameOfKey(first), ...leadingKeys(keys)];
}

function belongsTo(target: readonly Term[], module: Module, rule: Rule): boolean {
  return stringKeys(target.slice(1))?.join('/') === pathOf(module, rule).join('/');
}

/** Whether a module has the results of a query. */
function isResult({ rules }: Module): boolean {
  const value = rules[0]?.head.value;
  return value?.type === 'var' && value.name === '__result__';
}

/** Files of one package are numbered. */
function fileOf(
  module: Module,
  i: number,
  all: readonly Module[],
  parse: (name: string, text: string) => Module,
): ParsedFile {
  const pathOfModule = (one: Module) => packageSegments(one).join('/');
  const path = pathOfModule(module);
  const same = all.slice(0, i).filter((other) => pathOfModule(other) === path).length;
  const name = `/optimized/${path}${same === 0 ? '' : `.${same}`}.rego`;
  // The result has no braces, as in the reference's files.
  const text = residualModule(module, { bracedBodies: !isResult(module) });
  const file: ModuleFile = { path: name, url: name, bundlePath: name, text, bytes: new TextEncoder().encode(text) };
  return { name, file, module: parse(name, text) };
}
