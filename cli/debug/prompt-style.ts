/** Colours of the debugger's prompt. */
import type { ExplanationStyle } from '../../engine/index.js';

export type PromptStyle = ExplanationStyle;

const plain = (text: string) => text;

/** No colours. */
export const plainStyle: PromptStyle = { strong: plain, good: plain, bad: plain, dim: plain };
