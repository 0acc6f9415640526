/** The linter: rules over policies, their configuration and their findings. */

export { type LintConfig, LintConfigError, noConfig, readLintConfig } from './config/lint-config.js';
export { compactTree } from './custom/compact-tree.js';
export { libraryModules, settingsRoot } from './custom/library.js';
export type { OwnRule, OwnRules, Violation } from './custom/own-rules.js';
export { type FixedFile, fix } from './fix/fix.js';
export { documentationOf } from './frame/documentation.js';
export type { Finding, LintReport, Notice } from './frame/finding.js';
export { lint } from './frame/lint.js';
export type { CachedFile, LintCache, LintOptions, LintSource } from './frame/lint-source.js';
export { readModule } from './frame/read-module.js';
export type { RuleFlags } from './frame/settings.js';
