/** A format of configuration files: its values, and where they are written. */
import type { Value } from '../../../values/index.js';
import type { FoundRange, Marks, PathKey } from './marks.js';

/** The settings of a parser. */
export interface FormatContext {
  /** The name of the file, for messages and for parsers that look at it. */
  readonly path: string;
  /** Whether texts that conftest cannot read are refused, though they are right. */
  readonly asConftest?: boolean | undefined;
  /** The `.proto` files that declare the types of text messages. */
  readonly protoFiles?: readonly ProtoText[] | undefined;
}

export interface ProtoText {
  readonly path: string;
  readonly text: string;
}

/** The range of a path, or of its nearest part. */
export type RangeFinder = (path: readonly PathKey[]) => FoundRange | undefined;

export interface Format {
  /**
   * The value of a text. Marks the places of its parts where they are asked for. Throws a
   * FormatError.
   */
  parse(text: string, context: FormatContext, marks?: Marks): Value;
  /** The value of a text that is not in the format, where the reference has one. */
  parseBroken?(text: string): Value;
  /** Finds ranges in a text that was parsed: for texts that are long for marks. */
  finder?(text: string): RangeFinder;
}

/** A text that is not in the format. */
export class FileFormatError extends Error {
  /** Where the text is wrong, if it is known. */
  readonly offset: number | undefined;

  /** @param message the stages and what was expected, without the file */
  constructor(message: string, offset?: number) {
    super(message);
    this.name = 'FormatError';
    this.offset = offset;
  }

  /** The same error with a stage before its message. */
  within(stage: string): FileFormatError {
    return new FileFormatError(`${stage}: ${this.message}`, this.offset);
  }
}

/** A variable of the environment, to which a text refers. */
export function environmentText(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined;
}

/** The offset of a line and a column, both counted from 1. */
export function offsetOfLine(text: string, line: number, column = 1): number {
  let start = 0;
  for (let row = 1; row < line; row++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
