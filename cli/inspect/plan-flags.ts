/** The flags of the views of plans. */
import { engines } from '../../views/index.js';
import { capabilitiesFlag } from '../compile-flags.js';
import { type Flag, group } from '../flags.js';
import { sourceRootFlag } from '../sources/source-roots.js';

const views: readonly Flag[] = [
  { name: 'listing', type: 'bool', usage: 'show the statements of the plans; with -a by their whole addresses' },
  { name: 'source', type: 'bool', usage: 'show the lines of the source with their statements' },
  { name: 'at', type: 'string', usage: 'show the statements of a place: FILE:LINE or FILE:LINE:COLUMN' },
  { name: 'program', type: 'bool', usage: 'show the instructions of the virtual machine' },
  { name: 'js', type: 'bool', usage: 'show the generated JavaScript' },
  { name: 'calls', type: 'bool', usage: 'show what each function calls' },
  { name: 'callers', type: 'bool', usage: 'show what calls each function and built-in' },
  { name: 'cfg', type: 'bool', usage: 'show the paths through the statements as a graph, for Graphviz or as JSON' },
  { name: 'strings', type: 'bool', usage: 'show the strings of the plans, and the statements that use them' },
  { name: 'unplanned', type: 'bool', usage: 'show the rules that no entrypoint needs' },
  {
    name: 'profile',
    type: 'string',
    usage: 'show counts and times with the statements: the file of eval --plan-profile=json or --record',
  },
  { name: 'verify', type: 'bool', usage: 'show all problems of the plans; exit with 1 if there are some' },
  {
    name: 'diff',
    type: 'bool',
    usage: 'show the differences between the plans of two paths; exit with 1 if there are some',
  },
];

/** The flags that show views of plans. */
export const viewFlags: readonly string[] = views.map(({ name }) => name);

export const planFlags: readonly Flag[] = group(
  'Plans',
  ...views,
  sourceRootFlag,
  { name: 'for', type: [...engines, 'any'], usage: 'with --verify: problems for this engine, or for any' },
  {
    name: 'optimize',
    short: 'O',
    type: 'int',
    usage: 'with --diff: level of optimization; of one path, compared with level 0',
  },
  {
    ...capabilitiesFlag,
    usage: 'built-ins of the host, for --program, --js and --verify: a file like capabilities.json',
  },
);
