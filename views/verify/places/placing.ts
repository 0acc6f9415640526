/** Finds the part of a file that a member of a rule complains about. */
import { locationOf } from '../../../compiler/index.js';
import type { ComplaintFinder, Engine, WhyComplaint } from '../../../engine/index.js';
import { evaluateInSlices, inputPathText, prepareComplaints } from '../../../engine/index.js';
import { EvaluationError } from '../../../runtime/index.js';
import { toJson, type Value } from '../../../values/index.js';
import type { ConfigFile } from '../files.js';
import type { MarkedRange, PathKey } from '../formats/marks.js';
import type { FailurePlace } from './failure-place.js';

/** The file of an input, and the keys before those of the input. */
interface InputSource {
  readonly file: ConfigFile;
  readonly prefix: readonly PathKey[];
  /** Keys of the input that are not of the file. */
  readonly skipped: number;
}

/** Tells which file a path of the input is in. */
export type SourceOf = (path: readonly Value[]) => InputSource | undefined;

/** The search for the places of a rule in one document may take so long. */
const longestMs = 10_000;

/** The number of members of a rule in one document that have places. */
const mostPlaces = 1000;

/** Places of complaints by the policies of an engine. */
export class FailurePlaces {
  readonly #engine: Engine;
  #finder: Promise<ComplaintFinder> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * A member has no place where no rule gives it, or where the search takes too long.
   * @param about keys of the part of the input that places are of
   */
  async find(
    path: readonly string[],
    members: readonly Value[],
    input: Value,
    sourceOf: SourceOf,
    about: readonly Value[] = [],
  ): Promise<readonly (FailurePlace | undefined)[]> {
    this.#finder ??= this.#engine.compiled().then(prepareComplaints);
    const find = await this.#finder;
    const places: (FailurePlace | undefined)[] = members.map(() => undefined);
    const found = (index: number, complaint: WhyComplaint): void => {
      const source = sourceOf(complaint.path);
      places[index] = source && placeOf(complaint, source);
    };
    const asked = { path, members: members.slice(0, mostPlaces), input, about, data: this.#engine.store.root, found };
    try {
      await evaluateInSlices((evaluation) => find(asked, evaluation), this.#engine.context, { timeMs: longestMs });
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
    }
    return places;
  }
}

/** The most lines of a part that are shown. */
const mostLines = 3;

function placeOf(complaint: WhyComplaint, { file, prefix, skipped }: InputSource): FailurePlace {
  const { path, present, span } = complaint;
  const below = path.slice(skipped).filter((key) => typeof key === 'string' || typeof key === 'number') as PathKey[];
  const keys = [...prefix, ...below];
  const range = file.place(keys) ?? { start: firstContent(file.text), end: firstContent(file.text), depth: 0 };
  const { line, column } = file.lines.place(range.start);
  const isMissing = present < path.length;
  const last = file.lines.place(contentEnd(file.text, range)).line;
  const endLine = isMissing || range.depth < keys.length ? line : last;
  const { file: policy, row } = locationOf(span);
  return {
    file: file.path,
    line,
    column,
    endLine,
    path: inputPathText(path),
    isMissing,
    lines: file.lines.shown(range.start, Math.min(mostLines, endLine - line + 1)),
    rule: { file: policy, row, text: span.text.replace(/\s+/g, ' ') },
    cure: cureOf(complaint),
  };
}

/** The end of a part without the space behind it. */
function contentEnd(text: string, { start, end }: MarkedRange): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1]!)) at--;
  return at;
}

/** Where a file begins to say something. */
function firstContent(text: string): number {
  return /^(?:[ \t]*(?:#[^\n]*|---[^\n]*)?\r?\n)*/.exec(text)![0].length % Math.max(1, text.length);
}

/** The change that would make it pass, where one comparison or a missing part decides. */
function cureOf({ path, present, comparison, negated }: WhyComplaint): string | undefined {
  if (path.length === 0) return undefined;
  if (comparison !== undefined) return `${inputPathText(path)} ${comparison.operator} ${toJson(comparison.constant)}`;
  return negated && present < path.length ? `${inputPathText(path)} is there` : undefined;
}
