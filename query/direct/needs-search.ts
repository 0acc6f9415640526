import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';

interface Details {
  /** Whether other attempts end in the same way. Default: true. */
  readonly isLasting?: boolean;
  /** Further documents that need the search. */
  readonly documents?: readonly VirtualDocument[];
}

/**
 * Thrown where rules cannot be evaluated directly; the search evaluates them from their start. No
 * `Error`: it is always caught, and a stack would take longer than most rules.
 */
export class NeedsSearch {
  readonly reason: string;
  readonly isLasting: boolean;
  readonly documents: readonly VirtualDocument[];

  constructor(reason: string, { isLasting = true, documents = [] }: Details = {}) {
    this.reason = reason;
    this.isLasting = isLasting;
    this.documents = documents;
  }
}
