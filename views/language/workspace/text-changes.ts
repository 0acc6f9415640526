/** Changes of an open document. */

import type { Range } from 'vscode-languageserver-types';
import { Source } from '../../../compiler/index.js';
import { offsetAt } from './positions.js';

/** A new text, or a text in the place of a range. */
export interface TextChange {
  readonly range?: Range;
  readonly text: string;
}

/** The text after changes, which follow each other. */
export function changedText(text: string, changes: readonly TextChange[]): string {
  return changes.reduce((before, { range, text: by }) => {
    if (range === undefined) return by;
    const source = new Source('', before);
    const start = offsetAt(source, range.start);
    const end = Math.max(start, offsetAt(source, range.end));
    return before.slice(0, start) + by + before.slice(end);
  }, text);
}
