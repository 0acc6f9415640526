/** The plans that answer a query, for traces, profiles and recordings of their statements. */

import type { CompileCapabilities } from '../../compiler/index.js';
import { createContext } from '../../engine/index.js';
import { type DebugInfo, loadPlan, verify } from '../../ir-schema/index.js';
import { type EngineContext, loadLibraries } from '../../runtime/index.js';
import { type Builtin, builtins, type PlainObject, withDeclared } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import { ObservedPolicy, type PlanRun, type Recording } from '../../views/index.js';
import type { EvalSources } from '../eval/eval-sources.js';
import { askedPlans } from '../eval/plan-results.js';
import type { PreparedQuery } from '../eval/source-eval.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { type FileText, foldersOf, planSources, type SourcePlaces } from '../sources/plan-sources.js';
import { debugInfoOrWarning } from './debug-info-or-warning.js';

export interface PlanRuns {
  readonly runs: readonly PlanRun[];
  /** The texts of the policies that were planned; of a plan that was there, those that fit it. */
  readonly sources: Recording['sources'];
  readonly data: PlainObject;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly context: EngineContext;
}

/**
 * Loads the plans of a query, and the libraries of the built-ins that they call.
 * @param prepared the query, where the policies are planned for it
 */
export async function planRuns(
  text: string,
  sources: EvalSources,
  prepared: PreparedQuery | undefined,
  {
    flags,
    io,
    capabilities,
  }: { readonly flags: FlagValues; readonly io: Io; readonly capabilities: CompileCapabilities | undefined },
): Promise<PlanRuns> {
  const available = withDeclared(builtins, capabilities);
  const planned = prepared?.planned();
  const asked = planned === undefined ? askedPlans(text, sources, flags) : [planned];
  const policies = new Map<unknown, ObservedPolicy>();
  const runs: PlanRun[] = [];
  for (const { policy: json, name } of asked) {
    let policy = policies.get(json);
    if (policy === undefined) {
      policy = new ObservedPolicy(
        loadPlan(json),
        planned === undefined ? debugBeside(json, sources, io) : planned.debug,
      );
      await loadLibraries(verify(policy.policy, available), available);
      policies.set(json, policy);
    }
    runs.push({ policy, entrypoint: name });
  }
  return {
    runs,
    sources:
      planned === undefined
        ? [...policies.values()].flatMap(({ policy, addresses, debug }) =>
            planSources({ policy, debug: debug?.info }, placesOf(sources, flags), addresses).map(({ file, text }) => ({
              file,
              text,
            })),
          )
        : planned.parsed.map(({ module, file }) => ({ file: module.source.file, text: file.text })),
    data: sources.bundle.data,
    builtins: available,
    context: createContext(
      { host: nodeHost },
      {
        runtime: { env: { ...io.env } as PlainObject },
        ...(capabilities?.allow_net && { allowNet: capabilities.allow_net }),
      },
    ),
  };
}

function placesOf(sources: EvalSources, flags: FlagValues): SourcePlaces {
  const folders = foldersOf([...flags.all('bundle'), ...flags.all('data')]);
  return { beside: () => textsBeside(sources), roots: [], folders };
}

function textsBeside({ bundle }: EvalSources): readonly FileText[] {
  return bundle.modules.map(({ path, text }) => ({ file: path, text }));
}

function debugBeside(plan: unknown, { bundle }: EvalSources, io: Io): DebugInfo | undefined {
  const file = bundle.plans.find(({ policy }) => policy === plan);
  return file && debugInfoOrWarning(file, io);
}
