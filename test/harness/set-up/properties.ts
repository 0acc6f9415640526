/**
 * Property tests use the same random cases in each run, so that a change is not blocked by an
 * unrelated failure. `WRIT_FUZZ_SEED=$RANDOM npm test` uses other cases; a failure prints its seed
 * either way. Tests that state no number of cases take this one.
 */
import fc from 'fast-check';
import { throwDifferences } from '../../../engine/why/second-answer.js';
import { randomCases } from './random-cases.js';

fc.configureGlobal({ seed: Number(process.env.WRIT_FUZZ_SEED ?? 20_261_120), numRuns: randomCases(100) });

// An explanation that comes to another answer than the program fails the test.
throwDifferences();
