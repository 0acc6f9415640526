/** The linter: rules over policies, their configuration and their findings. */
export { LintConfigError, noConfig, readLintConfig } from './config/lint-config.js';
export { fix } from './fix/fix.js';
export { mendErrors } from './fix/mend-errors.js';
export { lint } from './frame/lint.js';
