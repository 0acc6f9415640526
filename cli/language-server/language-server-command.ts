import type { Command } from '../command.js';
import { exitCodes, usageError } from '../exit.js';

export const languageServerCommand: Command = {
  name: 'language-server',
  use: '',
  long: `Serves editors by the language server protocol: errors while typing, definitions, references, renaming, completion.

It reads and writes messages on the standard streams, as editors start it, or serves clients of an address.`,
  examples: [
    ['Serve the editor that starts it', 'writ language-server'],
    ['Serve editors that connect to a port of this machine', 'writ language-server --port 7998'],
  ],
  flags: [
    { name: 'port', type: 'string', usage: 'serve clients at an address: PORT, or HOST:PORT' },
    { name: 'stdio', type: 'bool', usage: 'serve on the standard streams, which is the default' },
    { name: 'verbose', short: 'v', type: 'bool', usage: 'write the methods of messages to stderr' },
  ],
  arguments: [],
  async run({ flags, positionals }, io) {
    if (positionals.length > 0) throw usageError('language-server takes no arguments');
    const port = flags.text('port');
    if (port !== undefined && flags.on('stdio')) throw usageError('specify --port or --stdio, not both');
    const { serveAddress, serveStandardStreams } = await import('./serve-language.js');
    const log = flags.on('verbose') ? (text: string) => io.stderr(`${text}\n`) : undefined;
    if (port === undefined) return await serveStandardStreams(io, log);
    await serveAddress(port, io, log);
    return exitCodes.ok;
  },
};
