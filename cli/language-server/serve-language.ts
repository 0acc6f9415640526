/** `writ language-server`: on the streams of the process, or at an address. */

import { createServer, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { buildInfo } from '../../engine/index.js';
import { nodeHost } from '../../values/node.js';
import { LanguageServer, type Message, RpcConnection, type Send } from '../../views/index.js';
import { FramingError, framed, MessageReader } from '../dap/protocol/framing.js';
import { isLoopback, listenForClients } from '../dap/serve.js';
import { givenAddress } from '../debug/dap.js';
import { exitCodes } from '../exit.js';
import type { Io } from '../io.js';
import { nodeFiles } from './node-host.js';

type Log = ((text: string) => void) | undefined;

/** Serves the editor that started this process; answers the exit code. */
export async function serveStandardStreams(io: Io, log: Log): Promise<number> {
  const isClean = await serveStreams(process.stdin, process.stdout, io, log);
  return isClean ? exitCodes.ok : exitCodes.failure;
}

/** Serves every client that connects, until a signal comes. */
export async function serveAddress(address: string, io: Io, log: Log): Promise<void> {
  const { host, port } = givenAddress(address);
  const server = createServer((socket: Socket) => {
    socket.setNoDelay(true);
    void serveStreams(socket, socket, io, log).then(() => socket.end());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const bound = server.address();
  if (!isLoopback(host)) io.stderr(`warning: whoever reaches ${host} can read policies and run them as this user\n`);
  io.stderr(`Language server at ${host}:${bound !== null && typeof bound === 'object' ? bound.port : port}\n`);
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => new Promise((resolve) => process.once(signal, resolve))));
  server.close();
}

/** Serves one client. Whether it shut the server down before it left. */
function serveStreams(input: Readable, output: Writable, io: Io, log: Log): Promise<boolean> {
  return new Promise((resolve) => {
    const reader = new MessageReader();
    const send: Send = (message) => {
      log?.(`→ ${message.method ?? `answer ${message.id}`}`);
      output.write(framed(message));
    };
    const connection = new RpcConnection(
      send,
      (self) =>
        new LanguageServer(
          {
            files: nodeFiles,
            version: buildInfo.version,
            builtins: nodeHost,
            debugPort: listenForDebuggers(io),
            exit: (isClean) => resolve(isClean),
          },
          self,
        ),
    );
    const receive = (text: string): void => {
      let message: Message;
      try {
        message = JSON.parse(text) as Message;
      } catch {
        return send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'a message must be JSON' } });
      }
      log?.(`← ${message.method ?? `answer ${message.id}`}`);
      connection.receive(message);
    };
    input.on('data', (chunk: Buffer) => {
      try {
        for (const text of reader.read(chunk)) receive(text);
      } catch (error) {
        if (!(error instanceof FramingError)) throw error;
        log?.(error.message);
        resolve(false);
      }
    });
    input.on('error', () => resolve(false));
    input.on('end', () => resolve(false));
    output.on('error', () => resolve(false));
  });
}

/** Starts a debug adapter at a free port of this machine, once it is asked for. */
function listenForDebuggers(io: Io): () => Promise<number> {
  let port: Promise<number> | undefined;
  const listen = async (): Promise<number> => {
    const { launcher } = await import('../debug/launch.js');
    const address = { host: '127.0.0.1', port: 0 };
    const listener = await listenForClients(address, { launch: launcher(io) }, () => undefined);
    return listener.address.port;
  };
  return () => (port ??= listen());
}
