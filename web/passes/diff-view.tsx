/** Two plans side by side. */
import { useMemo } from 'preact/hooks';
import { diffPlans } from '../../inspect/diff/plan-diff.js';
import type { PageData } from '../data/page-data.js';
import { count } from '../page/page-state.js';
import { MergedTexts } from './merged-texts.js';
import { textOf } from './passes-view.js';

interface DiffProps {
  readonly data: PageData;
  readonly other: NonNullable<PageData['other']>;
}

export function DiffView({ data: { title, plan }, other }: DiffProps) {
  const [left, right] = useMemo(() => [textOf(plan.policy), textOf(other.policy)] as const, [plan, other]);
  const changes = useMemo(() => diffPlans(plan.policy, other.policy).changes.length, [plan, other]);
  return (
    <div class="graph-view">
      <div class="bar">
        <span class="soft">
          {count(changes, 'change')} besides the numbers of locals · {count(left.size, 'statement')} and{' '}
          {count(right.size, 'statement')}
        </span>
      </div>
      <MergedTexts left={left.text} right={right.text} leftTitle={title} rightTitle={other.title} />
    </div>
  );
}
