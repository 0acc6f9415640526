/** Format of a snapshot: programs that an engine's next start uses instead of compiling. */
import type { Builtin, HostCrypto } from '../../values/index.js';
import { buildInfo } from '../build-info.js';
import type { Bundle } from '../bundle/bundle.js';
import { manifestJson } from '../bundle/manifest.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';
import type { PolicyRecord } from '../version.js';
import type { RuleOutline } from './program-source.js';

export interface ProgramSnapshot {
  /** The fingerprint of the policies, see `fingerprint`. */
  readonly fingerprint: string;
  readonly outline: RuleOutline;
  /** Packed, by path as `Programs.made` names it. */
  readonly programs: ReadonlyMap<string, Uint8Array>;
}

/** The most bytes of programs that are kept; the others are compiled again. */
const maxBytes = 128 * 1024 * 1024;

/** A text that differs for other policies, built-ins, compile options and builds. */
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

/** A snapshot as bytes, without programs beyond the limit and programs that cannot be packed. */
export async function packSnapshot(
  snapshot: Omit<ProgramSnapshot, 'programs'>,
  made: ReadonlyMap<string, EvaluationTarget | Uint8Array>,
): Promise<Uint8Array> {
  const [{ Packr }, { PackError }, { packExecutable }] = await Promise.all([
    import('msgpackr/pack'),
    import('../../runtime/bytecode/pack.js'),
    import('../../runtime/codegen/packed-executable.js'),
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
  return new Packr({ useRecords: false }).pack([snapshot.fingerprint, snapshot.outline, programs]);
}

/** Undefined for bytes that are no snapshot. */
export async function unpackSnapshot(bytes: Uint8Array): Promise<ProgramSnapshot | undefined> {
  const { Packr } = await import('msgpackr/pack');
  try {
    const [mark, outline, programs] = new Packr({ useRecords: false }).unpack(bytes) as [unknown, unknown, unknown];
    if (typeof mark !== 'string' || !isOutline(outline) || !Array.isArray(programs)) return undefined;
    return { fingerprint: mark, outline, programs: new Map(programs as [string, Uint8Array][]) };
  } catch {
    return undefined;
  }
}

const kinds: readonly unknown[] = ['complete', 'set', 'function', 'object'];

function isOutline(value: unknown): value is RuleOutline {
  if (!Array.isArray(value)) return kinds.includes(value);
  return value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && isOutline(entry[1]));
}
