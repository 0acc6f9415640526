/** Types of decisions by their paths. */
import type { Json } from '../../values/index.js';
import type { Decision } from './decision.js';

/**
 * Inputs and results by path, which `writ types --engine` declares: with a map in the project,
 * `engine.decide('authz/allow', input)` knows the types of both. Without one it is empty, and paths
 * are any texts.
 * @example
 * declare module 'writ' {
 *   interface Decisions {
 *     readonly 'authz/allow': { readonly input: { user: string }; readonly result: boolean };
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: projects add its members
export interface Decisions {}

type Mapped = keyof Decisions;
type Member<Path, Name extends 'input' | 'result'> = Path extends Mapped
  ? Decisions[Path] extends { readonly [key in Name]: infer Type }
    ? Type
    : unknown
  : unknown;

/** The input of a path: as the map has it, and as the schema that the engine was opened with. */
export type InputOf<Path, Input> = Path extends Mapped ? Member<Path, 'input'> & Input : Input;

/** The result of a path, where it is defined. */
export type ResultOf<Path> = Path extends Mapped ? Exclude<Member<Path, 'result'>, undefined> : Json;

/** The decision of a path: one that the map says is always defined has a result. */
export type DecisionOf<Path> = Path extends Mapped
  ? undefined extends Member<Path, 'result'>
    ? Decision<ResultOf<Path>>
    : Decision<ResultOf<Path>> & Required<Pick<Decision<ResultOf<Path>>, 'result'>>
  : Decision;

/** A path that is not in the map, or any where a result's type is given. */
export type UnmappedPath<Path extends string, Result> = [Result] extends [Mapped]
  ? never
  : Path extends Mapped
    ? never
    : Path;
