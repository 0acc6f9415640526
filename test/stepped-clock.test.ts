/** Decisions while the clock steps: by NTP, by a suspension, by a move to another host. */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Engine } from '../library/index.js';

const policy = `package p

now := time.now_ns()

allow if io.jwt.decode_verify(input.token, {"secret": "secret"})[0]

claims := io.jwt.decode_verify(input.token, {"secret": "secret", "time": time.now_ns()})[0]

fresh if time.now_ns() < input.until
`;

const hour = 3_600_000;
const start = 1_700_000_000_000;

function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', 'secret').update(signed).digest('base64url')}`;
}

const expires = token({ exp: start / 1000 + 60 });
const begins = token({ nbf: start / 1000 + 1800 });

/** The clock steps alone: `performance.now()` counts on from the start of the process. */
function setClock(milliseconds: number): void {
  vi.spyOn(Date, 'now').mockReturnValue(milliseconds);
}

afterEach(() => vi.restoreAllMocks());

type Decide = (path: string, input: unknown) => Promise<unknown>;

const ways: readonly (readonly [string, (engine: Engine) => Decide])[] = [
  ['decide', (engine) => async (path, input) => engine.decide(path, input).result],
  [
    'decide that is warm',
    (engine) => async (path, input) => {
      for (let i = 0; i < 200; i++) engine.decide(path, input);
      return engine.decide(path, input).result;
    },
  ],
  ['decideText', (engine) => async (path, input) => JSON.parse(engine.decideText(path, JSON.stringify(input))).result],
  ['decideAsync', (engine) => async (path, input) => (await engine.decideAsync(path, input)).result],
  ['a prepared decision', (engine) => async (path, input) => (await engine.prepare(path)).decide(input).result],
  ['decideMany', (engine) => async (path, input) => (await engine.decideMany(path, [input]))[0]?.result],
  ['explain', (engine) => async (path, input) => (await engine.explain(path, input)).result],
];

describe.each(ways)('%s', (_title, way) => {
  test('refuses a token that the clock says is expired, and takes one that it says is valid', async () => {
    setClock(start);
    const engine = await Engine.open({ policies: { 'p.rego': policy } });
    const decide = way(engine);
    const answers = async () => [
      (await decide('p/allow', { token: expires })) ?? false,
      (await decide('p/claims', { token: expires })) ?? false,
      (await decide('p/fresh', { until: (start + hour / 2) * 1e6 })) ?? false,
      (await decide('p/allow', { token: begins })) ?? false,
    ];
    expect(await answers()).toEqual([true, true, true, false]);
    setClock(start + hour);
    expect(await answers()).toEqual([false, false, false, true]);
    setClock(start - hour);
    expect(await answers()).toEqual([true, true, true, false]);
  });

  test('reads the clock of the machine', async () => {
    const engine = await Engine.open({ policies: { 'p.rego': policy } });
    const decide = way(engine);
    for (const step of [0, hour, -2 * hour, 24 * hour]) {
      setClock(start + step);
      expect(Math.floor(Number(await decide('p/now', {})) / 1e6)).toBe(start + step);
    }
  });
});
