/**
 * Programs of an earlier run. They hold as long as the policies are the same, to the letter, and the engine is: then a start needs neither to parse nor
 * to compile. What they lack is compiled when it is first asked for.
 */
import type { Module } from '../../compiler/ast/nodes.js';
import type { VirtualDocument, VirtualDocuments } from '../../compiler/plan/virtual-document.js';
import type { Builtin } from '../../runtime/builtins/builtin.js';
import type { HostCrypto } from '../../runtime/builtins/host-crypto.js';
import type { Bundle } from '../../runtime/bundle/bundle.js';
import { manifestJson } from '../../runtime/bundle/manifest.js';
import { buildInfo } from '../build-info.js';
import type { Target } from '../evaluation/evaluate.js';
import { pathKey } from '../paths/path-key.js';
import type { PolicyRecord } from '../policy-engine.js';
import type { PathProgram, ProgramSource, Programs } from './programs.js';

/** What answers at a place of the rule tree: a kind of rule, or for a package what lies below it. */
export type KeptUnit = Exclude<VirtualDocument['kind'], 'package'> | readonly (readonly [key: string, unit: KeptUnit])[];

/** What is kept of a run. */
export interface KeptRun {
  /** Of the policies, see `fingerprint`. */
  readonly fingerprint: string;
  readonly units: KeptUnit;
  /** Packed, by path as `Programs.made` names it. */
  readonly programs: ReadonlyMap<string, Uint8Array>;
}

/** Bytes of programs that are kept at most: the rest is compiled again. */
const maxBytes = 128 * 1024 * 1024;

/** A text that differs where policies, or how they are read and checked, do. */
export function fingerprint(
  records: ReadonlyMap<string, PolicyRecord>,
  bundles: ReadonlyMap<string, Bundle>,
  builtins: ReadonlyMap<string, Builtin>,
  options: unknown,
  crypto: HostCrypto,
): string {
  const policies = [...records.values()].map(({ id, raw, bundle }) => [id, raw, bundle ?? null]).sort();
  const manifests = [...bundles].map(([name, { manifest }]) => [name, manifestJson(manifest)]).sort();
  const plain = (_key: string, value: unknown) => (value instanceof Set || value instanceof Map ? [...value] : value);
  const { version, commit, timestamp } = buildInfo;
  const all = [version, commit, timestamp, options, [...builtins.keys()].sort(), manifests, policies];
  return crypto.hashHex('sha256', JSON.stringify(all, plain));
}

export function keptUnit(units: VirtualDocuments, unit: VirtualDocument = units.root): KeptUnit {
  if (unit.kind !== 'package') return unit.kind;
  return units.children(unit).map(([key, child]) => [key, keptUnit(units, child)] as const);
}

/** A run as bytes; programs beyond a limit, and those that cannot be packed, are left out. */
export async function packRun(run: Omit<KeptRun, 'programs'>, made: ReadonlyMap<string, Target | Uint8Array>): Promise<Uint8Array> {
  const [{ Packr }, { PackError }, { packExecutable }] = await Promise.all([
    import('msgpackr/pack'),
    import('../../runtime/bytecode/pack.js'),
    import('../../runtime/vm/packed-executable.js'),
  ]);
  const programs: [string, Uint8Array][] = [];
  let size = 0;
  for (const [key, program] of made) {
    let bytes: Uint8Array;
    try {
      bytes = program instanceof Uint8Array ? program : packExecutable(program.executable);
    } catch (error) {
      if (error instanceof PackError) continue;
      throw error;
    }
    size += bytes.length;
    if (size > maxBytes) break;
    programs.push([key, bytes]);
  }
  return new Packr({ useRecords: false }).pack([run.fingerprint, run.units, programs]);
}

/** Undefined for bytes that are no run. */
export async function unpackRun(bytes: Uint8Array): Promise<KeptRun | undefined> {
  const { Packr } = await import('msgpackr/pack');
  try {
    const [mark, units, programs] = new Packr({ useRecords: false }).unpack(bytes) as [unknown, unknown, unknown];
    if (typeof mark !== 'string' || !isKeptUnit(units) || !Array.isArray(programs)) return undefined;
    return { fingerprint: mark, units, programs: new Map(programs as [string, Uint8Array][]) };
  } catch {
    return undefined;
  }
}

const kinds: readonly unknown[] = ['complete', 'set', 'function', 'object'];

