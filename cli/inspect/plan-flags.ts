/** The flags of the views of plans. */
import { engines } from '../../inspect/verify/problem.js';
import { capabilitiesFlag } from '../compile-flags.js';
import type { Flag } from '../flags.js';

const views: readonly Flag[] = [
  { name: 'at', type: 'string', usage: 'show the statements of a place: FILE:LINE or FILE:LINE:COLUMN' },
  { name: 'callers', type: 'bool', usage: 'show the calls of functions and built-ins, by whom' },
  { name: 'calls', type: 'bool', usage: 'show the calls of the plans' },
  { name: 'cfg', type: 'bool', usage: 'show the ways through the statements as a graph, for Graphviz or as JSON' },
  { name: 'diff', type: 'bool', usage: 'show the differences of the plans of two paths; exit with 1 if there are some' },
  { name: 'js', type: 'bool', usage: 'show the generated JavaScript of the plans' },
  { name: 'listing', type: 'bool', usage: 'show the statements of the plans; with -a by their whole addresses' },
  {
    name: 'profile',
    type: 'string',
    usage: 'show counts and times with the statements: the file of eval --plan-profile=json or --record',
  },
  { name: 'program', type: 'bool', usage: 'show the instructions of the plans' },
  { name: 'source', type: 'bool', usage: 'show the lines of the source with their statements; with --listing between the statements' },
  { name: 'strings', type: 'bool', usage: 'show the strings of the plans, and the statements that use them' },
  { name: 'unplanned', type: 'bool', usage: 'show the rules that entrypoints do without' },
  { name: 'verify', type: 'bool', usage: 'show all problems of the plans; exit with 1 if there are some' },
];

/** The flags that show views of plans. */
export const viewFlags: readonly string[] = views.map(({ name }) => name);

export const planFlags: readonly Flag[] = [
  ...views,
  { ...capabilitiesFlag, usage: 'built-ins of the host, for --program, --js and --verify: a file like capabilities.json' },
  {
    name: 'for',
    type: [...engines, 'any'],
    usage: 'with --verify: what this engine refuses too, or what any does',
  },
  { name: 'trace', type: 'string', usage: 'with --web: show a recording, a file of eval --record; the path may be left out' },
  { name: 'optimize', short: 'O', type: 'int', usage: 'with --diff: optimization level of policies: of one path, compared with level 0' },
];
