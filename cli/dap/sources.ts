/** Names of sources, positions in them, and how a client counts and names them. */
import { readFileSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { lenientTextOfFile } from '../../values/index.js';
import type { DebugSession, SessionSource, TextRange } from '../../views/index.js';
import { ArgumentError, type RequestArguments } from './protocol/arguments.js';

/** How a client counts rows and columns, and writes paths. */
export class Notation {
  readonly #linesFrom: number;
  readonly #columnsFrom: number;
  readonly #hasUris: boolean;

  /** @param args of the `initialize` request */
  constructor(args: RequestArguments) {
    this.#linesFrom = args.flag('linesStartAt1') === false ? 0 : 1;
    this.#columnsFrom = args.flag('columnsStartAt1') === false ? 0 : 1;
    this.#hasUris = args.text('pathFormat') === 'uri';
  }

  /** A row or line of ours as the client counts. */
  line(row: number): number {
    return row - 1 + this.#linesFrom;
  }

  column(col: number): number {
    return col - 1 + this.#columnsFrom;
  }

  row(line: number): number {
    return line + 1 - this.#linesFrom;
  }

  col(column: number): number {
    return column + 1 - this.#columnsFrom;
  }

  range({ row, col, endRow, endCol }: TextRange): { line: number; column: number; endLine: number; endColumn: number } {
    return {
      line: this.line(row),
      column: this.column(col),
      endLine: this.line(endRow),
      endColumn: this.column(endCol),
    };
  }

  path(path: string): string {
    return this.#hasUris ? pathToFileURL(path).href : path;
  }

  /** A path or `file:` URI of the client as a path. */
  file(path: string): string {
    if (!path.startsWith('file:')) return path;
    try {
      return fileURLToPath(path);
    } catch {
      throw new ArgumentError(`not a path of a file: ${path}`);
    }
  }
}

/** The sources of a session. */
export class Sources {
  readonly #session: DebugSession;
  readonly #notation: Notation;
  /** Files of the client that stand for sources without a path, by the names of these. */
  readonly #clientFiles = new Map<string, string>();

  constructor(session: DebugSession, notation: Notation) {
    this.#session = session;
    this.#notation = notation;
  }

  get all(): readonly DebugProtocol.Source[] {
    return this.#session.sources.map((source, i) => this.#shown(source, i));
  }

  /** The source of a name that positions have, as responses contain it. */
  at(name: string): DebugProtocol.Source {
    const { sources } = this.#session;
    const index = sources.findIndex((source) => source.name === name);
    const found = sources[index];
    if (found !== undefined) return this.#shown(found, index);
    const path = this.#clientFiles.get(name);
    if (path !== undefined) return { name: basename(path), path: this.#notation.path(path) };
    return { name: basename(name), origin: `the plan names ${name}, which was not found` };
  }

  /** The name of the source that a client means by `source`; undefined if there is none. */
  nameOf(source: RequestArguments): string | undefined {
    const { sources } = this.#session;
    const reference = source.count('sourceReference') ?? 0;
    if (reference > 0) return sources[reference - 1]?.name;
    const path = source.text('path');
    if (path === undefined) return sources.find(({ name }) => name === source.text('name'))?.name;
    const file = this.#notation.file(path);
    const absolute = resolve(file);
    const onDisk = isAbsolute(file)
      ? sources.find((known) => known.path !== undefined && resolve(known.path) === absolute)
      : undefined;
    return (onDisk ?? sources.find(({ name }) => name === file))?.name ?? this.#placelessOf(file);
  }

  /** The name of a source without a path, of a plan or an archive: the client's path ends so. */
  #placelessOf(file: string): string | undefined {
    const name = this.#session.fileOf(file);
    if (name === undefined) return undefined;
    const known = this.#session.sources.find((source) => source.name === name);
    if (known?.path !== undefined) return undefined;
    if (isAbsolute(file) && (known === undefined || textAt(file) === this.#session.sourceText(name)))
      this.#clientFiles.set(name, resolve(file));
    return name;
  }

  /** Sources without a file have a number, by which the client asks for the text. */
  #shown({ name, path: own, kind }: SessionSource, index: number): DebugProtocol.Source {
    const path = own ?? this.#clientFiles.get(name);
    if (path !== undefined) return { name: basename(path), path: this.#notation.path(resolve(path)) };
    return { name, sourceReference: index + 1, origin: origins[kind] };
  }
}

function textAt(path: string): string | undefined {
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch {
    return undefined;
  }
}

const origins: Readonly<Record<SessionSource['kind'], string>> = { policy: 'bundle', query: 'query', listing: 'plan' };
