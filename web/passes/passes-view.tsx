/** What each optimizing pass changes in the plan. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Addresses } from '../../ir-schema/address.js';
import type { Policy } from '../../ir-schema/plan.js';
import { count, type PageState } from '../page/page-state.js';
import { planLines } from '../page/plan-lines.js';
import type { EngineClient } from '../run/engine-client.js';
import type { PassState } from '../worker/protocol.js';
import { MergedTexts } from './merged-texts.js';

export function PassesView({ state, engine }: { readonly state: PageState; readonly engine: EngineClient }) {
  const passes = useSignal<readonly PassState[] | undefined>(undefined);
  const problem = useSignal('');
  const { policy } = state.plan.value;
  useEffect(() => {
    passes.value = undefined;
    engine.ask('passes', { policy }).then(
      (found) => (passes.value = found),
      (error: Error) => (problem.value = error.message),
    );
  }, [policy]);
  if (problem.value !== '') return <p class="hint">{problem.value}</p>;
  if (passes.value === undefined) return <p class="hint">The passes run…</p>;
  return <Passes state={state} passes={passes.value} />;
}

function Passes({ state, passes }: { readonly state: PageState; readonly passes: readonly PassState[] }) {
  const last = passes.length - 1;
  const wanted = Number(state.more.value.pass ?? Math.min(1, last));
  const at = Number.isInteger(wanted) && wanted >= 0 && wanted <= last ? wanted : last;
  const go = (pass: number) => (state.more.value = { ...state.more.value, pass: String(pass) });
  const [before, after] = [passes[Math.max(0, at - 1)]!, passes[at]!];
  const [left, right] = useMemo(() => [textOf(before.policy), textOf(after.policy)] as const, [before, after]);
  return (
    <div class="graph-view">
      <div class="bar">
        <label>
          Pass{' '}
          <input
            type="range"
            min="0"
            max={last}
            value={at}
            aria-valuetext={after.name}
            onInput={({ currentTarget }) => go(Number(currentTarget.value))}
          />
        </label>
        <strong>{after.name}</strong>
        {after.does !== '' && <span>{after.does}</span>}
        <span class="soft">
          {at === 0
            ? count(right.size, 'statement')
            : `${left.size.toLocaleString('en')} → ${count(right.size, 'statement')}`}
        </span>
        {last === 0 && <span class="soft">No pass changes this plan.</span>}
      </div>
      <MergedTexts
        left={left.text}
        right={right.text}
        leftTitle={at === 0 ? after.name : before.name}
        rightTitle={after.name}
      />
    </div>
  );
}

/** The listing of a plan, and how many statements it has. */
export function textOf(policy: Policy): { readonly text: string; readonly size: number } {
  const addresses = new Addresses(policy);
  return { text: planLines(policy, addresses).text, size: addresses.size };
}
