/**
 * Property tests use the same random cases in each run, so that a change is not blocked by an
 * unrelated failure. `WRIT_FUZZ_SEED=$RANDOM npm test` uses other cases; a failure prints its seed
 * either way.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.WRIT_FUZZ_SEED ?? 20_261_120) });
