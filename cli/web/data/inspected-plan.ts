import { type DebugInfo, type Policy, verify } from '../../../ir-schema/index.js';
import { type Builtin, builtins } from '../../../values/index.js';
import { type CodeLine, codeLines, PlanView, scriptLines } from '../../../views/index.js';
import type { CodeLines, PagePlan } from './page-data.js';

/**
 * A plan with its program and its JavaScript, where they can be made.
 * @param available built-ins, those of a host too
 */
export function inspectedPlan(
  policy: Policy,
  debug?: DebugInfo,
  available: ReadonlyMap<string, Builtin> = builtins,
): PagePlan {
  const shared = { policy, ...(debug !== undefined && { debug }) };
  const view = new PlanView(policy);
  try {
    verify(policy, available);
  } catch (error) {
    // Plans of hosts with built-ins of their own have no program here.
    const none = { text: '', statements: [], problem: error instanceof Error ? error.message : String(error) };
    return { ...shared, program: none, js: none };
  }
  return {
    ...shared,
    program: linked(view, view.instructions().map(codeLines)),
    js: linked(view, view.script().map(scriptLines)),
  };
}

/** The lines of all functions, with an empty one between two. */
function linked({ addresses }: PlanView, functions: readonly (readonly CodeLine[])[]): CodeLines {
  const lines = functions.flatMap((some, i): readonly CodeLine[] => (i > 0 ? [{ text: '' }, ...some] : some));
  return {
    text: lines.map(({ text }) => text).join('\n'),
    statements: lines.map(({ at }) => (at === undefined ? -1 : (addresses.at(at)?.index ?? -1))),
  };
}
