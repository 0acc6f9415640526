/** A policy, its documents and the questions about it. */
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { compileModules } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Policy } from '../../ir-schema/plan.js';
import { toJson } from '../../values/json/json.js';
import type { PolicyCase } from '../generators/random-case.js';
import { isPlannable } from '../generators/random-policy.js';

/** A case whose policies compile. */
export interface Subject extends PolicyCase {
  readonly compiled: Compiled;
  /** A plan for each path, named as in `planName`. */
  readonly policy: Policy;
  /** Whether commands and the library take it: they refuse errors of types. */
  readonly isOrdinary: boolean;
}

export function planName(path: readonly string[]): string {
  return path.join('/');
}

/** The path in a policy. Its segments are names. */
export function refText(path: readonly string[]): string {
  return ['data', ...path].join('.');
}

/** Undefined where the policies are refused. */
export function subjectOf(given: PolicyCase): Subject | undefined {
  try {
    const modules = new Map([...given.modules].map(([name, text]) => [name, parseModule(name, text, { regoVersion: given.regoVersion })]));
    const compiled = compileModules({ modules, options: { errorLimit: 0 } });
    if (!isPlannable(compiled.diagnostics)) return undefined;
    const policy = plan(
      compiled,
      given.paths.map((path) => ({ name: planName(path), path })),
    );
    return { ...given, compiled, policy, isOrdinary: compiled.diagnostics.length === 0 };
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}

/** For people, and to try again. */
export function showCase({ modules, regoVersion, data, inputs, paths }: PolicyCase): string {
  return [
    ...(regoVersion === 'v0' ? ['--- version 0'] : []),
    ...[...modules].map(([name, text]) => `--- ${name}\n${text.trim()}`),
    `--- data\n${toJson(data)}`,
    ...inputs.map((input) => `--- input\n${input === undefined ? 'undefined' : toJson(input)}`),
    `--- query\n${paths.map(refText).join('\n')}`,
  ].join('\n');
}
