import { buildInfo } from '../../engine/index.js';
import { capabilitiesVersion } from '../../values/index.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit.js';

export const versionCommand: Command = {
  name: 'version',
  use: '',
  long: 'Shows the release of writ, its build, and the release of OPA that it equals.',
  examples: [
    ['Show the release', 'writ version'],
    ['Show the release of OPA that it equals', 'writ version | grep OPA'],
    ['Show that release first, for programs that expect OPA', 'writ version --compatible'],
  ],
  flags: [
    {
      name: 'compatible',
      type: 'bool',
      usage: 'show the release of OPA that it equals in the first line, as through a link named opa',
    },
    {
      name: 'check',
      short: 'c',
      type: 'bool',
      usage: 'look for a newer release',
      refused: 'no service announces releases of writ, and nothing is sent to the one for OPA',
    },
  ],
  arguments: [],
  async run({ flags }, io) {
    const equals = capabilitiesVersion.slice(1);
    const lines = [
      ...(flags.on('compatible')
        ? [`Version: ${equals}`, `Writ Version: ${buildInfo.version}`]
        : [`Version: ${buildInfo.version}`]),
      `Build Commit: ${buildInfo.commit}`,
      `Build Timestamp: ${buildInfo.timestamp}`,
      `Build Hostname: ${buildInfo.hostname}`,
      `Node Version: ${process.versions.node}`,
      `Platform: ${process.platform}/${process.arch}`,
      'Rego Version: v1',
      `OPA Version: ${equals}`,
      'WebAssembly: unavailable',
    ];
    io.stdout(`${lines.join('\n')}\n`);
    return exitCodes.ok;
  },
};
