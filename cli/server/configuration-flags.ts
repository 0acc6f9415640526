import { type Flag, group } from '../flags.js';

/** The configuration of services, for the commands that have some. */
export const configurationFlags: readonly Flag[] = group(
  'Configuration',
  { name: 'config-file', short: 'c', type: 'string', usage: 'configuration file, YAML or JSON' },
  {
    name: 'set',
    type: 'string',
    repeated: true,
    usage: 'change the configuration: key=value, several with commas between them',
  },
  {
    name: 'set-file',
    type: 'string',
    repeated: true,
    usage: 'change the configuration by values in files: key=file, several with commas between them',
  },
);
