/** The steps of optimizing that changed a plan. */
import { type OnPass, type OptimizationLevel, optimize } from '../../compiler/index.js';
import type { Policy } from '../../ir-schema/index.js';
import { diffPlans, diffText, type PlanDiff, sizesText } from './diff/plan-diff.js';

export interface ExplainedPass {
  readonly name: string;
  /** The effect on any plan. */
  readonly does: string;
  readonly diff: PlanDiff;
  readonly before: Policy;
  readonly after: Policy;
}

/** Collects the steps of `optimize` that change something. */
export class PassRecorder {
  readonly passes: ExplainedPass[] = [];

  readonly onPass: OnPass = ({ name, does }, before, after) => {
    if (before === after) return;
    const diff = diffPlans(before, after);
    if (diff.changes.length > 0 || sizesText(diff.sizes).length > 0)
      this.passes.push({ name, does, diff, before, after });
  };
}

/** The passes of a level that change a plan, in order. */
export function explainPasses(policy: Policy, level: OptimizationLevel): readonly ExplainedPass[] {
  const recorder = new PassRecorder();
  optimize(policy, level, recorder.onPass);
  return recorder.passes;
}

/** The passes as JSON: the last has the sizes of the plan that is built. */
export function passesJson(passes: readonly ExplainedPass[]): unknown {
  return passes.map(({ name, does, diff }) => ({ pass: name, does, ...diff }));
}

/**
 * Each pass, and below it its changes.
 * @example
 * unused: removes values that nothing reads
 *   - g0.data.authz.allow/0.3  Dot l5 := input["x"]
 *   statements 14 → 13
 */
export function passesText(passes: readonly Pick<ExplainedPass, 'name' | 'does' | 'diff'>[]): string {
  return passes
    .map(({ name, does, diff }) => {
      const text =
        diff.changes.length > 0
          ? diffText(diff)
          : sizesText(diff.sizes)
              .map((line) => `${line}\n`)
              .join('');
      return `${name}: ${does}\n${text.replaceAll(/^/gm, '  ').trimEnd()}\n`;
    })
    .join('');
}
