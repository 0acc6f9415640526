/** Rules that users write in Rego, as the linter runs them. */

import type { PlainObject } from '../../../values/index.js';
import type { Finding } from '../frame/finding.js';

/** A rule by its package: `custom.regal.rules.CATEGORY.NAME`, or `regal.rules.CATEGORY.NAME`. */
export interface OwnRule {
  readonly name: string;
  readonly category: string;
  /** Whether it stands in the place of a rule of the linter: it has that one's name. */
  readonly isReplacing?: true;
  readonly isOff?: true;
}

/** A violation as a rule reports it. */
export interface Violation {
  readonly title?: string;
  readonly category?: string;
  readonly level?: string;
  readonly description?: string;
  readonly related_resources?: readonly { readonly description: string; readonly ref: string }[];
  readonly location?: {
    readonly file?: string;
    readonly row?: number;
    readonly col?: number;
    readonly end?: { readonly row: number; readonly col: number };
    readonly text?: string;
  };
}

/** The entries that `aggregate` of a rule has for a file. */
export interface FileEntries {
  readonly file: string;
  readonly entries: readonly unknown[];
}

/** Rules that are compiled; whoever has an engine makes them. */
export interface OwnRules {
  readonly rules: readonly OwnRule[];
  /** The values of `report` and `aggregate` of a rule for a file. */
  run(
    rule: OwnRule,
    tree: PlainObject,
  ): { readonly violations: readonly Violation[]; readonly entries: readonly unknown[] };
  /** The violations that `aggregate_report` has for the entries of all files. */
  conclude(rule: OwnRule, entries: readonly FileEntries[]): readonly Violation[];
}

/** A violation as a finding; what it does not say is that of the rule. */
export function findingOfViolation(violation: Violation, { name, category }: OwnRule, level: string): Finding {
  const { location = {} } = violation;
  const { file, row = 0, col = 0, end, text } = location;
  return {
    rule: violation.title ?? name,
    category: violation.category ?? category,
    level: violation.level ?? level,
    description: violation.description ?? '',
    ...(file !== undefined && { file }),
    row,
    col,
    ...(end && { end: { row: end.row, col: end.col } }),
    ...(text !== undefined && { text }),
    relatedResources: (violation.related_resources ?? []).map(({ description, ref }) => ({ description, ref })),
  };
}
