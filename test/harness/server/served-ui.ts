/** A server with its page, for tests of both. */
import { parseArguments } from '../../../cli/args.js';
import type { Io } from '../../../cli/io.js';
import { serverFlags } from '../../../cli/server/server-flags.js';
import { startServer } from '../../../cli/server/start-server.js';
import { withFiles } from '../command.js';

export interface ServedUi {
  /** The URL of the API. */
  readonly api: string;
  /** The URL of the page. */
  readonly ui: string;
  readonly lines: readonly string[];
  decide(path: string, input: unknown, token?: string): Promise<Record<string, unknown>>;
  ask(path: string, init?: RequestInit): Promise<Response>;
  json<T>(path: string): Promise<T>;
}

/** Serves files with the page, and stops when `use` is done. */
export async function withServedUi(
  files: Record<string, string>,
  flags: readonly string[],
  use: (served: ServedUi) => Promise<void>,
): Promise<void> {
  await withFiles(files, async (directory) => {
    const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };
    const lines: string[] = [];
    const args = parseArguments('run', serverFlags, ['--ui=127.0.0.1:0', ...flags, directory], { OPA_RUN_ADDR: '127.0.0.1:0' });
    const running = await startServer(args, io, { write: (text) => void lines.push(text) });
    const [api, ui] = running.urls as [string, string];
    const ask = async (path: string, init?: RequestInit) => await fetch(`${ui}${path}`, init);
    const decide = async (path: string, input: unknown, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await fetch(`${api}/v1/data/${path}`, { method: 'POST', headers, body: JSON.stringify({ input }) });
      return (await answer.json()) as Record<string, unknown>;
    };
    try {
      await use({ api, ui, lines, decide, ask, json: async <T>(path: string) => (await (await ask(path)).json()) as T });
    } finally {
      await running.stop(100);
    }
  });
}
