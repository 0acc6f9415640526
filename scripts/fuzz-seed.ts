/**
 * Property tests take the same random cases each time, so that a change is not stopped by what it did not cause. `WRIT_FUZZ_SEED=$RANDOM npm test` looks at others;
 * a failure prints its seed either way.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.WRIT_FUZZ_SEED ?? 20_261_120) });
