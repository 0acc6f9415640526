import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConsoleSink } from './console-sink.js';

/** A pipe that accepts a number of bytes until it is read. */
class Pipe {
  readonly #room: number;
  #held = 0;
  text = '';

  constructor(room: number) {
    this.#room = room;
  }

  readonly write = (bytes: Uint8Array, from: number): number => {
    const count = Math.min(this.#room - this.#held, bytes.length - from);
    if (count === 0) throw Object.assign(new Error('try again'), { code: 'EAGAIN' });
    this.#held += count;
    this.text += Buffer.from(bytes.subarray(from, from + count)).toString('latin1');
    return count;
  };

  read(): void {
    this.#held = 0;
  }
}

function linesOf(pipe: Pipe): string[] {
  return Buffer.from(pipe.text, 'latin1').toString().split('\n').slice(0, -1);
}

describe('lines that answers wait for', () => {
  const isDone = async (promise: Promise<void> | undefined) =>
    await Promise.race([promise?.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 1000))]);

  test('are written when the wait ends, with all of their turn', async () => {
    const pipe = new Pipe(1000);
    const sink = new ConsoleSink(pipe.write);
    sink.write('plain\n');
    expect(sink.awaited()).toBeUndefined();
    sink.write('shown\n', true);
    const [first, second] = [sink.awaited(), sink.awaited()];
    sink.write('later\n');
    await first;
    expect(linesOf(pipe)).toEqual(['plain', 'shown', 'later']);
    expect(await isDone(second)).toBe(true);
    expect(sink.awaited()).toBeUndefined();
  });

  test('are not waited for where the reader pauses', async () => {
    const pipe = new Pipe(5);
    const sink = new ConsoleSink(pipe.write);
    sink.write('longer than the room\n', true);
    expect(await isDone(sink.awaited())).toBe(true);
    sink.write('next\n', true);
    expect(sink.awaited()).toBeUndefined();
  });
});

describe('a reader that pauses', () => {
  test('finds every line afterwards, in order', async () => {
    const pipe = new Pipe(1000);
    const sink = new ConsoleSink(pipe.write);
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i} é`);
    for (const line of lines) expect(sink.write(`${line}\n`)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(pipe.text.length).toBe(1000);
    while (linesOf(pipe).length < lines.length) {
      pipe.read();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(linesOf(pipe)).toEqual(lines);
  });

  test('loses lines only beyond the bound, and they are told', () => {
    const pipe = new Pipe(10);
    const sink = new ConsoleSink(pipe.write, 100);
    const taken = Array.from({ length: 30 }, (_, i) => `${String(i).padStart(9, '0')}\n`).filter((line) => sink.write(line));
    expect(taken.length).toBe(10);
    for (let i = 0; i < 20; i++) {
      sink.flush();
      pipe.read();
    }
    expect(pipe.text).toBe(taken.join(''));
    expect(sink.write('again\n')).toBe(true);
  });
});

test('what is taken is written once and in order, however the reader reads', () => {
  const step = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant('read' as const), fc.constant('flush' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 300 }), (steps, room) => {
      const pipe = new Pipe(room);
      const sink = new ConsoleSink(pipe.write, 2000);
      let taken = '';
      steps.forEach((one, i) => {
        if (one === 'read') pipe.read();
        else if (one === 'flush') sink.flush();
        else {
          const line = `${String.fromCharCode(65 + (i % 26)).repeat(one)}\n`;
          if (sink.write(line)) taken += line;
        }
      });
      for (let i = 0; !sink.flush() && i < 10_000; i++) pipe.read();
      expect(pipe.text).toBe(taken);
    }),
  );
});

test('a reader that has gone ends nothing', () => {
  const sink = new ConsoleSink(() => {
    throw Object.assign(new Error('broken pipe'), { code: 'EPIPE' });
  });
  expect(sink.write('x\n')).toBe(true);
  expect(sink.flush()).toBe(true);
  expect(sink.write('y\n')).toBe(false);
});
