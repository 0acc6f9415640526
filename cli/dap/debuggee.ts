/** The debugged program as requests see it at a stop. */
import type { DebugFrame, DebugSession, Stop, TextRange } from '../../views/index.js';
import { Instructions } from './instructions.js';
import { ArgumentError, type RequestArguments } from './protocol/arguments.js';
import { type Notation, Sources } from './sources.js';
import type { ValueFormat } from './value-text.js';
import { Variables } from './variables.js';

/** The number of the frame that stands for the result, after the last statement. */
export const resultFrame = 1_000_000_000;

/** Characters of a value in a list of variables. */
const shownCharacters = 1000;

/** Characters of a value that is copied. */
const copiedCharacters = 1_000_000;

export class Debuggee {
  readonly session: DebugSession;
  readonly notation: Notation;
  readonly sources: Sources;
  readonly instructions: Instructions;
  readonly variables = new Variables();
  /** Places to run to, by the numbers that the client was given at this stop. */
  readonly gotoTargets: TextRange[] = [];

  constructor(session: DebugSession, notation: Notation) {
    this.session = session;
    this.notation = notation;
    this.sources = new Sources(session, notation);
    this.instructions = new Instructions(session);
  }

  /** The evaluation goes on: numbers that the client was given are invalid. */
  leaveStop(): void {
    this.variables.clear();
    this.gotoTargets.length = 0;
  }

  /** Throws an ArgumentError while the evaluation runs. */
  get stop(): Stop {
    const { stop } = this.session;
    if (stop === undefined) throw new ArgumentError('the evaluation is running');
    return stop;
  }

  get isAtEnd(): boolean {
    return this.stop.reason === 'end';
  }

  /** The frames at the stop, innermost first; none at the end. */
  get frames(): readonly DebugFrame[] {
    return this.isAtEnd ? [] : this.session.frames();
  }

  /** The frame that a request names by `frameId`; undefined if it names none, or the result. */
  frame(args: RequestArguments): DebugFrame | undefined {
    const id = args.count('frameId');
    if (id === undefined || id === resultFrame) return undefined;
    const frame = this.frames.find((known) => known.id === id);
    if (frame === undefined) throw new ArgumentError(`there is no frame ${id} at this stop`);
    return frame;
  }
}

export function valueFormatOf(args: RequestArguments): ValueFormat {
  const longest = args.text('context') === 'clipboard' ? copiedCharacters : shownCharacters;
  return { hex: args.inner('format').flag('hex') === true, longest };
}