function isKeptUnit(value: unknown): value is KeptUnit {
  if (!Array.isArray(value)) return kinds.includes(value);
  return value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && isKeptUnit(entry[1]));
}

interface Place {
  readonly kind: VirtualDocument['kind'];
  readonly length: number;
}

/** Answers as `Programs` of the same policies would. */
export class RestoredPrograms implements ProgramSource {
  readonly #run: KeptRun;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #compiled: () => Promise<Programs>;
  readonly #children = new Map<KeptUnit, ReadonlyMap<string, KeptUnit>>();
  readonly #ready = new Map<string, Target>();
  #full: Promise<Programs> | undefined;
  /** Once it has been compiled. */
  #fullMade: Programs | undefined;

  /** @param compiled compiles the policies */
  constructor(run: KeptRun, builtins: ReadonlyMap<string, Builtin>, compiled: () => Promise<Programs>) {
    this.#run = run;
    this.#builtins = builtins;
    this.#compiled = compiled;
  }

  hasRules(path: readonly string[]): boolean {
    const place = this.#locate(path);
    return place !== undefined && place.kind !== 'package';
  }

  forPath(path: readonly string[]): PathProgram | Promise<PathProgram | undefined> | undefined {
    const place = this.#locate(path);
    if (place === undefined) return undefined;
    const rest = path.slice(place.length);
    const isPartial = rest.length > 0 && (place.kind === 'set' || place.kind === 'object');
    const key = pathKey(path.slice(0, place.length));
    const ready = this.#ready.get(key);
    if (!isPartial && ready !== undefined) return { target: ready, rest };
    const bytes = isPartial ? undefined : this.#run.programs.get(key);
    return bytes === undefined ? this.#compiledForPath(path) : this.#unpacked(bytes, key, path, rest);
  }

  async #compiledForPath(path: readonly string[]): Promise<PathProgram | undefined> {
    return await (await this.#all()).forPath(path);
  }

  async #unpacked(bytes: Uint8Array, key: string, path: readonly string[], rest: readonly string[]): Promise<PathProgram | undefined> {
    try {
      const { unpackExecutable } = await import('../../runtime/vm/packed-executable.js');
      const executable = await unpackExecutable(bytes, this.#builtins);
      const [plan] = executable.entrypoints.values();
      const target = { executable, plan: plan! };
      this.#ready.set(key, target);
      return { target, rest };
    } catch {
      return await this.#compiledForPath(path);
    }
  }

  async forQuery(...query: Parameters<Programs['forQuery']>): Promise<Target> {
    return await (await this.#all()).forQuery(...query);
  }

  async compiledModule(id: string): Promise<Module | undefined> {
    return await (await this.#all()).compiledModule(id);
  }

  made(): ReadonlyMap<string, Target | Uint8Array> {
    return new Map<string, Target | Uint8Array>([...this.#run.programs, ...(this.#fullMade?.made() ?? [])]);
  }

  units(): KeptUnit {
    return this.#run.units;
  }

  /** Whether a document at one of the paths may be where a rule is. */
  mayMeetRules(paths: readonly (readonly string[])[]): boolean {
    return paths.some((path) => this.#locate(path) !== undefined);
  }

  /** Whether a document is where a rule is. */
  meetsDocuments(occupied: (path: readonly string[]) => boolean): boolean {
    const pending: { readonly unit: KeptUnit; readonly path: readonly string[] }[] = [{ unit: this.#run.units, path: [] }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { unit, path } = next;
      if (typeof unit === 'string') {
        if (occupied(path)) return true;
      } else for (const [key, child] of unit) pending.push({ unit: child, path: [...path, key] });
    }
    return false;
  }

  #all(): Promise<Programs> {
    return (this.#full ??= this.#compiled().then((programs) => (this.#fullMade = programs)));
  }

  /** Undefined where only a base document can be. */
  #locate(path: readonly string[]): Place | undefined {
    let unit = this.#run.units;
    for (let i = 0; i < path.length; i++) {
      if (typeof unit === 'string') return { kind: unit, length: i };
      const child = this.#childrenOf(unit).get(path[i]!);
      if (child === undefined) return undefined;
      unit = child;
    }
    return { kind: typeof unit === 'string' ? unit : 'package', length: path.length };
  }

  #childrenOf(unit: Exclude<KeptUnit, string>): ReadonlyMap<string, KeptUnit> {
    let children = this.#children.get(unit);
    if (children === undefined) this.#children.set(unit, (children = new Map(unit)));
    return children;
  }
}
