/** The flags of the views of plans. */
import type { Policy } from '../../ir-schema/plan.js';
import type { Flag } from '../flags.js';

/** A plan that is inspected, and the path of its file or of its policies. */
export interface InspectedPlan {
  readonly path: string;
  readonly policy: Policy;
}

export const planFlags: readonly Flag[] = [
  { name: 'callers', type: 'bool', usage: 'show who calls the functions and built-ins' },
  { name: 'calls', type: 'bool', usage: 'show the calls of the plans' },
  { name: 'cfg', type: 'bool', usage: 'show the ways through the statements as a graph, for Graphviz or as JSON' },
  { name: 'js', type: 'bool', usage: 'show the generated JavaScript of the plans' },
  { name: 'listing', type: 'bool', usage: 'show the statements of the plans; with -a with their whole addresses' },
  { name: 'program', type: 'bool', usage: 'show the instructions of the plans' },
  { name: 'strings', type: 'bool', usage: 'show the strings of the plans, and the statements that use them' },
];

/** The flags that show views of plans. */
export const viewFlags: readonly string[] = planFlags.map(({ name }) => name);
