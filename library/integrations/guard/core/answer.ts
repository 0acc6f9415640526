/** The answer in the result of a policy: allowed or not, and why not. */
import { GuardError } from './guard-error.js';

/**
 * A result that a guard understands: a boolean, or an object with `allow` or `allowed`, and perhaps
 * `reasons`. An undefined result is a denial.
 */
export type Answer = boolean | undefined | { readonly allow: boolean } | { readonly allowed: boolean };

export interface ReadAnswer {
  readonly allowed: boolean;
  /** Texts for the one who asked; those of a denial. */
  readonly reasons: readonly string[];
}

/** Reads the result of a decision. Throws a GuardError for one that is not an `Answer`. */
export function readAnswer(result: unknown): ReadAnswer {
  if (result === undefined) return { allowed: false, reasons: [] };
  if (typeof result === 'boolean') return { allowed: result, reasons: [] };
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) {
    const { allow, allowed = allow, reasons } = result as Readonly<Record<string, unknown>>;
    if (typeof allowed === 'boolean' && (allow === undefined || allow === allowed))
      return { allowed, reasons: allowed ? [] : readReasons(reasons) };
  }
  throw new GuardError(
    'invalid_result',
    `the decision is ${shown(result)}: it must be a boolean, or an object with the boolean allow or allowed`,
  );
}

/**
 * The texts of a document of reasons: a text, a list or a set of them, or an object whose values
 * they are. A reason may be an object with the text in `message` or `msg`.
 */
export function readReasons(document: unknown): readonly string[] {
  if (document === undefined || document === null) return [];
  if (typeof document !== 'object') return [textOf(document)];
  const texts = Object.values(document).map(textOf);
  return [...new Set(texts)];
}

function textOf(reason: unknown): string {
  if (typeof reason === 'string') return reason;
  const { message, msg = message } = (reason ?? {}) as { readonly message?: unknown; readonly msg?: unknown };
  return typeof msg === 'string' ? msg : JSON.stringify(reason);
}

function shown(result: unknown): string {
  if (result === null) return 'null';
  return Array.isArray(result) ? 'a list' : `of type ${typeof result}`;
}
