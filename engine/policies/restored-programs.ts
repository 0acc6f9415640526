/**
 * Programs of a snapshot. They are valid for the same policies, to the letter, and the same build:
 * then a start need neither parse nor compile. A program that is missing is compiled when it is
 * first asked for.
 */

import type { Module, VirtualDocument } from '../../compiler/index.js';
import type { Builtin } from '../../values/index.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';
import { mapKeyOfPath } from '../paths/path-key.js';
import type { ProgramSnapshot } from './program-snapshot.js';
import type { PathProgram, ProgramSource, RuleOutline } from './program-source.js';

interface Place {
  readonly kind: VirtualDocument['kind'];
  readonly length: number;
}

/** Answers as `Programs` of the same policies would. */
export class RestoredPrograms implements ProgramSource {
  readonly #snapshot: ProgramSnapshot;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #compiled: () => Promise<ProgramSource>;
  readonly #children = new Map<RuleOutline, ReadonlyMap<string, RuleOutline>>();
  readonly #ready = new Map<string, EvaluationTarget>();
  #full: Promise<ProgramSource> | undefined;
  /** The compiled policies, once they are there. */
  #fullMade: ProgramSource | undefined;

  /** @param compiled compiles the policies */
  constructor(
    snapshot: ProgramSnapshot,
    builtins: ReadonlyMap<string, Builtin>,
    compiled: () => Promise<ProgramSource>,
  ) {
    this.#snapshot = snapshot;
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
    const key = mapKeyOfPath(path.slice(0, place.length));
    const ready = this.#ready.get(key);
    if (!isPartial && ready !== undefined) return { target: ready, rest };
    const bytes = isPartial ? undefined : this.#snapshot.programs.get(key);
    return bytes === undefined ? this.#compiledForPath(path) : this.#unpacked(bytes, key, path, rest);
  }

  async #compiledForPath(path: readonly string[]): Promise<PathProgram | undefined> {
    return await (await this.#all()).forPath(path);
  }

  async #unpacked(
    bytes: Uint8Array,
    key: string,
    path: readonly string[],
    rest: readonly string[],
  ): Promise<PathProgram | undefined> {
    try {
      const { unpackExecutable } = await import('../../runtime/codegen/packed-executable.js');
      const executable = await unpackExecutable(bytes, this.#builtins);
      const [plan] = executable.entrypoints.values();
      if (plan === undefined) throw new Error('the program has no plan');
      const target = { executable, plan };
      this.#ready.set(key, target);
      return { target, rest };
    } catch {
      return await this.#compiledForPath(path);
    }
  }

  async forQuery(...query: Parameters<ProgramSource['forQuery']>): Promise<EvaluationTarget> {
    return await (await this.#all()).forQuery(...query);
  }

  async compiledModule(id: string): Promise<Module | undefined> {
    return await (await this.#all()).compiledModule(id);
  }

  made(): ReadonlyMap<string, EvaluationTarget | Uint8Array> {
    return new Map<string, EvaluationTarget | Uint8Array>([
      ...this.#snapshot.programs,
      ...(this.#fullMade?.made() ?? []),
    ]);
  }

  outline(): RuleOutline {
    return this.#snapshot.outline;
  }

  mayMeetRules(paths: readonly (readonly string[])[]): boolean {
    return paths.some((path) => this.#locate(path) !== undefined);
  }

  /** Whether a document is where a rule is. */
  meetsDocuments(occupied: (path: readonly string[]) => boolean): boolean {
    const pending: { readonly outline: RuleOutline; readonly path: readonly string[] }[] = [
      { outline: this.outline(), path: [] },
    ];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { outline, path } = next;
      if (typeof outline === 'string') {
        if (occupied(path)) return true;
      } else for (const [key, child] of outline) pending.push({ outline: child, path: [...path, key] });
    }
    return false;
  }

  #all(): Promise<ProgramSource> {
    return (this.#full ??= this.#compiled().then((programs) => (this.#fullMade = programs)));
  }

  /** Undefined where only a base document can be. */
  #locate(path: readonly string[]): Place | undefined {
    let outline = this.outline();
    for (const [length, key] of path.entries()) {
      if (typeof outline === 'string') return { kind: outline, length };
      const child = this.#childrenOf(outline).get(key);
      if (child === undefined) return undefined;
      outline = child;
    }
    return { kind: typeof outline === 'string' ? outline : 'package', length: path.length };
  }

  #childrenOf(outline: Exclude<RuleOutline, string>): ReadonlyMap<string, RuleOutline> {
    let children = this.#children.get(outline);
    if (children === undefined) this.#children.set(outline, (children = new Map(outline)));
    return children;
  }
}
