/** Two plans side by side. */
import { useMemo } from 'preact/hooks';
import { diffPlans, sideBySide } from '../../../views/index.js';
import type { PageData } from '../data/page-data.js';
import { count } from '../page/page-state.js';
import { mergedRows } from './merged-rows.js';
import { MergedTexts } from './merged-texts.js';

interface DiffProps {
  readonly data: PageData;
  readonly other: NonNullable<PageData['other']>;
}

export function DiffView({ data: { title, plan }, other }: DiffProps) {
  const rows = useMemo(() => mergedRows(sideBySide(plan.policy, other.policy)), [plan, other]);
  const { changes, sizes } = useMemo(() => diffPlans(plan.policy, other.policy), [plan, other]);
  const [left, right] = sizes.statements;
  return (
    <div class="graph-view">
      <div class="bar">
        <span class="soft">
          {count(changes.length, 'change')} besides the numbers of locals · {count(left, 'statement')} and{' '}
          {count(right, 'statement')}
        </span>
      </div>
      <MergedTexts rows={rows} leftTitle={title} rightTitle={other.title} />
    </div>
  );
}
