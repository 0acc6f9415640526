/** Finds the part of a file that a member of a rule complains about. */
import { locationOf } from '../../../compiler/source/location.js';
import type { Engine } from '../../../engine/engine.js';
import { evaluateInSlices } from '../../../engine/evaluation/sliced-evaluation.js';
import { type Complaint, type ComplaintFinder, prepareComplaints } from '../../../query/why/complaints.js';
import { inputPathText } from '../../../query/why/input-path.js';
import { EvaluationError } from '../../../runtime/evaluation/evaluation-errors.js';
import { toJson } from '../../../values/json/json.js';
import type { Value } from '../../../values/value.js';
import type { ConfigFile } from '../files.js';
import type { PathKey } from '../formats/marks.js';
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

/** The search for a place may take so long. */
const longestMs = 2000;

/** Places of complaints by the policies of an engine. */
export class FailurePlaces {
  readonly #engine: Engine;
  #finder: Promise<ComplaintFinder> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Undefined where no rule is found that gives the member, or that takes too long. */
  async find(
    path: readonly string[],
    member: Value,
    input: Value,
    sourceOf: SourceOf,
  ): Promise<FailurePlace | undefined> {
    this.#finder ??= this.#engine.compiled().then(prepareComplaints);
    const find = await this.#finder;
    try {
      const { root } = this.#engine.store;
      const complaint = await evaluateInSlices(
        (evaluation) => find(path, member, input, root, evaluation),
        this.#engine.context,
        { timeMs: longestMs },
      );
      const source = complaint && sourceOf(complaint.path);
      return source && placeOf(complaint, source);
    } catch (error) {
      if (error instanceof EvaluationError) return undefined;
      throw error;
    }
  }
}

/** So many lines of a part are shown. */
const mostLines = 3;

function placeOf(complaint: Complaint, { file, prefix, skipped }: InputSource): FailurePlace {
  const { path, present, span } = complaint;
  const below = path.slice(skipped).filter((key) => typeof key === 'string' || typeof key === 'number') as PathKey[];
  const keys = [...prefix, ...below];
  const range = file.place(keys) ?? { start: firstContent(file.text), end: firstContent(file.text), depth: 0 };
  const before = file.text.slice(0, range.start);
  const line = before.split('\n').length;
  const isMissing = present < path.length || range.depth < keys.length;
  const last = Math.max(line, file.text.slice(0, range.end).replace(/\s+$/, '').split('\n').length);
  const endLine = isMissing ? line : last;
  const { file: policy, row } = locationOf(span);
  return {
    file: file.path,
    line,
    column: range.start - (before.lastIndexOf('\n') + 1) + 1,
    endLine,
    path: inputPathText(path),
    isMissing,
    lines: file.text.split('\n').slice(line - 1, Math.min(endLine, line + mostLines - 1)),
    rule: { file: policy, row, text: span.text.replace(/\s+/g, ' ') },
    cure: cureOf(complaint),
  };
}

/** Where a file begins to say something. */
function firstContent(text: string): number {
  return /^(?:[ \t]*(?:#[^\n]*|---[^\n]*)?\r?\n)*/.exec(text)![0].length % Math.max(1, text.length);
}

/** What would make it pass, where one comparison or a missing part decides. */
function cureOf({ path, present, comparison, negated }: Complaint): string | undefined {
  if (path.length === 0) return undefined;
  if (comparison !== undefined) return `${inputPathText(path)} ${comparison.operator} ${toJson(comparison.constant)}`;
  return negated && present < path.length ? `${inputPathText(path)} is there` : undefined;
}
