/** A statement's place in its source. */
export interface Place {
  readonly file: string;
  readonly row: number;
  readonly col: number;
}
