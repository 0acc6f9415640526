/** Makes random policies compile: what the compiler refuses is dropped. */
import type { Module } from '../../compiler/ast/nodes.js';
import { CompileErrors, type Diagnostic } from '../../compiler/diagnostics/diagnostics.js';
import { compileModules } from '../../compiler/pipeline.js';
import type { Span } from '../../compiler/source/location.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { RegoVersion } from './dialects.js';
import { nodeAt, type Place, removedAt, visitPlaces } from './tree.js';

/** Diagnostics that may stay: an expression with a type error can be evaluated all the same. */
type MayStay = (diagnostics: readonly Diagnostic[]) => boolean;

const rounds = 12;

/** A module; undefined where the text cannot be read. */
export function parsedModule(name: string, text: string, regoVersion: RegoVersion): Module | undefined {
  try {
    return parseModule(name, text, { regoVersion });
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}

/**
 * The modules without the expressions and rules that the compiler refuses; undefined where it goes
 * on refusing.
 */
export function repaired(given: ReadonlyMap<string, Module>, mayStay: MayStay): ReadonlyMap<string, Module> | undefined {
  let modules = given;
  for (let round = 0; round < rounds; round++) {
    const diagnostics = diagnosticsOf(modules);
    if (mayStay(diagnostics)) return modules;
    const next = new Map(modules);
    // One at a time of each module: dropping one may explain the others.
    for (const [name, module] of modules) {
      const found = diagnostics.find((one) => !mayStay([one]) && one.location?.file === name);
      if (found !== undefined) next.set(name, without(module, found));
    }
    const isChanged = [...next].some(([name, module]) => module !== modules.get(name));
    if (!isChanged) return undefined;
    modules = new Map([...next].filter(([, { rules }]) => rules.length > 0));
    if (modules.size === 0) return undefined;
  }
  return undefined;
}

function diagnosticsOf(modules: ReadonlyMap<string, Module>): readonly Diagnostic[] {
  try {
    return compileModules({ modules, options: { errorLimit: 0 } }).diagnostics;
  } catch (error) {
    if (error instanceof CompileErrors) return error.diagnostics;
    throw error;
  }
}

/** Without the innermost expression at a place, or without the rule where it is alone. */
function without(module: Module, { span, location }: Diagnostic): Module {
  const at = span?.start ?? offsetOf(module, location!);
  let best: Place | undefined;
  let rule: Place | undefined;
  visitPlaces(module, (node, place) => {
    const loc = node.loc as Span | undefined;
    if (loc === undefined || loc.source !== module.source || loc.start > at || loc.end <= at) return;
    if (node.type === 'rule') rule = place;
    if (node.type !== 'expr' || typeof place.at(-1) !== 'number') return;
    if ((nodeAt(module, place.slice(0, -1)) as readonly unknown[]).length > 1) best = place;
  });
  if (best !== undefined) return removedAt(module, best);
  if (rule === undefined) return module;
  // An `else` goes with its rule.
  return removedAt(module, rule.slice(0, 2));
}

function offsetOf({ source }: Module, { row, col }: { readonly row: number; readonly col: number }): number {
  const lines = source.text.split('\n');
  return lines.slice(0, row - 1).reduce((sum, line) => sum + line.length + 1, 0) + col - 1;
}
