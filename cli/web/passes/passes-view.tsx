/** The changes of each optimizing pass in the plan. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Addresses, type Policy } from '../../../ir-schema/index.js';
import { sideBySide } from '../../../views/index.js';
import { count, type PageState } from '../page/page-state.js';
import type { EngineClient } from '../run/engine-client.js';
import type { PassState } from '../worker/protocol.js';
import { mergedRows } from './merged-rows.js';
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
  const rows = useMemo(() => mergedRows(sideBySide(before.policy, after.policy)), [before, after]);
  const [left, right] = useMemo(() => [sizeOf(before.policy), sizeOf(after.policy)] as const, [before, after]);
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
          {at === 0 ? count(right, 'statement') : `${left.toLocaleString('en')} → ${count(right, 'statement')}`}
        </span>
        {last === 0 && <span class="soft">No pass changes this plan.</span>}
      </div>
      <MergedTexts rows={rows} leftTitle={at === 0 ? after.name : before.name} rightTitle={after.name} />
    </div>
  );
}

function sizeOf(policy: Policy): number {
  return new Addresses(policy).size;
}
