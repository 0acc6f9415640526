/** The level and the options of each rule, by the configuration and the flags. */

import { loadRegex, parsePlainRegex, regexFault } from '../../../values/index.js';
import { ignoreTest } from '../config/ignore-patterns.js';
import { type LintConfig, LintConfigError } from '../config/lint-config.js';
import type { LintRule, RuleOptions } from './lint-rule.js';

/** Rules that a command line enables and disables: it counts more than the configuration. */
export interface RuleFlags {
  readonly enable?: readonly string[];
  readonly enableCategory?: readonly string[];
  readonly enableAll?: boolean;
  readonly disable?: readonly string[];
  readonly disableCategory?: readonly string[];
  readonly disableAll?: boolean;
}

/** A rule by its name and category: those of the table, and a user's own. */
export type RuleName = Pick<LintRule, 'name' | 'category' | 'options' | 'isOff' | 'level'> | OwnRuleName;

interface OwnRuleName {
  readonly name: string;
  readonly category: string;
  readonly options?: RuleOptions;
  readonly isOff?: true;
  readonly level?: 'warning';
}

export interface RuleSetting {
  readonly level: string;
  readonly options: RuleOptions;
  /** Whether the rule leaves out a file, by its path from the project's root. */
  readonly ignores: (path: string) => boolean;
}

/** Refuses flags and configurations with names that no rule has. Throws a LintConfigError. */
export function checkNames(rules: readonly RuleName[], config: LintConfig, flags: RuleFlags): void {
  const categories = Map.groupBy(rules, ({ category }) => category);
  const names = new Set(rules.map(({ name }) => name));
  const unknown = (kind: string, name: string, isOfFlags = false): never => {
    throw new LintConfigError(`unknown ${kind}: ${name}`, name, isOfFlags);
  };
  for (const name of [...(flags.enable ?? []), ...(flags.disable ?? [])])
    if (!names.has(name)) unknown('rule', name, true);
  for (const name of [...(flags.enableCategory ?? []), ...(flags.disableCategory ?? [])])
    if (!categories.has(name)) unknown('category', name, true);
  for (const [category, { rules: configured }] of config.categories) {
    const known = categories.get(category) ?? unknown('category', category);
    for (const [name, { options }] of configured) {
      const rule = known.find((each) => each.name === name) ?? unknown('rule', name);
      checkOptions(rule, options);
    }
  }
}

/** Refuses options of another type than that of their defaults. */
function checkOptions({ category, name, options: defaults = {} }: RuleName, options: RuleOptions = {}): void {
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(defaults, key) || kindOf(value) === kindOf(defaults[key])) continue;
    throw new LintConfigError(`rules.${category}.${name}.${key} must be a ${kindOf(defaults[key])}`, key);
  }
}

/**
 * Refuses options of rules that run if they are no regular expressions; options of rules of users
 * are what these take them for. Rejects with a LintConfigError.
 */
export async function checkPatterns(
  active: readonly { readonly rule: RuleName; readonly setting: RuleSetting }[],
): Promise<void> {
  for (const { rule, setting } of active) await checkPatternsIn(setting.options, `rules.${rule.category}.${rule.name}`);
}

async function checkPatternsIn(options: object, at: string): Promise<void> {
  for (const [key, value] of Object.entries(options)) {
    if (typeof value === 'object' && value !== null) await checkPatternsIn(value, `${at}.${key}`);
    if (typeof value !== 'string' || !/(?:^|-)pattern$/.test(key) || parsePlainRegex(value) !== undefined) continue;
    await loadRegex();
    const fault = regexFault(value);
    if (fault !== undefined) throw new LintConfigError(`${at}.${key} is no regular expression: ${fault}`, value);
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
}

/** The setting of a rule; undefined if it does not run. */
export function settingOf(rule: RuleName, config: LintConfig, flags: RuleFlags): RuleSetting | undefined {
  const category = config.categories.get(rule.category);
  const configured = category?.rules.get(rule.name);
  const fromFlags = levelByFlags(rule, flags);
  const fromConfig = configured?.level ?? category?.default.level ?? levelOfAll(rule, config);
  const level = fromFlags ?? fromConfig ?? (rule.isOff ? 'ignore' : (rule.level ?? 'error'));
  if (level === 'ignore') return undefined;
  const options = configured?.options ?? rule.options ?? {};
  return { level, options, ignores: ignoreTest(configured?.ignoreFiles ?? []) };
}

/** The level of all rules. Rules that Regal lacks become errors by their own category alone. */
function levelOfAll({ level }: RuleName, { default: all }: LintConfig): string | undefined {
  return level === 'warning' && all.level === 'error' ? undefined : all.level;
}

/** A flag for a rule counts more than one for its category, this more than one for all. */
function levelByFlags({ name, category }: RuleName, flags: RuleFlags): 'ignore' | 'error' | undefined {
  const ranks = [
    [flags.disable?.includes(name), flags.enable?.includes(name)],
    [flags.disableCategory?.includes(category), flags.enableCategory?.includes(category)],
    [flags.disableAll, flags.enableAll],
  ] as const;
  const rank = ranks.find(([off, on]) => off === true || on === true);
  return rank && (rank[0] === true ? 'ignore' : 'error');
}
