import { expect, test } from 'vitest';
import { Engine } from '../../../library/index.js';
import { Choices } from '../../../test/generators/choices.js';
import { lint } from '../index.js';

/** More of them: `WRIT_RUNS=10000`. */
const runs = Number(process.env.WRIT_RUNS ?? 60);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

const constants = ['"a"', '"ab"', '"A"', '1', '2', '3', 'true', 'false', 'null'];
const values = [undefined, 'a', 'ab', 'A', 'b', 1, 2, 3, 4, 2.5, true, false, null, ['a'], {}];

function atom(choices: Choices): string {
  const term = choices.one(['input.x', 'input.y', 'lower(input.x)', 'count(input.y)', 'x', 'input.x.z']);
  const constant = choices.one(constants);
  return choices.one([
    `${term} ${choices.one(['==', '!=', '<', '<=', '>', '>='])} ${constant}`,
    `${term} ${choices.one(['==', '!=', '<', '<=', '>', '>='])} ${constant}`,
    `not ${term} == ${constant}`,
    `not ${term} > ${constant}`,
    `not ${term}`,
    term,
    `${term} in ["a", ${constant}]`,
    `startswith(${term}, ${choices.one(['"a"', '"ab"', '"A"'])})`,
    `endswith(${term}, ${choices.one(['"a"', '"b"'])})`,
    `is_${choices.one(['string', 'number', 'boolean', 'null'])}(${term})`,
  ]);
}

/** A body of several lines, which may name a value. */
function body(choices: Choices): string {
  const lines = Array.from({ length: 1 + choices.below(3) }, () => atom(choices));
  const needsName = lines.some((line) => /\bx\b(?!\.)/.test(line.replace(/input\.x/g, '')));
  return [...(needsName ? ['x := input.x'] : []), ...lines].map((line) => `\t${line}\n`).join('');
}

function policyOf(choices: Choices): string {
  const rule = (value: string): string => `q := ${value} if {\n${body(choices)}}`;
  const parts = [`${rule('1')} else := 2 if {\n${body(choices)}}`];
  if (choices.below(3) === 0) parts.push(rule('3'));
  if (choices.below(4) === 0) parts.push('default q := 4');
  return `package p\n\n${parts.join('\n\n')}\n`;
}

/** The result of the rule for each input; the code of an error. */
async function results(text: string): Promise<readonly unknown[] | undefined> {
  const engine = await Engine.open({ policies: { 'p.rego': text } }).catch(() => undefined);
  if (engine === undefined) return undefined;
  await using opened = engine;
  return values.flatMap((x) =>
    values.map((y) => {
      try {
        return opened.decide('p/q', { ...(x !== undefined && { x }), ...(y !== undefined && { y }) } as never).result;
      } catch (error) {
        return (error as { code?: string }).code;
      }
    }),
  );
}

async function resultFor(text: string, input: object): Promise<unknown> {
  await using engine = await Engine.open({ policies: { 'p.rego': text } });
  try {
    return engine.decide('p/q', input as never).result;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

/** The text with another line in the place of one. */
function changed(text: string, row: number, by: string): string {
  return text
    .split('\n')
    .map((line, i) => (i === row - 1 ? by : line))
    .join('\n');
}

/** Asks only whether the value of a condition is defined. */
function definedTerm(text: string, row: number): string {
  const line = text.split('\n')[row - 1]!;
  const term = /^\t(?:not )?(?:is_\w+\(|startswith\(|endswith\()?((?:lower|count)\(input\.\w\)|input\.\w(?:\.z)?|x)/.exec(line)![1]!;
  return `\t[${term}]`;
}

test('what is said of conditions and branches of random policies is true', async () => {
  const told = new Map<string, number>();
  for (let seed = start; seed < start + runs; seed++) {
    const text = policyOf(new Choices(seed));
    const wanted = await results(text);
    if (wanted === undefined) continue;
    const { findings } = await lint([{ file: 'p.rego', text }], { flags: { disableAll: true, enableCategory: ['writ'] } });
    for (const { rule, row, description } of findings) {
      told.set(rule, (told.get(rule) ?? 0) + 1);
      const at = `seed ${seed}: ${rule} ${description}\n${text}`;
      if (rule === 'impossible-condition') expect(await results(changed(text, row, '\tfalse')), at).toEqual(wanted);
      else if (rule === 'redundant-condition') expect(await results(changed(text, row, definedTerm(text, row))), at).toEqual(wanted);
      else if (rule === 'unreachable-else') expect(await results(text.replace('else := 2', 'else := 5')), at).toEqual(wanted);
      else if (rule === 'unreachable-default' || rule === 'redundant-default')
        expect(await results(text.replace('default q := 4', '')), at).toEqual(wanted);
      else if (rule === 'conflicting-rules') {
        const input = /for the input (.*): the evaluation/.exec(description)![1]!;
        expect(await resultFor(text, JSON.parse(input)), at).toBe('eval_conflict_error');
      }
    }
  }
  expect([...told.keys()]).toEqual(expect.arrayContaining(['impossible-condition', 'redundant-condition']));
}, 600_000);
