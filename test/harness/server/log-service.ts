/**
 * A log service in a process of its own, to be killed: `node log-service.ts PORT FILE`. It
 * appends `input.n` of each event to the file, before it answers.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

const [port = '', file = ''] = process.argv.slice(2);

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const events = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as { input: { n: number } }[];
    // One write, so that a chunk is stored as a whole or not at all.
    appendFileSync(file, events.map(({ input }) => `${input.n}\n`).join(''));
    response.end('{}');
  });
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
