/** The flags that `lint` and `fix` share. */

import type { RuleFlags } from '../../views/index.js';
import { type Flag, type FlagValues, group } from '../flags.js';

export const ruleFlags: readonly Flag[] = [
  ...group(
    'Rules',
    { name: 'enable', short: 'e', type: 'strings', repeated: true, usage: 'run these rules' },
    { name: 'enable-category', type: 'strings', repeated: true, usage: 'run the rules of these categories' },
    { name: 'enable-all', short: 'E', type: 'bool', usage: 'run all rules' },
    { name: 'disable', short: 'd', type: 'strings', repeated: true, usage: 'do not run these rules' },
    { name: 'disable-category', type: 'strings', repeated: true, usage: 'do not run the rules of these categories' },
    { name: 'disable-all', short: 'D', type: 'bool', usage: 'run no rules but those that are enabled' },
    {
      name: 'rules',
      short: 'r',
      type: 'strings',
      repeated: true,
      usage: 'files or directories with rules of your own',
    },
  ),
  ...group(
    'Files',
    { name: 'config-file', short: 'c', type: 'string', usage: 'the configuration, in place of the one that is found' },
    {
      name: 'ignore-files',
      short: 'i',
      type: 'strings',
      repeated: true,
      usage: 'patterns of files to leave out, in place of those of the configuration',
    },
    { name: 'debug', type: 'bool', usage: 'write the configuration and its file to stderr' },
  ),
];

/** The rules that the flags enable and disable. */
export function ruleFlagsOf(flags: FlagValues): RuleFlags {
  return {
    enable: flags.all('enable'),
    enableCategory: flags.all('enable-category'),
    enableAll: flags.on('enable-all'),
    disable: flags.all('disable'),
    disableCategory: flags.all('disable-category'),
    disableAll: flags.on('disable-all'),
  };
}
