/**
 * Documents that take the search many steps: the program that decides them finds them sooner. Most
 * documents take a few steps, in which nothing would even be planned.
 */

import type { VirtualDocument } from '../../compiler/index.js';
import type { Evaluation } from '../../runtime/index.js';
import type { QueryAnswer, QueryDocuments } from './environment.js';
import type { Next, WithValue } from './machine.js';
import type { Search } from './search.js';

/** Some tenths of a millisecond. */
const pausesBeforeAsking = 40;

/** Answers by programs. The engine has it, as it has the programs. */
export interface KnownDocuments {
  /**
   * The value of rules over documents as they are. Undefined where the program has none in a short
   * time: the search goes on then, and comes to the same errors.
   */
  answer(path: readonly string[], documents: QueryDocuments, evaluation: Evaluation): QueryAnswer | undefined;
}

/**
 * The value of rules by the search, or by the program if that takes long. A search that runs at
 * once asks for nothing, nor does one in which functions or documents of `data` are replaced.
 */
export function orAnswer(
  { machine, evaluation }: Search,
  known: KnownDocuments,
  document: VirtualDocument,
  search: (found: WithValue) => Next,
  then: WithValue,
): Next {
  const { environment } = machine;
  // Inside of a document that is watched, the whole is asked for. A path stands for all rules.
  if (machine.isWatched || environment.hasMocks || environment.hasReplaced || document.part !== undefined)
    return search(then);
  let answer: QueryAnswer | undefined;
  const choice = machine.push(() => {
    machine.unwatch();
    if (answer === undefined) return machine.fail();
    environment.answersOf(document).set('', answer);
    return answer.value === undefined ? machine.fail() : then(answer.value);
  });
  machine.watch(pausesBeforeAsking, () => {
    answer = known.answer(document.path, environment, evaluation);
    return answer === undefined ? undefined : machine.backTo(choice);
  });
  return search((value) => {
    machine.unwatch();
    return then(value);
  });
}
