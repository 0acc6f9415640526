/** Rules that users write in Rego: read, compiled and asked by an engine. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CompileCapabilities, JsonSchema, Module } from '../../compiler/index.js';
import { formatText, packageSegments, parseModule } from '../../compiler/index.js';
import { packagePathIn } from '../../engine/index.js';
import { LibraryEngine } from '../../library/parts.js';
import type { Builtin, PlainObject, Value } from '../../values/index.js';
import { any, arg, array, BuiltinError, boolean, builtin, string, textOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { LintRule, OwnRule, OwnRules, Violation } from '../../views/index.js';
import { compactTree, libraryModules, ruleSchemas, settingsRoot } from '../../views/index.js';
import { CommandError } from '../exit.js';
import { combinedRules, givenPackages } from './given-bundle.js';
import { readableCapabilities } from './lint-capabilities.js';

/** The texts of rules at some paths. Throws a CommandError for a path that cannot be read. */
export function readOwnRules(paths: readonly string[], withTests = false): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const path of paths) for (const file of regoFiles(path, withTests)) texts[file] = textOfFile(readFileSync(file));
  return texts;
}

function regoFiles(path: string, withTests: boolean): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = (readdirSync(path, { recursive: true }) as string[]).sort();
    return names
      .filter((name) => name.endsWith('.rego') && (withTests || !name.endsWith('_test.rego')))
      .map((name) => join(path, name));
  } catch (error) {
    throw new CommandError(`stat ${path}: ${systemProblem(error)}`);
  }
}

/** The parts of the project that rules read. */
interface OwnSettings {
  /** The configuration of the user. */
  readonly config: PlainObject;
  /** The capabilities that it states. */
  readonly capabilities: CompileCapabilities | undefined;
  /** The directory that patterns of files begin at. */
  readonly root: string;
  /** The level of a rule; undefined for one that does not run. */
  readonly levelOf: (rule: OwnRule) => string | undefined;
  /** Data files beside the rules. */
  readonly data: PlainObject;
}

/** Compiles rules. Rejects with the errors of texts that are no policies. */
export async function openOwnRules(
  texts: Readonly<Record<string, string>>,
  { levelOf, ...settings }: OwnSettings,
): Promise<OwnRules> {
  const modules = Object.entries(texts).map(([file, text]) => parseModule(file, text));
  const { rules: table } = await import('../../views/lint/rules/table.js');
  const own = modules.flatMap((module) => ruleOf(module, table));
  /** The places of documents by their paths. */
  const documents = new Map(
    own.flatMap(({ category, name, documents }) =>
      documents.map(({ document, place }) => [`${category}/${name}/${document}`, place] as const),
    ),
  );
  const { library, data, builtins, schemas } = await surroundings(modules, {
    ...settings,
    levels: levelsOf(own, levelOf),
  });
  const engine = await LibraryEngine.open({ policies: { ...library, ...texts }, data }, { builtins, schemas });
  const ask = (rule: OwnRule, document: string, input: PlainObject): readonly unknown[] => {
    const { category, name } = rule;
    const place = documents.get(`${category}/${name}/${document}`);
    if (place === undefined) return [];
    const root = rule.isReplacing ? ['regal', 'rules'] : ['custom', 'regal', 'rules'];
    const path = [...root, category, name, document].map(encodeURIComponent).join('/');
    const { result } = engine.decide(path, input);
    if (result === undefined) return [];
    const wrong = Array.isArray(result) ? (result as unknown[]).find((each) => !isReported(each, document)) : result;
    if (wrong === undefined) return result as readonly unknown[];
    throw new CommandError(
      `${place}: \`${document}\` of the rule ${category}/${name} must be a set${document === 'aggregate' ? '' : ' of violations, as result.fail makes them'}: it has ${JSON.stringify(wrong)}`,
    );
  };
  const unique = [...new Map(own.map(({ documents: _, ...one }) => [`${one.category}/${one.name}`, one])).values()];
  return {
    rules: unique,
    run: (rule, tree) => ({
      violations: ask(rule, 'report', tree) as readonly Violation[],
      entries: ask(rule, 'aggregate', tree),
    }),
    conclude: (rule, found) => {
      const aggregate = found.flatMap(({ file, entries }) => entries.map((entry) => withFile(entry, file)));
      // Rules of the linter's bundle read the entries of all rules by file.
      const byFile = found.map(({ file, entries }) => [file, { [`${rule.category}/${rule.name}`]: entries }] as const);
      const input = {
        aggregate,
        ...(rule.isReplacing && { aggregates_internal: Object.fromEntries(byFile) }),
        regal: { operations: ['aggregate'] },
      } as unknown as PlainObject;
      return ask(rule, 'aggregate_report', input) as readonly Violation[];
    },
  };
}

