/** The events of log files: gzip is inflated, `-` is standard input, a folder means its files. */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isGzip } from '../../engine/index.js';
import { systemProblem } from '../../values/node.js';
import { eventsOf, type PlacedEvent } from '../../views/index.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';
import { inUtf8 } from '../sources/text-chunks.js';

/** The events of all logs, in their order. Throws a CommandError for a file that is not there. */
export async function* logEvents(paths: readonly string[], io: Io): AsyncGenerator<readonly PlacedEvent[]> {
  const files = paths.flatMap(filesAt);
  for (const file of files) {
    const chunks = file === '-' ? standardInput(io) : createReadStream(file, { highWaterMark: 1 << 18 });
    yield* eventsOf(file === '-' ? 'stdin' : file, inUtf8(inflated(chunks)));
  }
}

/** Event logs that are rotated stand side by side. */
function filesAt(path: string): readonly string[] {
  if (path === '-') return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .sort()
      .map((name) => join(path, name))
      .filter((file) => statSync(file).isFile());
  } catch (error) {
    throw new CommandError(`error: ${path}: ${systemProblem(error)}`, 2);
  }
}

/** Standard input in parts where the process has them: a pipe may be long. */
async function* standardInput(io: Io): AsyncGenerator<Uint8Array> {
  yield* io.stdinChunks?.() ?? [io.stdin()];
}

/** The bytes, inflated where they begin as gzip does. */
async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first = await iterator.next();
  // Two bytes tell.
  while (first.done !== true && first.value.length < 2) {
    const next = await iterator.next();
    if (next.done === true) break;
    first = { done: false, value: Buffer.concat([first.value, next.value]) };
  }
  if (first.done === true) return;
  const rest = async function* () {
    yield first.value;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  if (!isGzip(first.value)) {
    yield* rest();
    return;
  }
  const gunzip = createGunzip();
  const feeding = feed(rest(), gunzip);
  // Its failure is told by the stream.
  feeding.catch(() => undefined);
  yield* gunzip as AsyncIterable<Uint8Array>;
  await feeding;
}

async function feed(chunks: AsyncIterable<Uint8Array>, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!gunzip.write(chunk)) await Promise.race([drained(gunzip), closed(gunzip)]);
      if (gunzip.destroyed) return;
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
  }
}

function drained(stream: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve));
}

function closed(stream: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}
