/** Documents by the programs of policies, for evaluations of their syntax trees. */

import { type Compiled, CompileErrors } from '../../compiler/index.js';
import { EvaluationError, Suspension } from '../../runtime/index.js';
import { resultWatched } from '../evaluation/evaluate.js';
import type { KnownDocuments } from '../query/long-documents.js';
import { programsOf } from './decide-beside.js';

/** Others wait meanwhile. */
const mostMs = 40;

/** A document is planned when it is first asked for. */
export function knownDocuments(compiled: Compiled): KnownDocuments {
  return {
    answer(path, { input, data }, evaluation) {
      try {
        const program = programsOf(compiled).forPathAtOnce(path);
        if (program === undefined || program.rest.length > 0) return undefined;
        const trial = evaluation.attempt({ timeMs: Math.min(mostMs, Math.max(1, evaluation.meter.msLeft)) });
        return { value: resultWatched(program.target, input, data, trial) };
      } catch (error) {
        if (error instanceof EvaluationError || error instanceof Suspension || error instanceof CompileErrors)
          return undefined;
        throw error;
      }
    },
  };
}
