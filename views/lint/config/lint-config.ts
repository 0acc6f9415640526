/** The configuration of the linter: its document, checked. */

import type { RuleOptions } from '../frame/lint-rule.js';

/** A rule as a configuration has it. */
interface RuleConfig {
  readonly level: string | undefined;
  readonly ignoreFiles: readonly string[];
  /** The options; undefined where none is named. */
  readonly options: RuleOptions | undefined;
}

/** The settings of a category, or of all rules. */
interface Defaults {
  readonly level: string | undefined;
}

interface CategoryConfig {
  readonly default: Defaults;
  readonly rules: ReadonlyMap<string, RuleConfig>;
}

/** A root of the project: paths of packages begin there. */
interface ProjectRoot {
  readonly path: string;
  readonly regoVersion: 'v0' | 'v1' | undefined;
}

export interface LintConfig {
  readonly default: Defaults;
  readonly categories: ReadonlyMap<string, CategoryConfig>;
  readonly ignoreFiles: readonly string[];
  readonly regoVersion: 'v0' | 'v1' | undefined;
  readonly roots: readonly ProjectRoot[];
  /** The section `capabilities`, which its reader checks. */
  readonly capabilities: Mapping | undefined;
  /** Members that have no effect, in sentences. */
  readonly warnings: readonly string[];
}

type Mapping = Readonly<Record<string, unknown>>;

/** A configuration, or flags, that cannot be used. `key` is the word at fault, to find its line. */
export class LintConfigError extends Error {
  override readonly name = 'LintConfigError';
  readonly code = 'invalid_lint_config';
  readonly key: string | undefined;
  /** Whether the fault is not in the configuration. */
  readonly isOfFlags: boolean;

  constructor(message: string, key?: string, isOfFlags = false) {
    super(message);
    this.key = key;
    this.isOfFlags = isOfFlags;
  }
}

export const noConfig: LintConfig = {
  default: { level: undefined },
  categories: new Map(),
  ignoreFiles: [],
  regoVersion: undefined,
  roots: [],
  capabilities: undefined,
  warnings: [],
};

/** Reads a document as YAML gives it. Throws a LintConfigError. */
export function readLintConfig(document: unknown): LintConfig {
  if (document === null || document === undefined) return noConfig;
  const config = mapping(document, 'the configuration');
  const rules = mapping(config.rules ?? {}, 'rules');
  const project = mapping(config.project ?? {}, 'project');
  const { default: defaults, ...categories } = rules;
  checkFeatures(config);
  const warnings: string[] = [];
  return {
    default: { level: defaults === undefined ? undefined : levelOf(mapping(defaults, 'rules.default')) },
    categories: new Map(Object.entries(categories).map(([name, value]) => [name, categoryConfig(name, value)])),
    ignoreFiles: ignoredFiles(config, 'ignore'),
    regoVersion: versionOf(project['rego-version'], 'project.rego-version', warnings),
    roots: list(project.roots, 'project.roots').map((root) => rootOf(root, warnings)),
    capabilities: config.capabilities == null ? undefined : mapping(config.capabilities, 'capabilities'),
    warnings,
  };
}

/** The words of YAML 1.1 for booleans, which the reference reads where it wants one. */
const booleanWords: ReadonlySet<unknown> = new Set(['y', 'Y', 'yes', 'on', 'n', 'N', 'no', 'off']);

/** Features are those of the reference's command: none of them has an effect here. */
function checkFeatures({ features }: Mapping): void {
  const { remote } = mapping(features ?? {}, 'features');
  const { 'check-version': isChecked } = mapping(remote ?? {}, 'features.remote');
  if (isChecked != null && typeof isChecked !== 'boolean' && !booleanWords.has(isChecked))
    throw new LintConfigError('features.remote.check-version must be true or false', 'check-version');
}

function categoryConfig(category: string, value: unknown): CategoryConfig {
  const { default: defaults, ...rules } = mapping(value, `rules.${category}`);
  return {
    default: { level: defaults === undefined ? undefined : levelOf(mapping(defaults, `rules.${category}.default`)) },
    rules: new Map(Object.entries(rules).map(([name, rule]) => [name, ruleConfig(rule, `rules.${category}.${name}`)])),
  };
}

function ruleConfig(value: unknown, at: string): RuleConfig {
  const rule = mapping(value, at);
  const { level: _, ignore: __, ...options } = rule;
  return {
    level: levelOf(rule),
    ignoreFiles: ignoredFiles(rule, `${at}.ignore`),
    options: Object.keys(options).length > 0 ? options : undefined,
  };
}

/** A level that is no text, or an empty one, counts as none. */
function levelOf({ level }: Mapping): string | undefined {
  return typeof level === 'string' && level !== '' ? level : undefined;
}

function ignoredFiles({ ignore }: Mapping, at: string): readonly string[] {
  // A name of digits is a number of YAML.
  return list(mapping(ignore ?? {}, at).files, `${at}.files`).flatMap((file) =>
    file === null ? [] : text(typeof file === 'object' ? file : String(file), `${at}.files`),
  );
}

function rootOf(value: unknown, warnings: string[]): ProjectRoot {
  if (typeof value === 'string') return { path: value, regoVersion: undefined };
  const root = mapping(value, 'project.roots');
  return {
    // Without a path it is the directory of the configuration.
    path: text(root.path ?? '', 'project.roots.path'),
    regoVersion: versionOf(root['rego-version'], 'project.roots.rego-version', warnings),
  };
}

function versionOf(value: unknown, at: string, warnings: string[]): 'v0' | 'v1' | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 0 || value === 1) return value === 0 ? 'v0' : 'v1';
  if (Number.isInteger(value)) {
    warnings.push(`${at} has no effect: it must be 0 or 1`);
    return undefined;
  }
  throw new LintConfigError(`${at} must be 0 or 1`, lastPart(at));
}

function mapping(value: unknown, at: string): Mapping {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Mapping;
  throw new LintConfigError(`${at} must be a mapping${value === null ? ': nothing is in it' : ''}`, lastPart(at));
}

function list(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new LintConfigError(`${at} must be a list`, lastPart(at));
}

function text(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw new LintConfigError(`${at} must be a text`, lastPart(at));
}

function lastPart(at: string): string {
  return at.slice(at.lastIndexOf('.') + 1);
}
