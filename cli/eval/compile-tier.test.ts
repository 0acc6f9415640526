import { expect, test } from 'vitest';
import { withoutTurboFan } from './compile-tier.js';

const entered = ['--no-turbofan', '--force-emit-interrupt-budget-checks'];
const left = ['--turbofan', '--no-force-emit-interrupt-budget-checks'];

test('TurboFan is off during a compilation', async () => {
  const flags: string[] = [];
  const setFlag = (flag: string) => void flags.push(flag);
  expect(await withoutTurboFan(async () => [...flags], setFlag, true)).toEqual(entered);
  expect(flags).toEqual([...entered, ...left]);
});

test('TurboFan is on after a compilation with errors', async () => {
  const flags: string[] = [];
  const failing = async () => await Promise.reject(new Error('x'));
  await expect(withoutTurboFan(failing, (flag) => void flags.push(flag), true)).rejects.toThrow('x');
  expect(flags.slice(2)).toEqual(left);
});

test('without Maglev no flag changes', async () => {
  const flags: string[] = [];
  const setFlag = (flag: string) => void flags.push(flag);
  expect(await withoutTurboFan(async () => 1, setFlag, false)).toBe(1);
  expect(flags).toEqual([]);
});
