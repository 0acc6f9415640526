import { statSync } from 'node:fs';
import { filePath } from '../../engine/node.js';
import type { Command } from '../command.js';
import { ignoreFlag } from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { ProjectFolder } from './folder-project.js';
import { servePlayground } from './serve-playground.js';

export const playgroundCommand: Command = {
  name: 'playground',
  use: '[folder]',
  long: `Opens a page to write policies in and to see what they decide, and why. The engine runs in the page: nothing is sent anywhere.

With a folder the page has its policies, its data and its input.json. It follows changes on the disk, and saves what you change by a button or Ctrl+S. Without a folder it begins with examples.

The page is served to this machine alone, until the command is interrupted. Its files are in the package, in dist/playground: any host of static files can serve them.`,
  examples: [
    ['Try policies', 'writ playground'],
    ['Work on the policies of a folder', 'writ playground policies'],
    ['Use the same address each time', 'writ playground --port 8282 policies'],
  ],
  flags: [{ name: 'port', type: 'int', usage: 'the port of the page; 0 takes a free one', default: '0' }, ignoreFlag],
  async run({ flags, positionals: [path, ...others] }, io) {
    if (others.length > 0) throw usageError('specify one folder, or none');
    const port = flags.number('port') ?? 0;
    if (port < 0 || port > 65_535) throw usageError(`--port: ${port} is no port`);
    if (path !== undefined && statSync(filePath(path), { throwIfNoEntry: false })?.isDirectory() !== true)
      throw usageError(`${path} is no folder`);
    const folder = path === undefined ? undefined : new ProjectFolder(filePath(path), flags.all('ignore'));
    // Unreadable files end the command here, and not first in the page.
    await folder?.read();
    const { address, close } = await servePlayground(port, folder);
    io.stdout(`${address}\n`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    close();
    return exitCodes.ok;
  },
};
