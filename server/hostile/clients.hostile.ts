/**
 * Clients that want to stop a server, over real sockets against the built command: whatever they
 * send, it lives, answers others in time, and gives its memory back. It measures latencies, so it
 * runs alone: `npm run hostile`, which is a step of `.ci/run` too, with wider bounds and fewer
 * combinations there. `WRIT_HOSTILE='query: ,policy: '` takes the attacks whose names begin so,
 * `WRIT_HEAP=512` one size of the heap, `WRIT_VERBOSE=1` tells of each.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory, writeFiles } from '../../runtime/bundle/disk/disk-testing.js';
import { quietServerProcess, type ServerProcess } from '../testing/process-testing.js';
import { type Attack, attacks, type Outcome, policies } from './attacks-testing.js';
import { alone, atOnce, type Bounds, deadlineMs, isContinuousIntegration, memoryGrowth, together } from './bounds-testing.js';
import { Probe } from './probe-testing.js';

const { WRIT_HOSTILE, WRIT_HEAP, WRIT_TRIES, WRIT_VERBOSE } = process.env;
const beginsWith = (starts: readonly string[]) => (attack: Attack) => starts.some((start) => attack.name.startsWith(start));
const chosen = attacks().filter(WRIT_HOSTILE === undefined ? () => true : beginsWith(WRIT_HOSTILE.split(',')));
const heaps = [512, 2048].filter((heap) => WRIT_HEAP === undefined || Number(WRIT_HEAP) === heap);

/** The machine may be busy for a moment: an attack is at fault where it is so each time. */
const tries = Number(WRIT_TRIES ?? 3);

async function start(heap: number, authorization: string): Promise<ServerProcess> {
  const directory = temporaryDirectory();
  const config = { server: { decision_timeout_seconds: deadlineMs / 1000 } };
  writeFiles(directory, { ...policies, 'config.json': JSON.stringify(config) });
  const files = Object.keys(policies).map((name) => join(directory, name));
  const args = ['-c', join(directory, 'config.json'), `--authorization=${authorization}`, '--log-level=error', ...files];
  return await quietServerProcess(args, { NODE_OPTIONS: `--max-old-space-size=${heap}` });
}

/** Bytes that a process has in memory. */
function residentOf({ pid }: ServerProcess): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}

/** A server under attack, and a client beside. */
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
   * What is wrong with how attacks that are sent at once end, and with what others see of it, each
   * time that they are tried.
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

/** What is wrong with the memory that a server keeps once it has nothing more to do. */
async function memoryFaults(server: ServerProcess, before: number): Promise<readonly string[]> {
  // What was stored is kept by right.
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

describe.each(heaps)('with %s MB of heap', (heap) => {
  describe.each(['off', 'basic'])('and authorization %s', (authorization) => {
    // All of them one after the other take a minute and more, and differ little by where they go.
    const isChosen = heap === 512 ? authorization === 'off' : authorization === 'basic' && !isContinuousIntegration;
    const takesEach = WRIT_HOSTILE !== undefined || isChosen;

    test(`${takesEach ? 'one after the other, and many at once,' : 'many at once'} leave a server that answers`, async () => {
      const server = await start(heap, authorization);
      for (let i = 0; i < 200; i++) expect(await server.decide('p/allow', { user: 'ann' })).toBe(true);
      const before = residentOf(server);
      const siege = new Siege(server);
      const faults: string[] = [];
      if (takesEach) {
        for (const one of chosen) {
          if (!server.isAlive()) break;
          faults.push(...(await siege.faultsOf([one], alone)));
        }
      }
      for (let i = 0; i < chosen.length && server.isAlive(); i += atOnce)
        faults.push(...(await siege.faultsOf(chosen.slice(i, i + atOnce), together)));
      await siege.end();
      if (server.isAlive()) faults.push(...(await memoryFaults(server, before)));
      expect(faults).toEqual([]);
    }, 900_000);
  });
});
