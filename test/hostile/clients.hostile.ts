/**
 * Hostile clients, over real sockets against the built command: the server survives, answers others
 * in time, and gives its memory back. The test measures latencies, so it runs alone, by `npm run
 * hostile`; `.ci/run` runs it with wider bounds and fewer combinations. `WRIT_HOSTILE='query:
 * ,policy: '` selects attacks by the beginnings of their names, `WRIT_HEAP=512` a size of the heap,
 * and `WRIT_VERBOSE=1` reports each attack.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory, writeFiles } from '../harness/disk.js';
import { quietServerProcess, type ServerProcess } from '../harness/server/process.js';
import { tellTestsApart } from '../harness/set-up/concurrent-tests.js';
import { type Attack, attacks, type Outcome, policies } from './attacks.js';
import { alone, atOnce, type Bounds, deadlineMs, isContinuousIntegration, memoryGrowth, together } from './bounds.js';
import { Probe } from './probe.js';

tellTestsApart();

const { WRIT_HOSTILE, WRIT_HEAP, WRIT_TRIES, WRIT_VERBOSE } = process.env;
const beginsWith = (starts: readonly string[]) => (attack: Attack) => starts.some((start) => attack.name.startsWith(start));
const chosen = attacks().filter(WRIT_HOSTILE === undefined ? () => true : beginsWith(WRIT_HOSTILE.split(',')));
const heaps = [512, 2048].filter((heap) => WRIT_HEAP === undefined || Number(WRIT_HEAP) === heap);

/** An attack fails the test if it fails each time: the machine may be busy for a moment. */
const tries = Number(WRIT_TRIES ?? 3);

interface Started {
  readonly server: ServerProcess;
  /** The bytes of memory that it has after some decisions. */
  readonly before: number;
}

async function start(heap: number, authorization: string, timeMs = deadlineMs): Promise<Started> {
  const directory = temporaryDirectory();
  const config = { server: { decision_timeout_seconds: timeMs / 1000 } };
  writeFiles(directory, { ...policies, 'config.json': JSON.stringify(config) });
  const files = Object.keys(policies).map((name) => join(directory, name));
  const args = ['-c', join(directory, 'config.json'), `--authorization=${authorization}`, '--log-level=error', ...files];
  const server = await quietServerProcess(args, { NODE_OPTIONS: `--max-old-space-size=${heap}` });
  for (let i = 0; i < 200; i++) expect(await server.decide('p/allow', { user: 'ann' })).toBe(true);
  return { server, before: residentOf(server) };
}

/** The physical memory of a process in bytes; NaN if it has just ended. */
function residentOf({ pid }: ServerProcess): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** A server under attack, and a harmless client. */
class Siege {
  readonly #server: ServerProcess;
  readonly #probe: Probe;

  constructor(server: ServerProcess) {
    this.#server = server;
    this.#probe = new Probe(server);
  }

  end(): Promise<void> {
    return this.#probe.end();
  }

  /**
   * The faults of attacks that are sent at once, and of the answers that others get meanwhile, in
   * each of several tries.
   */
  async faultsOf(all: readonly Attack[], bounds: Bounds): Promise<readonly string[]> {
    let faults: string[] = [];
    for (let i = 0; i < tries; i++) {
      faults = await this.#try(all, bounds);
      if (faults.length === 0 || !this.#server.isAlive()) break;
    }
    return faults.map((fault) => `${all.length === 1 ? all[0]!.name : `${all.length} at once from ${all[0]!.name}`}: ${fault}`);
  }

  async #try(all: readonly Attack[], { waitMs, endMs }: Bounds): Promise<string[]> {
    const server = this.#server;
    await this.#probe.seen();
    const outcomes = await Promise.all(all.map((attack) => withinReason(attack.send(server.url))));
    const { worst, failed } = await this.#probe.seen();
    const faults: string[] = [];
    if (!server.isAlive()) faults.push(`the process ended: ${server.log.slice(-5).join(' ')}`);
    if (worst > waitMs) faults.push(`others waited ${Math.round(worst)} ms`);
    if (failed !== '') faults.push(`others were answered ${failed}`);
    for (const [i, { status, ms }] of outcomes.entries()) {
      if (ms > endMs) faults.push(`${all[i]!.name} took ${Math.round(ms)} ms`);
      if (WRIT_VERBOSE !== undefined) note(`${all[i]!.name}: ${status} ${Math.round(ms)} ms, others ${Math.round(worst)} ms`, server);
    }
    return faults;
  }
}

