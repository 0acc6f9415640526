import { describe, expect, test } from 'vitest';
import { toJson } from '../../../values/json/json.js';
import { eventsOf, type PlacedEvent } from './read-events.js';

const event = (id: string) => ({ decision_id: id, path: 'authz/allow', input: { id } });

async function read(text: string | Uint8Array, chunk = 7, longest = 1000): Promise<PlacedEvent[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  };
  const found: PlacedEvent[] = [];
  for await (const batch of eventsOf('log', chunks(), longest)) found.push(...batch);
  return found;
}

/** `id@line` of events, `problem@line` of others. */
async function shown(text: string | Uint8Array, chunk?: number, longest?: number): Promise<string[]> {
  return (await read(text, chunk, longest)).map(
    ({ event, problem, line }) => `${event === undefined ? problem.problem : event.id}@${line}`,
  );
}

describe('the events of a log', () => {
  const three = [event('a'), event('b'), event('c')];

  test.each([
    ['lines', three.map((one) => JSON.stringify(one)).join('\n'), ['a@1', 'b@2', 'c@3']],
    ['lines of Windows', `${three.map((one) => JSON.stringify(one)).join('\r\n\r\n')}\r\n`, ['a@1', 'b@3', 'c@5']],
    ['an array on one line', JSON.stringify(three), ['a@1', 'b@1', 'c@1']],
    ['an array over lines', JSON.stringify(three, null, 1), ['a@2', 'b@9', 'c@16']],
    ['several arrays', `[${JSON.stringify(three[0])}]\n[${JSON.stringify(three[1])}]`, ['a@1', 'b@2']],
    ['an object over lines', JSON.stringify(three[0], null, 2), ['a@1']],
    ['objects over lines', `${JSON.stringify(three[0], null, 2)}\n${JSON.stringify(three[1], null, 2)}`, ['a@1', 'b@8']],
    ['lines of arrays behind one of an object', `${JSON.stringify(three[0])}\n${JSON.stringify(three.slice(1))}`, ['a@1', 'b@2', 'c@2']],
    ['a mark of UTF-8', `\ufeff${JSON.stringify(three)}`, ['a@1', 'b@1', 'c@1']],
    ['nothing', '', []],
    ['blank lines', '\n \n', []],
    ['an empty array', '[]', []],
  ])('are read from %s, in parts of any size', async (_, text, expected) => {
    for (const size of [1, 2, 7, 10_000]) expect(await shown(text, size)).toEqual(expected);
  });

  test('keep brackets, quotes and escapes in texts', async () => {
    const odd = { path: 'p', decision_id: 'a', input: ['}]"\\', '[{', '\\"'] };
    const [first] = await read(JSON.stringify([odd, event('b')]));
    expect(first?.event?.input).toEqual(odd.input);
  });

  test.each([
    ['no JSON', '{"path":', 'it is no JSON: unexpected end of JSON input@1'],
    ['a text', '"path"', 'it is no object@1'],
    ['a number', '12', 'it is no object@1'],
    ['a path of another type', '{"path":3}', 'its path is no text@1'],
    ['no question', '{"input":1}', 'it has neither the path of a decision nor a query@1'],
    ['keys of prototypes', '{"__proto__":{"path":"p"},"constructor":{"path":"p"}}', 'it has neither the path of a decision nor a query@1'],
    ['pointers of another type', '{"path":"p","erased":[1]}', 'its erased or masked is no list of JSON pointers@1'],
    ['a cache of another type', '{"path":"p","nd_builtin_cache":{"f":1}}', 'its nd_builtin_cache is no object of objects@1'],
    ['a time that is none', '{"path":"p","timestamp":"yesterday"}', 'its timestamp is no time@1'],
    ['a line of another log', '{"level":"info","msg":"Server started.","path":"x"}', 'it is a line of another log@1'],
    ['too many bytes', `{"path":"${'x'.repeat(2000)}"}`, 'it has more than 1000 bytes@1'],
  ])('%s is told with its line, and the next event is read', async (_, bad, problem) => {
    expect(await shown(`${bad}\n${JSON.stringify(event('a'))}\n`)).toEqual([problem, 'a@2']);
  });

  test('a text that is no UTF-8 is told', async () => {
    const good = new TextEncoder().encode(`\n${JSON.stringify(event('a'))}`);
    expect(await shown(new Uint8Array([0x7b, 0xff, 0x7d, ...good]))).toEqual(['it is no UTF-8@1', 'a@2']);
  });

  test('an element of an array that is too long is passed over', async () => {
    const long = { path: 'x'.repeat(2000) };
    expect(await shown(JSON.stringify([long, event('a')], null, 1))).toEqual(['it has more than 1000 bytes@2', 'a@5']);
  });

  test('a stream that fails ends with a problem', async () => {
    const failing = async function* () {
      yield new TextEncoder().encode(`${JSON.stringify(event('a'))}\n`);
      throw new Error('unexpected end of file');
    };
    const found: PlacedEvent[] = [];
    for await (const batch of eventsOf('log', failing())) found.push(...batch);
    expect(found.map(({ problem }) => problem?.problem)).toEqual([undefined, 'it cannot be read further: unexpected end of file']);
  });

  test('have all digits of times and numbers', async () => {
    const text = '{"path":"p","timestamp":"2026-11-28T10:00:00.123456789+01:00","input":{"n":12345678901234567890}}';
    const [first] = await read(text);
    expect(first?.event?.timeNs).toBe(1795856400123456789n);
    expect(toJson(first!.event!.input!)).toBe('{"n":12345678901234567890}');
  });
});
