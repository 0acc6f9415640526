/** `regal debug`: the debug adapter, as Regal's flags ask for it. */

import type { Command } from '../command.js';
import { launcher } from '../debug/launch.js';
import { usageError } from '../exit.js';

/** The address of a server that is given none. */
const usualAddress = '127.0.0.1:4712';

export const regalDebugCommand: Command = {
  name: 'debug',
  use: '',
  long: `Serves editors by the debug adapter protocol.

It reads and writes messages on the standard streams, as editors start it, or serves clients of an address.`,
  examples: [
    ['Serve the editor that starts it', 'regal debug'],
    ['Serve editors that connect to a port of this machine', 'regal debug --server --address localhost:4712'],
  ],
  flags: [
    { name: 'server', short: 's', type: 'bool', usage: 'serve clients at an address' },
    { name: 'address', short: 'a', type: 'string', usage: `address to serve clients at (default ${usualAddress})` },
    { name: 'verbose', short: 'v', type: 'bool', usage: 'accepted: an editor shows the messages' },
  ],
  arguments: [],
  async run({ flags, positionals }, io) {
    if (positionals.length > 0) throw usageError('debug takes no arguments');
    const address = flags.text('address') ?? (flags.on('server') ? usualAddress : 'stdio');
    return await (await import('../debug/dap.js')).serveDap(address, launcher(io), io);
  },
};
