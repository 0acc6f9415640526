/**
 * Loops of the VM. A loop has three registers: its sequence, the place in it, and the source of the
 * values. The sequence is an array, the keys of an object, the members of a set, or the positions
 * that an index found; the source is undefined for an array, and `ofSet` for a set.
 */

import type { ObjectValue, Value } from '../../values/index.js';
import { countWork, ExactNumber, RegoSet, sortedKeys, sortedMembers } from '../../values/index.js';
import { type ArrayIndex, type ArrayIndexes, minIndexed, minNarrowed, readerOf } from '../evaluation/array-indexes.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { objectIndex } from '../evaluation/object-indexes.js';
import { narrowed, narrowedGroups, spreadBy } from '../evaluation/spread.js';
import type { RegisterValue } from './frames.js';

/** The members of a set are their own keys. */
export const ofSet: Value = new RegoSet();

/**
 * Sets up the registers of a loop; false where the value is no collection.
 * @param copies whether rounds may make the array longer
 * @param isOrdered whether rounds of a set's members are in the language's order
 */
export function openScan(
  registers: RegisterValue[],
  iterator: number,
  source: RegisterValue,
  copies: boolean,
  isOrdered: boolean,
): boolean {
  if (typeof source !== 'object' || source === null || source instanceof ExactNumber) return false;
  if (Array.isArray(source)) {
    if (copies) countWork(source.length);
    registers[iterator] = copies ? source.slice() : source;
    registers[iterator + 2] = undefined;
  } else if (source instanceof RegoSet) {
    registers[iterator] = isOrdered ? sortedMembers(source) : source.members;
    registers[iterator + 2] = ofSet;
  } else {
    registers[iterator] = sortedKeys(source as ObjectValue);
    registers[iterator + 2] = source;
  }
  registers[iterator + 1] = 0;
  return true;
}

/** Whether a loop that has begun walks an array whose first element has values at the paths. */
export function firstReaches(registers: readonly RegisterValue[], iterator: number, paths: Value): boolean {
  const first = (registers[iterator] as readonly Value[])[0];
  if (first === undefined || registers[iterator + 2] !== undefined) return false;
  return (paths as readonly (readonly string[])[]).every((path) => readerOf(path)(first) !== undefined);
}

/** The indexes of the loops of one run. */
export class ScanIndexes {
  /** Whether a `with` under way replaces base documents: see `Activation.dataIndexes`. */
  isDataReplaced = false;
  readonly #paths: readonly (readonly string[])[];
  readonly #evaluation: Evaluation;
  /** The indexes of arrays that the run has made, and of the input. */
  #own: ArrayIndexes | undefined;

  constructor(paths: readonly (readonly string[])[], evaluation: Evaluation) {
    this.#paths = paths;
    this.#evaluation = evaluation;
  }

  /**
   * The index by the path of a number for a loop that has begun; undefined where it scans.
   * @param above the number of the path of collections whose members have the values
   * @param flags as in `opcodes.ts`
   */
  of(registers: RegisterValue[], iterator: number, path: number, above: number, flags: number): ArrayIndex | undefined {
    const callsBuiltins = (flags & 2) !== 0;
    const sequence = registers[iterator] as readonly Value[];
    const { strict, reportsFailures } = this.#evaluation;
    if (sequence.length < minIndexed || (callsBuiltins && reportsFailures) || ((flags & 8) !== 0 && strict))
      return undefined;
    const isOfData = (flags & 1) !== 0;
    const spread = (flags & 4) === 0 ? undefined : spreadBy(this.#paths[above]!);
    const source = registers[iterator + 2];
    let index: ArrayIndex | undefined;
    if (source === undefined) index = this.#arrays(isOfData).index(sequence, this.#paths[path]!, undefined, spread);
    else if (source === ofSet || (flags & 16) !== 0) {
      const indexes = this.#arrays(isOfData).objects(this.#paths[path]!);
      const object = source === ofSet ? undefined : (source as ObjectValue);
      index = objectIndex(indexes, object, sequence, readerOf(this.#paths[path]!), spread);
    }
    if (index?.size !== 0) return index;
    // Where no element has a value at the path, rounds may not get to the wanted value.
    if (!callsBuiltins) registers[iterator] = [];
    return undefined;
  }

  /** Leaves those of the found elements that have a second value, too. */
  narrow(registers: RegisterValue[], iterator: number, path: number, isOfData: boolean, wanted: RegisterValue): void {
    const positions = registers[iterator] as readonly number[];
    const array = registers[iterator + 2];
    if (positions.length < minNarrowed || !Array.isArray(array)) return;
    const index = narrowed(this.#arrays(isOfData), positions, array, this.#paths[path]!);
    if (index !== undefined) registers[iterator] = index.positionsOf(wanted);
  }

  /** Leaves one element for each value at a path, where that is all that the loop needs. */
  group(registers: RegisterValue[], iterator: number, path: number, isOfData: boolean): void {
    if (registers[iterator + 2] !== undefined || this.#evaluation.reportsFailures) return;
    const array = registers[iterator] as readonly Value[];
    const groups = this.#arrays(isOfData).groups(array, this.#paths[path]!);
    if (groups === undefined) return;
    registers[iterator + 2] = array;
    registers[iterator] = groups;
  }

  /**
   * Leaves one element for each value at a path of those that have one value in an index.
   * @param found the index
   */
  groupFound(registers: RegisterValue[], iterator: number, found: unknown, path: number, isOfData: boolean): void {
    // Equal values that are not all scalars may print differently.
    if ((found as ArrayIndex).groups === undefined || this.#evaluation.reportsFailures) return;
    const [positions, array] = [registers[iterator] as readonly number[], registers[iterator + 2] as readonly Value[]];
    registers[iterator] = narrowedGroups(this.#arrays(isOfData), positions, array, this.#paths[path]!) ?? positions;
  }

  get dataIndexes(): ArrayIndexes {
    return this.isDataReplaced ? this.indexes : this.#evaluation.dataIndexes;
  }

  get indexes(): ArrayIndexes {
    return (this.#own ??= this.#evaluation.ownIndexes());
  }

  #arrays(areOfData: boolean): ArrayIndexes {
    return areOfData ? this.dataIndexes : this.indexes;
  }
}
