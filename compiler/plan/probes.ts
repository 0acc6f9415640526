/**
 * Instrumentation for coverage and profiles: a plan with probes calls a built-in with a number
 * before each expression and after the last one of a body.
 */
import type { Body, Expr } from '../ast/nodes.js';

/** The built-in of a probe. It takes a number and is true. */
export const probeName = 'internal.probe';

/** The built-in that takes a probe's number and an object of the variables bound by then. */
export const probeValuesName = 'internal.probe_values';

/** Numbers the probes. */
export interface Probes {
  /** The number of the probe before an expression. */
  before(expr: Expr, index: number): number;
  /** Whether to record the values of variables before an expression. */
  wantsValues(expr: Expr): boolean;
  /** The number of the probe at a body's end. */
  after(body: Body): number;
}
