/** Mismatches of a document, as they are collected. */

/** A mistake in a document. `field` is the path to it, with dots; `(Root)` is the whole. */
export interface SchemaMismatch {
  readonly type: string;
  readonly field: string;
  readonly desc: string;
}

/** The path of the whole document. */
export const root = '(Root)';

/**
 * The mismatches of one schema. The score says how nearly it matched, for the choice within
 * `anyOf`.
 */
export class SchemaResult {
  readonly mismatches: SchemaMismatch[] = [];
  score = 0;

  get valid(): boolean {
    return this.mismatches.length === 0;
  }

  add(type: string, path: string, desc: string | ((field: string) => string)): void {
    const field = path.startsWith(`${root}.`) ? path.slice(root.length + 1) : path;
    this.mismatches.push({ type, field, desc: typeof desc === 'string' ? desc : desc(field) });
    this.score -= 2;
  }

  merge(other: SchemaResult): void {
    for (const mismatch of other.mismatches) this.mismatches.push(mismatch);
    this.score += other.score;
  }
}
