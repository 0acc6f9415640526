import { describe, expect, test } from 'vitest';
import { longestQueue, type Schedulable, Schedule, shortMs } from './schedule.js';

interface Job extends Schedulable {
  readonly name: string;
}

const job = (name: string, client = 'a', usedMs = 0): Job => ({ name, client, usedMs });

function scheduleOf(...jobs: readonly Job[]): Schedule<Job> {
  const schedule = new Schedule<Job>();
  for (const one of jobs) schedule.add(one);
  return schedule;
}

describe('a lane takes', () => {
  test('its own kind first', () => {
    const schedule = scheduleOf(job('long', 'a', shortMs), job('short'));
    expect(schedule.take('short')?.name).toBe('short');
    expect(scheduleOf(job('short'), job('long', 'a', shortMs)).take('long')?.name).toBe('long');
  });

  test('the other kind where there is none of its own', () => {
    expect(scheduleOf(job('long', 'a', shortMs)).take('short')?.name).toBe('long');
    expect(scheduleOf(job('short')).take('long')?.name).toBe('short');
  });

  test('clients in turn, however much each asks', () => {
    const schedule = scheduleOf(...Array.from({ length: 50 }, (_, i) => job(`greedy ${i}`, 'greedy')), job('modest', 'modest'));
    const first = schedule.take('short')!;
    schedule.used(first, 100);
    expect(schedule.take('short')?.name).toBe('modest');
  });

  test("of one client's the one that used least", () => {
    expect(scheduleOf(job('more', 'a', 150), job('less', 'a', 100)).take('short')?.name).toBe('less');
  });
});

describe('an evaluation gives way', () => {
  test('after its first turn, where another waits', () => {
    const schedule = scheduleOf(job('waiting'));
    expect(schedule.isToGiveWay(job('running'), 'short', shortMs - 1)).toBe(false);
    expect(schedule.isToGiveWay(job('running'), 'short', shortMs)).toBe(true);
    expect(new Schedule<Job>().isToGiveWay(job('running'), 'short', 10 * shortMs)).toBe(false);
  });

  test('after as long as it had before, each time', () => {
    const schedule = scheduleOf(job('waiting', 'a', shortMs));
    expect(schedule.isToGiveWay(job('running', 'a', 1000), 'long', 999)).toBe(false);
    expect(schedule.isToGiveWay(job('running', 'a', 1000), 'long', 1000)).toBe(true);
  });

  test('sooner where the other is of a client that used less', () => {
    const schedule = scheduleOf(job('waiting', 'modest', shortMs));
    schedule.used(job('before', 'greedy'), 5000);
    expect(schedule.isToGiveWay(job('running', 'greedy', 4000), 'long', 999)).toBe(false);
    expect(schedule.isToGiveWay(job('running', 'greedy', 4000), 'long', 1000)).toBe(true);
  });

  test('at once in a lane of the other kind', () => {
    expect(scheduleOf(job('short')).isToGiveWay(job('long', 'a', 1000), 'short', 0)).toBe(true);
    expect(scheduleOf(job('long', 'a', 1000)).isToGiveWay(job('short'), 'long', 0)).toBe(true);
  });
});

test('where too many wait, the client with most of them loses its newest', () => {
  const schedule = scheduleOf(...Array.from({ length: longestQueue - 1 }, (_, i) => job(`${i}`, 'greedy')), job('modest', 'modest'));
  expect(schedule.add(job('new', 'third'))?.name).toBe(`${longestQueue - 2}`);
  expect(schedule.add(job('one more', 'greedy'))?.name).toBe('one more');
  expect(schedule.size).toBe(longestQueue);
});
