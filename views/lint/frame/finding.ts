/** Findings of the linter, and its report. */

export interface Finding {
  /** The name of the rule. */
  readonly rule: string;
  readonly category: string;
  /** `error` or `warning`; others are kept as the configuration has them. */
  readonly level: string;
  readonly description: string;
  /** Undefined for a finding about all files. */
  readonly file?: string;
  /** The row, from 1; 0 for a finding about a file. */
  readonly row: number;
  /** The column in characters, from 1. */
  readonly col: number;
  /** Behind the last character: as far from the start, or in a row below, as the text has bytes. */
  readonly end?: { readonly row: number; readonly col: number };
  /** The line. */
  readonly text?: string;
  readonly isFixable?: true;
  /** The name to write in the place of the one that nothing has. */
  readonly meant?: string;
  /** Where to read more; undefined: the page of the rule. */
  readonly relatedResources?: readonly { readonly description: string; readonly ref: string }[];
}

/** The rule and the line of a finding: rules of two categories may tell one fault. */
export function faultKey({ rule, file, row }: Pick<Finding, 'rule' | 'file' | 'row'>): string {
  return `${rule} ${row} ${file}`;
}

/** A rule that was left out, and why. */
export interface Notice {
  readonly rule: string;
  readonly category: string;
  readonly description: string;
}

export interface LintReport {
  readonly findings: readonly Finding[];
  readonly notices: readonly Notice[];
  /** The number of files. */
  readonly scanned: number;
  /** The number of files with findings. */
  readonly failed: number;
}