function note(text: string, server: ServerProcess): void {
  writeSync(2, `${text}, ${server.isAlive() ? Math.round(residentOf(server) / 1e6) : 'no'} MB\n`);
}

function withinReason(outcome: Promise<Outcome>): Promise<Outcome> {
  const tooLong = new Promise<Outcome>((resolve) => setTimeout(() => resolve({ status: 'no end', ms: 60_000 }), 60_000).unref());
  return Promise.race([outcome, tooLong]);
}

/** The end of the siege before: one server at a time is under attack. */
let lastSiege: Promise<unknown> = Promise.resolve();

/** Calls a function once all sieges before have ended. */
function oneByOne<T>(siege: () => Promise<T>): Promise<T> {
  const result = lastSiege.then(siege);
  lastSiege = result.catch(() => {});
  return result;
}

/** The faults of the memory that an idle server keeps. */
async function memoryFaults(server: ServerProcess, before: number): Promise<readonly string[]> {
  // The server has to keep stored documents.
  await server.ask('DELETE', '/v1/data/attack');
  await server.ask('DELETE', '/v1/policies/attack');
  const until = performance.now() + 60_000;
  while (residentOf(server) > memoryGrowth * before && performance.now() < until) {
    await server.decide('p/allow', { user: 'ann' });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const after = residentOf(server);
  if (WRIT_VERBOSE !== undefined) {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    note(`${Math.round(before / 1e6)} MB before; ${metrics.match(/^nodejs_\w+_bytes .*$/gm)?.join(', ')}`, server);
  }
  return after <= memoryGrowth * before ? [] : [`it keeps ${Math.round(after / 1e6)} MB, and had ${Math.round(before / 1e6)} MB before`];
}

// The next server is under attack while one that is idle gives its memory back.
describe.concurrent.each(heaps)('with %s MB of heap', (heap) => {
  describe.each(['off', 'basic'])('and authorization %s', (authorization) => {
    // All together take more than a minute, and differ little by path.
    const isChosen = heap === 512 ? authorization === 'off' : authorization === 'basic' && !isContinuousIntegration;
    const takesEach = WRIT_HOSTILE !== undefined || isChosen;

    test(`${takesEach ? 'one after the other, and many at once,' : 'many at once'} leave a server that answers`, async () => {
      const faults: string[] = [];
      const { server, before } = await oneByOne(async () => {
        const started = await start(heap, authorization);
        const siege = new Siege(started.server);
        if (takesEach) {
          for (const one of chosen) {
            if (!started.server.isAlive()) break;
            faults.push(...(await siege.faultsOf([one], alone)));
          }
        }
        for (let i = 0; i < chosen.length && started.server.isAlive(); i += atOnce)
          faults.push(...(await siege.faultsOf(chosen.slice(i, i + atOnce), together)));
        await siege.end();
        return started;
      });
      if (server.isAlive()) faults.push(...(await memoryFaults(server, before)));
      expect(faults).toEqual([]);
    }, 900_000);
  });
});

/** Long enough for a million members. */
const patientMs = 30_000;

// The deadline above ends these before they are read, and what follows their reading is not seen.
test('bodies of many members are read to the end while others are answered', async () => {
  const many = chosen.filter(beginsWith(['keys: a']));
  if (many.length === 0) return;
  const { server } = await start(2048, 'off', patientMs);
  const siege = new Siege(server);
  const faults: string[] = [];
  for (const one of many) faults.push(...(await siege.faultsOf([one], { ...alone, endMs: patientMs })));
  await siege.end();
  expect(faults).toEqual([]);
}, 900_000);