/** An entry that names the file it is of. */
function withFile(entry: unknown, file: string): unknown {
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, 'aggregate_data')) return entry;
  const { aggregate_source: source } = entry as { readonly aggregate_source?: object };
  return { ...entry, aggregate_source: { ...source, file } };
}

/** The levels by category and name. */
function levelsOf(own: readonly OwnRule[], levelOf: OwnSettings['levelOf']): PlainObject {
  const levels: Record<string, Record<string, string>> = {};
  for (const rule of own) (levels[rule.category] ??= {})[rule.name] = levelOf(rule) ?? 'ignore';
  return levels;
}

/** The policies, documents, built-ins and schemas that rules find beside themselves. */
export interface RuleSurroundings {
  /** The texts of the linter's packages by file. */
  readonly library: Readonly<Record<string, string>>;
  readonly data: PlainObject;
  readonly builtins: readonly Builtin[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** The surroundings of rules: packages that they bring stand in the place of the linter's. */
export async function surroundings(
  modules: readonly Module[],
  {
    config = {},
    capabilities,
    root = '',
    levels = {},
    data = {},
  }: Partial<OwnSettings> & { levels?: PlainObject } = {},
): Promise<RuleSurroundings> {
  const { rules: table } = await import('../../views/lint/rules/table.js');
  const given = givenPackages(modules);
  const user = (config.rules ?? {}) as PlainObject;
  const known = { rules: combinedRules(table, user), capabilities: await readableCapabilities(capabilities) };
  const library = Object.entries(libraryModules).filter(([, text]) => !given.has(packagePathIn(text)?.join('.') ?? ''));
  const combined = given.size > 0 && { internal: { combined_config: known, user_config: { ...config, rules: user } } };
  return {
    library: Object.fromEntries(library),
    data: { ...data, ...combined, [settingsRoot]: { ...known, user: config, root, levels } },
    builtins: ownBuiltins,
    schemas: ruleSchemas,
  };
}

/** A document of a rule, and where it stands. */
interface OwnDocument {
  readonly document: string;
  readonly place: string;
}

/** Any value is an entry of an aggregate; a violation is an object. */
function isReported(value: unknown, document: string): boolean {
  return document === 'aggregate' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

/** The rule of a module, with the documents that it has; none for modules that are no rules. */
function ruleOf(
  module: Module,
  table: readonly LintRule[],
): readonly (OwnRule & { readonly documents: readonly OwnDocument[] })[] {
  const segments = packageSegments(module);
  const isReplacing = segments[0] === 'regal';
  const [first, second, category, name] = isReplacing ? segments : segments.slice(1);
  if (!isReplacing && segments[0] !== 'custom') return [];
  if (first !== 'regal' || second !== 'rules' || !category || !name) return [];
  const { rules } = module;
  const documents = rules.map(({ head: { name: document, loc } }) => ({
    document,
    place: `${loc.source.file}:${loc.row}`,
  }));
  if (!isReplacing) return [{ category, name, documents }];
  const isOff = table.some((rule) => rule.name === name && rule.category === category && rule.isOff === true);
  return [{ category, name, documents, isReplacing, ...(isOff && { isOff }) }];
}

/** The built-ins that rules call. */
const ownBuiltins: readonly Builtin[] = [
  builtin('regal.last', [arg('list', array(any))], any, (list) => {
    const items = [...(list as Iterable<Value>)];
    if (items.length === 0) throw new BuiltinError('regal.last: the list is empty');
    return items.at(-1)!;
  }),
  builtin('regal.parse_module', [arg('name', string), arg('text', string)], any, (name, text) => {
    const file = { name, text, absolute: name, operations: ['lint'] };
    return compactTree(parsed(name, text), file);
  }),
  builtin('regal.is_formatted', [arg('text', string), arg('options', any)], boolean, (text) => {
    try {
      return formatText('text.rego', text) === text;
    } catch {
      return false;
    }
  }),
];

function parsed(name: string, text: string): ReturnType<typeof parseModule> {
  try {
    return parseModule(name, text, { regoVersion: name.endsWith('_v0.rego') ? 'v0' : 'v1' });
  } catch (error) {
    throw new BuiltinError(`regal.parse_module: ${(error as Error).message}`);
  }
}
