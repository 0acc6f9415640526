/** Requests of the playground to its engine worker, and the answers. */
import type { LineState } from '../../../../views/index.js';
import type { PageData, PageSource } from '../../data/page-data.js';

/** The policies and documents of the page. Documents are texts: JSON with exact numbers. */
export interface PlaygroundProject {
  readonly files: readonly PageSource[];
  readonly data: string;
  readonly input: string;
}

/** A project and the query that is asked of it. */
export interface ProjectQuestion extends PlaygroundProject {
  readonly query: string;
}

/** Each request's name, with its question and its answer. */
export interface PlaygroundRequests {
  evaluate: { readonly ask: ProjectQuestion; readonly answer: ProjectAnswer };
  why: { readonly ask: ProjectQuestion; readonly answer: { readonly text: string } };
  trace: {
    readonly ask: ProjectQuestion;
    readonly answer: { readonly lines: readonly string[]; readonly left: number };
  };
  tests: { readonly ask: PlaygroundProject; readonly answer: PlaygroundReport };
  partial: { readonly ask: ProjectQuestion & { readonly unknowns: readonly string[] }; readonly answer: PartialAnswer };
  filter: {
    readonly ask: ProjectQuestion & { readonly unknowns: readonly string[]; readonly target: string };
    readonly answer: { readonly rows: string; readonly text: string };
  };
  /** The data of the inspector's views. */
  inspect: { readonly ask: ProjectQuestion; readonly answer: PageData };
  /** The project as a bundle, compressed. */
  bundle: { readonly ask: PlaygroundProject; readonly answer: Uint8Array<ArrayBuffer> };
}

export interface ProjectAnswer {
  /** The value as text; undefined for none. */
  readonly result?: string;
  /** The error that ended it. */
  readonly error?: string;
  /** Errors of the compiler; with some, there is no result. */
  readonly problems: readonly ProjectProblem[];
  readonly warnings: readonly ProjectProblem[];
  readonly prints: readonly Printed[];
  readonly lines: readonly LineState[];
  /** Compiling, and evaluating. */
  readonly milliseconds: { readonly compile: number; readonly evaluate: number };
}

/** A complaint at a place: rows and columns begin with 1. */
export interface ProjectProblem {
  /** Empty for one of the query. */
  readonly file: string;
  readonly row: number;
  readonly col: number;
  /** The end of the text at fault, where it is known. */
  readonly end?: { readonly row: number; readonly col: number };
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export interface Printed {
  readonly line: string;
  /** `file:row`, where it is known. */
  readonly place?: string;
}

export interface PlaygroundReport {
  readonly tests: readonly PlaygroundTest[];
  readonly problems: readonly ProjectProblem[];
}

export interface PlaygroundTest {
  readonly name: string;
  readonly file: string;
  readonly row: number;
  readonly state: 'passed' | 'failed' | 'skipped' | 'error';
  readonly milliseconds: number;
  /** Why it failed, or the error. */
  readonly why?: string;
}

export interface PartialAnswer {
  /** The alternatives; an empty text always holds. */
  readonly queries: readonly string[];
  readonly modules: readonly string[];
}

export type PlaygroundRequest = keyof PlaygroundRequests;
