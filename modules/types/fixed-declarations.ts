/** The declarations that are the same for all modules; see `runtime/codegen/module`. */
export const fixedDeclarations = `/** Options of a decision. A limit that is left out is none. */
export interface Options {
  /** Milliseconds after which the decision ends with an EvaluationError. */
  readonly timeMs?: number | undefined;
  /** Calls and rounds of loops after which it ends. */
  readonly instructions?: number | undefined;
  /** Calls inside calls. Default: 10,000. */
  readonly callDepth?: number | undefined;
  /** The first error of a built-in ends the decision; by default the call is undefined. */
  readonly strictBuiltinErrors?: boolean | undefined;
  /** The time that the policy sees, in nanoseconds since 1970. Default: now. */
  readonly timeNs?: bigint | undefined;
  /** Random numbers in [0, 1), for \`rand.intn\` and UUIDs. Default: \`Math.random\`. */
  readonly random?: (() => number) | undefined;
  /** The document of \`opa.runtime()\`. */
  readonly runtime?: object | undefined;
  /** Called with each line of \`print\`. */
  readonly onPrint?: ((line: string) => void) | undefined;
  /** Called with each note of \`trace\`. */
  readonly onTrace?: ((note: string) => void) | undefined;
  /** Called with each error of a built-in that made its call undefined. */
  readonly onBuiltinError?: ((error: Error, builtin: string, place: Place) => void) | undefined;
  /** Called with each result of a non-deterministic built-in. */
  readonly onNondeterministic?: ((builtin: string, operands: readonly unknown[], value: unknown) => void) | undefined;
}

/** A place in a policy; rows and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly row: number;
  readonly col: number;
}

/** A decision that ended without a result. */
export declare class EvaluationError extends Error {
  /** Such as \`eval_conflict_error\`, \`eval_builtin_error\`, \`eval_cancel_error\`. */
  readonly code: string;
  /** The message without place and code. */
  readonly detail: string;
  readonly location: Place | undefined;
  /** The rules that were evaluated, innermost first. */
  readonly rules: readonly (Place & { readonly name: string })[];
}

/** A wrong use of this module. */
export declare class ModuleError extends Error {
  readonly code: 'undefined_entrypoint' | 'invalid_option' | 'invalid_input' | 'invalid_data';
}

/** An entrypoint as a function. */
export interface Rule<E extends Entrypoint> {
  (input?: Inputs[E], options?: Options): Results[E];
}

/** Decisions over some documents. */
export interface Policy {
  readonly data: Data;
  /** Replaces all documents. */
  setData(data: Data): void;
  /** The same decisions over other documents. */
  withData(data: Data): Policy;
  /** The document of an entrypoint as plain JSON. */
  decide<E extends Entrypoint>(entrypoint: E, input?: Inputs[E], options?: Options): Results[E];
}

/** The decisions of this module, at first over the documents that it was built with. */
export declare const policy: Policy;

/** \`policy.decide\`. */
export declare function decide<E extends Entrypoint>(entrypoint: E, input?: Inputs[E], options?: Options): Results[E];

export declare const entrypoints: readonly Entrypoint[];

/** The revision of the bundle. */
export declare const revision: string | undefined;`;
