/** `parse_config`, `parse_config_file` and `parse_combined_config_files`, for policies. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Builtin, Value } from '../../values/index.js';
import {
  answering,
  any,
  arg,
  array,
  BuiltinError,
  builtin,
  ExactNumber,
  isArray,
  lenientTextOfFile,
  object,
  rangeComplaint,
  string,
  unchecked,
} from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { FileFormatError } from './formats/format.js';
import { formatNames, formatOf, type LoadedFormat, loadFormat, UnknownFormatError } from './formats/formats.js';
import { type NumberMode, withNumberMode } from './numbers.js';

/** The declared result, though lists and scalars may come: as in the reference. */
const config = answering<Value>(object(string, any));

interface ParseBuiltinOptions {
  readonly numbers: NumberMode;
  /** Whether broken XML has a value, and HOCON objects at the top only, as in the reference. */
  readonly asConftest: boolean;
}

/** Rows of built-ins, which need `load` before the first call. */
export interface ParseBuiltins {
  readonly rows: readonly Builtin[];
  /** Loads all formats: a call may name any. */
  readonly load: () => Promise<void>;
}

export function parseBuiltins(options: ParseBuiltinOptions): ParseBuiltins {
  const parser = new Parser(options);
  const rows = [
    builtin(
      'parse_config',
      [arg('parser', string, text), arg('config', string, text)],
      config,
      (name: string, content: string) => parser.text(name, content),
    ),
    {
      ...builtin(
        'parse_config_file',
        [arg('path', string, unchecked)],
        config,
        (path: Value, place?: unknown) => parser.file(text(path), place),
        { nondeterministic: true },
      ),
      isPlaced: true,
    },
    {
      ...builtin(
        'parse_combined_config_files',
        [arg('paths', array(string), unchecked)],
        config,
        (paths: Value, place?: unknown) => parser.files(texts(paths), place),
        { nondeterministic: true },
      ),
      isPlaced: true,
    },
  ];
  return { rows, load: () => parser.load() };
}

/** A text; the reference's words for anything else. */
function text(value: Value): string {
  if (typeof value === 'string') return value;
  const kind = typeof value === 'number' || value instanceof ExactNumber ? 'json.Number' : typeof value;
  throw new BuiltinError(`decode args: argument is not expected type, have ${kind}`);
}

function texts(value: Value): readonly string[] {
  if (!isArray(value)) throw new BuiltinError('decode args: argument is not a list');
  return value.map(text);
}

class Parser {
  readonly #formats = new Map<string, LoadedFormat | UnknownFormatError>();
  readonly #options: ParseBuiltinOptions;

  constructor(options: ParseBuiltinOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    for (const name of formatNames)
      this.#formats.set(
        name,
        await loadFormat(name).catch((error: unknown) => {
          if (error instanceof UnknownFormatError) return error;
          throw error;
        }),
      );
  }

  text(name: string, content: string): Value {
    const { format } = this.#format(name, 'create config parser');
    return this.#parsed(format, content, name);
  }

  #format(name: string, stage: string): LoadedFormat {
    const found = this.#formats.get(name) ?? new UnknownFormatError(`unknown parser: ${name}`);
    if (found instanceof UnknownFormatError) throw new BuiltinError(`${stage}: ${found.message}`);
    return found;
  }

  #parsed(format: LoadedFormat['format'], content: string, name: string, stage = 'unmarshal config'): Value {
    try {
      const { numbers } = this.#format(name, stage);
      return withNumberMode(
        format.parse(content, { path: '-', asConftest: this.#options.asConftest }),
        numbers === 'exact' ? 'exact' : this.#options.numbers,
      );
    } catch (error) {
      const complaint = rangeComplaint(error);
      const known = complaint === undefined ? error : new FileFormatError(complaint);
      if (!(known instanceof FileFormatError)) throw known;
      const broken = this.#options.asConftest && complaint === undefined ? format.parseBroken : undefined;
      if (broken !== undefined) return broken(content);
      throw new BuiltinError(`${stage}: ${known.message}`);
    }
  }

  /** A file, its path from the folder of the policy that calls. */
  file(path: string, place: unknown): Value {
    const file = besidePolicy(path, place);
    const name = formatOf(file);
    const { format } = this.#format(name, 'create config parser');
    try {
      return this.#parsed(format, lenientTextOfFile(readFileSync(file)), name);
    } catch (error) {
      if (error instanceof BuiltinError) throw error;
      throw new BuiltinError(`read config file ${file}: open ${file}: ${systemProblem(error)}`);
    }
  }

  /** Files by path, each document with the path of its file. */
  files(paths: readonly string[], place: unknown): Value {
    const files = paths.map((path) => besidePolicy(path, place)).sort();
    const stage = 'parse combine configurations';
    const found = files.flatMap((path): Value[] => {
      const name = formatOf(path);
      const { format } = this.#format(name, `${stage}: new parser: new`);
      const content = contentOf(path, stage);
      const value = this.#parsed(format, content, name, `${stage}: parser unmarshal`);
      return (isArray(value) ? value : [value]).map((contents) => ({ contents, path }));
    });
    return found.length === 0 ? null : found;
  }
}

function contentOf(path: string, stage: string): string {
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch (error) {
    throw new BuiltinError(
      `${stage}: get configuration content: open file: open ${resolve(path)}: ${systemProblem(error)}, path: ${path}`,
    );
  }
}

function besidePolicy(path: string, place: unknown): string {
  const file = typeof place === 'string' ? place.replace(/:\d+$/, '') : '';
  return join(dirname(file), path);
}
