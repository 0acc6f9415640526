/** One policy of a workspace: its text, its tree and its names. */

import type { Module, ParseOptions, Source } from '../../../compiler/index.js';
import { parseTolerantly, type TolerantModule } from '../syntax/tolerant-parse.js';

export class PolicyFile {
  readonly uri: string;
  /** The path from the workspace's folder: the name of its module. */
  readonly name: string;
  readonly text: string;
  readonly regoVersion: 'v0' | 'v1';
  readonly #options: ParseOptions;
  #parsed: TolerantModule | undefined;

  constructor(uri: string, name: string, text: string, options: ParseOptions = {}) {
    this.uri = uri;
    this.name = name;
    this.text = text;
    this.regoVersion = options.regoVersion ?? 'v1';
    this.#options = options;
  }

  get parsed(): TolerantModule {
    return (this.#parsed ??= parseTolerantly(this.name, this.text, this.#options));
  }

  /** The text as the editor has it, with its lines. */
  get source(): Source {
    return this.parsed.source;
  }

  /** The part of the text that can be read; undefined where there is none. */
  get module(): Module | undefined {
    return this.parsed.module;
  }
}
