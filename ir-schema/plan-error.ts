/** A plan is refused: the fault and its place in the document. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code = 'invalid_plan';
  /** JSON pointer (RFC 6901) to the value at fault; empty for the whole document. */
  readonly pointer: string;
  /** The fault, without the pointer. */
  readonly reason: string;

  constructor(pointer: string, reason: string) {
    super(`invalid plan: ${pointer === '' ? '' : `${pointer}: `}${reason}`);
    this.pointer = pointer;
    this.reason = reason;
  }
}

/** Adds steps to a JSON pointer. */
export function pointTo(pointer: string, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>(
    (text, step) => `${text}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  );
}

/** A name out of a document, which may be of any length. */
export function quoteName(name: unknown): string {
  const text = String(name);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
