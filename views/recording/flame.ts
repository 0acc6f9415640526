/** Profiles for viewers of flame graphs: calls by the way to them, statements innermost. */

import { buildInfo } from '../../engine/index.js';
import { type AddressedStatement, type Policy, StatementText } from '../../ir-schema/index.js';
import type { ObservedPolicy } from './observed-run.js';
import type { CallNode, StatementProfile } from './statement-profile.js';

/** The profile of an entrypoint. */
export interface FlameSource {
  readonly policy: ObservedPolicy;
  readonly entrypoint: string;
  readonly profile: StatementProfile;
}

interface Frame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

/** A call or a statement in the order of the graph, with the frames around it. */
interface FlameEntry {
  readonly frame: Frame;
  /** The index of the entry around it; -1 for a plan. */
  readonly parent: number;
  /** Milliseconds without the entries inside. */
  readonly self: number;
  readonly count: number;
}

/** The entries of a profile, callers before what they call. */
function entriesOf({ policy: { policy }, profile }: FlameSource): readonly FlameEntry[] {
  const frameOf = frames(policy);
  const entries: FlameEntry[] = [];
  const waiting: { readonly node: CallNode; readonly parent: number }[] = profile.roots
    .toReversed()
    .map((node) => ({ node, parent: -1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, parent } = next;
    const statements = [...node.statements];
    const told = statements.reduce((sum, [, time]) => sum + time, 0);
    const frame = { name: node.owner.name, ...frameOf.place(node.owner.body.blocks?.[0]?.stmts[0]) };
    const at = entries.push({ frame, parent, self: Math.max(0, node.time - told), count: node.count }) - 1;
    const places = new Map<AddressedStatement | undefined, number>();
    for (const [statement, time] of statements) {
      const { address, stmt } = statement;
      const count = profile.counts.get(statement)?.count ?? 0;
      const inner = { name: `${address} ${frameOf.text(stmt)}`, ...frameOf.place(stmt) };
      places.set(statement, entries.push({ frame: inner, parent: at, self: time, count }) - 1);
    }
    for (const inner of node.calls.toReversed()) waiting.push({ node: inner, parent: places.get(inner.caller) ?? at });
  }
  return entries;
}

function frames(policy: Policy) {
  const text = new StatementText(policy);
  const files = (policy.static?.files ?? []).map(({ value }) => value);
  return {
    text: (stmt: Parameters<StatementText['statement']>[0]) => text.statement(stmt),
    place(stmt: Parameters<StatementText['statement']>[0] | undefined): { file?: string; line?: number } {
      if (stmt === undefined || stmt.stmt.row === 0) return {};
      const file = files[stmt.stmt.file];
      return file === undefined || file === '' ? {} : { file, line: stmt.stmt.row };
    },
  };
}

/** Frames of a stack; deeper calls are told as the one at this depth. */
const deepest = 500;

/** For https://www.speedscope.app: a profile for each entrypoint. */
export function speedscope(sources: readonly FlameSource[], name: string): object {
  const frameIndexes = new Map<string, number>();
  const shared: Frame[] = [];
  const indexOf = (frame: Frame): number => {
    const key = JSON.stringify(frame);
    let index = frameIndexes.get(key);
    if (index === undefined) frameIndexes.set(key, (index = shared.push(frame) - 1));
    return index;
  };
  const profiles = sources.map((source) => {
    const entries = entriesOf(source);
    const stacks: (readonly number[])[] = [];
    const samples: (readonly number[])[] = [];
    const weights: number[] = [];
    for (const { frame, parent, self } of entries) {
      const around = stacks[parent] ?? [];
      const stack = around.length < deepest ? [...around, indexOf(frame)] : around;
      stacks.push(stack);
      const weight = Math.round(self * 1e6);
      if (weight === 0) continue;
      samples.push(stack);
      weights.push(weight);
    }
    const endValue = weights.reduce((sum, weight) => sum + weight, 0);
    return { type: 'sampled', name: source.entrypoint, unit: 'nanoseconds', startValue: 0, endValue, samples, weights };
  });
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    exporter: `writ ${buildInfo.version}`,
    shared: { frames: shared },
    profiles,
  };
}

/** A call or a statement of a `.cpuprofile`, whose lines are counted from 0. */
interface CpuNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly scriptId: '0';
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: -1;
  };
  readonly hitCount: number;
  readonly children: number[];
}

/**
 * In V8's format (`.cpuprofile`), for Chrome's DevTools and editors; microseconds. Each call and
 * each statement is one sample, which lasts as long as all its evaluations.
 */
export function cpuProfile(sources: readonly FlameSource[]): object {
  const nodes: CpuNode[] = [];
  const add = (parent: CpuNode | undefined, { name, file = '', line = 0 }: Frame, hitCount: number): CpuNode => {
    const callFrame = { functionName: name, scriptId: '0', url: file, lineNumber: line - 1, columnNumber: -1 } as const;
    const node = { id: nodes.length + 1, callFrame, hitCount, children: [] };
    nodes.push(node);
    parent?.children.push(node.id);
    return node;
  };
  const root = add(undefined, { name: '(root)' }, 0);
  const samples: number[] = [];
  /** From the sample before. */
  const timeDeltas: number[] = [];
  let [endTime, last] = [0, 0];
  for (const source of sources) {
    const plan = add(root, { name: source.entrypoint }, 0);
    const added: CpuNode[] = [];
    for (const { frame, parent, self, count } of entriesOf(source)) {
      const node = add(added[parent] ?? plan, frame, count);
      added.push(node);
      if (self === 0) continue;
      samples.push(node.id);
      timeDeltas.push(last);
      last = microseconds(self);
      endTime += last;
    }
  }
  return { nodes, startTime: 0, endTime, samples, timeDeltas };
}

/**
 * In the trace event format, for `chrome://tracing`, Chrome's DevTools and https://ui.perfetto.dev.
 * Calls by one way are one slice, as long as all of them together.
 */
export function chromeTrace(sources: readonly FlameSource[], name: string): object {
  const events = sources.flatMap((source, thread) => {
    const entries = entriesOf(source);
    // With all inside of each, and where the next one inside begins.
    const timed = entries.map((entry) => ({ ...entry, total: entry.self, next: 0 }));
    for (const { parent, total } of timed.toReversed()) {
      const around = timed[parent];
      if (around !== undefined) around.total += total;
    }
    const top = { next: 0 };
    const slices = timed.map((entry) => {
      const { frame, parent, count, total } = entry;
      const around = timed[parent] ?? top;
      const start = around.next;
      around.next += total;
      entry.next = start;
      const args = { count, ...(frame.file !== undefined && { place: `${frame.file}:${frame.line}` }) };
      return {
        name: frame.name,
        cat: 'plan',
        ph: 'X',
        ts: microseconds(start),
        dur: microseconds(total),
        pid: 1,
        tid: thread + 1,
        args,
      };
    });
    const named = { name: 'thread_name', ph: 'M', pid: 1, tid: thread + 1, args: { name: source.entrypoint } };
    return [named, ...slices];
  });
  return { displayTimeUnit: 'ns', otherData: { name, exporter: `writ ${buildInfo.version}` }, traceEvents: events };
}

/** The microseconds of a time in milliseconds, without digits below a nanosecond. */
function microseconds(time: number): number {
  return Math.round(time * 1e6) / 1000;
}
