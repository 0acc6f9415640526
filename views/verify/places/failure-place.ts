/** Where a file has what a rule complains about. */

/** A place in a file: rows and columns count from 1. */
export interface FailurePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The last line of the part. */
  readonly endLine: number;
  /** The path in the document, as a policy would write it. */
  readonly path: string;
  /** Whether the part itself is missing: the place is of the part around it. */
  readonly isMissing: boolean;
  /** The lines of the part, the first few of them. */
  readonly lines: readonly string[];
  /** The expression of the policy that decided, and where it is written. */
  readonly rule: { readonly file: string; readonly row: number; readonly text: string };
  /** The change that would make it pass, where one comparison decides. */
  readonly cure?: string | undefined;
}
