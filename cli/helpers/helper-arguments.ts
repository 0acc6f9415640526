/** The arguments that start threads and processes which help commands. */

/** A thread of a server. `engine/threads/messages.ts` has it too: that loads too much at start. */
export const evaluationArgument = '--serve-evaluations';

/** A thread of `test`. */
export const testThreadArgument = '--run-tests';

/** A thread of `test --mutate`. */
export const mutantThreadArgument = '--try-mutants';

/** A process of `logs query`. */
export const queryArgument = '--answer-query';

/** A process of `--prove`. */
export const solverArgument = '--answer-solver';
