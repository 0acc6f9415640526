/** Mutants of policies: the changes, and the score of the tests that tried them. */
export { findMutants } from './find-mutants.js';
export { type Mutant, mutatedText, mutationOperators } from './mutant.js';
export { mutationReport } from './mutation-report.js';
export { type MutantResult, type MutantStatus, type MutationResult, type Score, scoreOf } from './result.js';
export { scalarPath } from './rule-path.js';
