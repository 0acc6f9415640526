/** Declarations that are the same for all modules; see `runtime/codegen/module`. */

/** Names of types that each module's declarations have. */
export const fixedNames = [
  'Data',
  'Entrypoint',
  'EvaluationError',
  'Inputs',
  'ModuleError',
  'Operands',
  'Options',
  'Place',
  'Policy',
  'Results',
  'Rule',
  'Rules',
];

/** Options, errors and operands of decisions. */
export const decisionDeclarations = `/** Options of a decision. A limit that is left out is none. */
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
  /** Called with each line of \`print\`, and \`file:row\` of the call. */
  readonly onPrint?: ((line: string, place: string | undefined) => void) | undefined;
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

/** Input and options of a decision. An input that a schema describes is required. */
export type Operands<Input> = undefined extends Input ? [input?: Input, options?: Options] : [input: Input, options?: Options];`;

/** @param prefix \`export\` where the classes are exported by their names */
export function errorDeclarations(prefix: '' | 'export '): string {
  return `/** A decision that ended without a result. */
${prefix}declare class EvaluationError extends Error {
  /** Such as \`eval_conflict_error\`, \`eval_builtin_error\`, \`eval_cancel_error\`. */
  readonly code: string;
  /** The message without place and code. */
  readonly detail: string;
  readonly location: Place | undefined;
  /** The rules that were evaluated, innermost first. */
  readonly rules: readonly (Place & { readonly name: string })[];
}

/** A wrong use of this module. */
${prefix}declare class ModuleError extends Error {
  readonly code: 'undefined_entrypoint' | 'invalid_option' | 'invalid_input' | 'invalid_data';
}`;
}

/** A module of entrypoints that were named. */
export const entrypointDeclarations = `/** An entrypoint as a function. */
export interface Rule<E extends Entrypoint> {
  (...operands: Operands<Inputs[E]>): Results[E];
}

/** Decisions over some documents. */
export interface Policy {
  readonly data: Data;
  /** Replaces all documents. */
  setData(data: Data): void;
  /** The same decisions over other documents. */
  withData(data: Data): Policy;
  /** The document of an entrypoint as plain JSON. */
  decide<E extends Entrypoint>(entrypoint: E, ...operands: Operands<Inputs[E]>): Results[E];
}

/** The decisions of this module, at first over the documents that it was built with. */
export declare const policy: Policy;

/** \`policy.decide\`. */
export declare function decide<E extends Entrypoint>(entrypoint: E, ...operands: Operands<Inputs[E]>): Results[E];

export declare const entrypoints: readonly Entrypoint[];

/** The revision of the bundle. */
export declare const revision: string | undefined;`;

/** A module of a package's rules. */
export const packageModuleDeclarations = `/** A rule as a function. */
export interface Rule<Input, Result> {
  (...operands: Operands<Input>): Result;
}

/** Decisions over some documents. */
export interface Policy {
  readonly data: Data;
  /** Replaces all documents. */
  setData(data: Data): void;
  /** The same decisions over other documents. */
  withData(data: Data): Policy;
  /** The document of a rule as plain JSON. */
  decide<Path extends keyof Rules>(path: Path, ...operands: Parameters<Rules[Path]>): ReturnType<Rules[Path]>;
}

/** The decisions of this module, at first over the documents that it was built with. */
export declare const $policy: Policy;

export { EvaluationError as $EvaluationError, ModuleError as $ModuleError };`;
