/** The rules that run, by the configuration, the flags and the version of the language. */

import { BuiltinTable, type CompileCapabilities } from '../../../compiler/index.js';
import { compareStrings } from '../../../values/index.js';
import { type LintConfig, noConfig } from '../config/lint-config.js';
import type { OwnRule } from '../custom/own-rules.js';
import { rules } from '../rules/table.js';
import type { Notice } from './finding.js';
import type { BuiltinNames } from './lint-file.js';
import type { LintRule, Situation } from './lint-rule.js';
import type { ActiveRule, LintOptions } from './lint-source.js';
import { settingOf } from './settings.js';

/** The built-ins, features and keywords of a version of the language. */
export function situationOf(capabilities: CompileCapabilities | undefined, isStdin: boolean): Situation {
  const table = new BuiltinTable(capabilities);
  const names = capabilities?.builtins?.map(({ name }) => name) ?? [...table.names];
  return {
    builtins: new Set(names),
    features: new Set(capabilities === undefined ? ['rego_v1'] : capabilities.features),
    keywords: new Set(capabilities === undefined ? ['if', 'in', 'contains', 'every'] : capabilities.future_keywords),
    isStdin,
  };
}

/** The names of built-ins that others would hide. */
export function namesOf(all: ReadonlySet<string>): BuiltinNames {
  const names = [...all].filter((name) => !name.startsWith('internal.'));
  return { all, first: new Set(names.map((name) => name.split('.')[0]!)) };
}

/** The rules that run, and those that would but have no use. */
export function activeRules(
  options: LintOptions,
  situation: Situation,
): { active: readonly ActiveRule[]; notices: readonly Notice[] } {
  const { config = noConfig, flags = {}, onlyFixable } = options;
  const active: ActiveRule[] = [];
  const notices: Notice[] = [];
  for (const rule of rules) {
    if (onlyFixable && !rule.isFixable) continue;
    if (!onlyFixable && options.own?.rules.some((own) => isReplaced(rule, own))) continue;
    if (rule.category === 'writ' && options.isRegal && !isNamed(rule, options)) continue;
    const setting = settingOf(rule, config, flags);
    if (setting === undefined) continue;
    const reason = rule.unless?.(situation);
    if (reason === undefined) active.push({ rule, setting });
    else if (!rule.isLeftOutSilently || isConfigured(rule, config))
      notices.push({ rule: rule.name, category: rule.category, description: reason });
  }
  return { active, notices: notices.sort((a, b) => compareStrings(a.rule, b.rule)) };
}

/** Whether the configuration has settings of its own for a rule. */
function isConfigured({ name, category }: LintRule, { categories }: LintConfig): boolean {
  return categories.get(category)?.rules.has(name) === true;
}

function isReplaced({ name, category }: LintRule, own: OwnRule): boolean {
  return own.isReplacing === true && own.name === name && own.category === category;
}

/** Whether the configuration or a flag names a rule, or its category. */
function isNamed({ name, category }: LintRule, { config = noConfig, flags = {} }: LintOptions): boolean {
  return (
    config.categories.has(category) ||
    (flags.enable?.includes(name) ?? false) ||
    (flags.enableCategory?.includes(category) ?? false)
  );
}
