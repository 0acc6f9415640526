/** A statement's place in its source. */
export interface StatementPlace {
  readonly file: string;
  readonly row: number;
  readonly col: number;
}
