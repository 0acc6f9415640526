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

/** The level and the form of log lines. */
export function logFlags(level: string): readonly Flag[] {
  return [
    {
      name: 'log-level',
      short: 'l',
      type: ['debug', 'info', 'error'],
      usage: 'lowest level that is logged',
      default: level,
    },
    { name: 'log-format', type: ['text', 'json', 'json-pretty'], usage: 'form of log lines', default: 'json' },
  ];
}
