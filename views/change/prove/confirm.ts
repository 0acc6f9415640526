/** Confirms a difference that a solver finds: both versions decide its input. */
import type { Value } from '../../../values/index.js';
import { CauseFinder, type DecidingPair } from '../cause-finder.js';
import type { InputSchema } from '../input-schema.js';
import { madeExample } from '../made-example.js';
import { differenceOf } from '../outcome.js';
import { segmentsFor } from '../policy-version.js';
import type { DifferenceGroup } from '../report.js';
import { shrunk } from '../search/shrink.js';

/** A difference for a proof to report. */
export type Confirmed = Pick<DifferenceGroup, 'kind' | 'old' | 'new' | 'example'>;

/** The time and the schema of the inputs. */
interface Confirming {
  readonly timeNs: bigint;
  readonly schema: InputSchema | undefined;
}

/** The difference for an input, with the smallest input that has one of its kind. */
export async function confirmed(
  deciding: DecidingPair,
  path: string,
  input: Value | undefined,
  { timeNs, schema }: Confirming,
): Promise<Confirmed | undefined> {
  if (schema?.accepts(input) === false) return undefined;
  const question = (own: Value | undefined) => ({
    path,
    query: undefined,
    input: own,
    timeNs,
    known: new Map<string, Value>(),
  });
  await deciding.old.prepare(question(input));
  await deciding.new.prepare(question(input));
  const decide = (own: Value | undefined) => {
    const [before, after] = [deciding.old.decide(question(own)), deciding.new.decide(question(own))];
    if (before.kind === 'unknown' || after.kind === 'unknown') return undefined;
    const kind = differenceOf(segmentsFor(deciding.old.version, path), before, after);
    return kind && { kind, before, after };
  };
  const found = decide(input);
  if (found === undefined) return undefined;
  const small = await shrunk(
    input,
    async (smaller) => schema?.accepts(smaller) !== false && decide(smaller)?.kind === found.kind,
  );
  const { kind, before, after } = decide(small)!;
  const example = madeExample(deciding, question(small), before, after);
  const [old, next] = await new CauseFinder(deciding, 5000).find(question(small));
  return { kind, old, new: next, example };
}
