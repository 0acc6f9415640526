/** Rules that users write in Rego: read, compiled and asked by an engine. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Module } from '../../compiler/index.js';
import { formatText, packageSegments, parseModule } from '../../compiler/index.js';
import { packagePathIn } from '../../engine/index.js';
import { LibraryEngine } from '../../library/parts.js';
import type { PlainObject, Value } from '../../values/index.js';
import {
  any,
  arg,
  array,
  type Builtin,
  BuiltinError,
  boolean,
  builtin,
  builtins,
  string,
  textOfFile,
} from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import {
  compactTree,
  type LintRule,
  libraryModules,
  type OwnRule,
  type OwnRules,
  settingsRoot,
  type Violation,
} from '../../views/index.js';
import { CommandError } from '../exit.js';
import { combinedRules, givenPackages } from './given-bundle.js';

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

/** The members of the configuration that rules read. */
interface OwnSettings {
  /** The section `rules` of the configuration. */
  readonly rules: PlainObject;
  /** The level of a rule; undefined for one that does not run. */
  readonly levelOf: (rule: OwnRule) => string | undefined;
  /** Data files beside the rules. */
  readonly data: PlainObject;
}

/** Compiles rules. Rejects with the errors of texts that are no policies. */
export async function openOwnRules(
  texts: Readonly<Record<string, string>>,
  { rules, levelOf, data }: OwnSettings,
): Promise<OwnRules> {
  const modules = Object.entries(texts).map(([file, text]) => parseModule(file, text));
  const given = givenPackages(modules);
  const { rules: table } = given.size === 0 ? { rules: [] } : await import('../../views/lint/rules/table.js');
  const own = modules.flatMap((module) => ruleOf(module, table));
  /** The places of documents by their paths. */
  const documents = new Map(
    own.flatMap(({ category, name, documents }) =>
      documents.map(({ document, place }) => [`${category}/${name}/${document}`, place] as const),
    ),
  );
  const engine = await openEngine(texts, rules, { levels: levelsOf(own, levelOf), given, table, data });
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
      const aggregate = found.flatMap(({ entries }) => entries);
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

/** The levels by category and name. */
function levelsOf(own: readonly OwnRule[], levelOf: OwnSettings['levelOf']): PlainObject {
  const levels: Record<string, Record<string, string>> = {};
  for (const rule of own) {
    const level = levelOf(rule);
    if (level !== undefined) (levels[rule.category] ??= {})[rule.name] = level;
  }
  return levels;
}

/** An engine with rules, and with what they import. */
export async function openEngine(
  texts: Readonly<Record<string, string>>,
  rules: PlainObject,
  { levels = {}, given = new Set(), table = [], data = {} }: EngineContents = {},
): Promise<LibraryEngine> {
  const names = [...builtins.keys()];
  const capabilities = { builtins: Object.fromEntries(names.map((name) => [name, {}])) };
  const settings = { rules, levels, config: { rules }, capabilities, builtins: names };
  const library = Object.entries(libraryModules).filter(([, text]) => !given.has(packagePathIn(text)?.join('.') ?? ''));
  const combined = given.size > 0 && {
    internal: { combined_config: { rules: combinedRules(table, rules), capabilities }, user_config: { rules } },
  };
  return LibraryEngine.open(
    {
      policies: { ...Object.fromEntries(library), ...texts },
      data: { ...data, ...combined, [settingsRoot]: settings },
    },
    { builtins: ownBuiltins },
  );
}

/** The documents beside rules, and the packages that stand in the place of the library's. */
interface EngineContents {
  readonly levels?: PlainObject;
  readonly given?: ReadonlySet<string>;
  readonly table?: readonly LintRule[];
  readonly data?: PlainObject;
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
    return parseModule(name, text);
  } catch (error) {
    throw new BuiltinError(`regal.parse_module: ${(error as Error).message}`);
  }
}
