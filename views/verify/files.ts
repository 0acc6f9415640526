/** Configuration files: found, read and parsed. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isArray, lenientTextOfFile, rangeComplaint, type Value } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { FileFormatError, type Format, type ProtoText, type RangeFinder } from './formats/format.js';
import { formatOf, isReadable, loadFormat, UnknownFormatError } from './formats/formats.js';
import { TextLines } from './formats/lines.js';
import { type FoundRange, Marks, type PathKey } from './formats/marks.js';
import { type NumberMode, withNumberMode } from './numbers.js';

/** A problem that ends a run: its stages are before its message. */
export class ConfigFileError extends Error {
  /** The file that it is about, and the place in its text. */
  readonly at: { readonly file: string; readonly text: string; readonly offset: number | undefined } | undefined;

  constructor(message: string, at?: ConfigFileError['at']) {
    super(message);
    this.name = 'ConfigFileError';
    this.at = at;
  }
}

/** Arguments that name no file with a known format. */
export class NoFilesError extends ConfigFileError {}

/** The places of longer texts are searched one by one, where the format can do that. */
const longText = 1_000_000;

export interface ConfigReadOptions {
  /** The name of a format, or a command; undefined: each file by its name. */
  readonly parser: string | undefined;
  readonly numbers: NumberMode;
  /** Whether broken XML has a value, and HOCON objects at the top only, as in the reference. */
  readonly asConftest: boolean;
  /** Reads `-`. */
  readonly stdin: () => Uint8Array;
  /** The name that stands for `-`. */
  readonly stdinName?: string | undefined;
  /** Folders of `.proto` files, for text messages. */
  readonly protoFolders?: readonly string[] | undefined;
}

/** A file, with its value and with the documents that policies check one by one. */
export interface ConfigFile {
  readonly path: string;
  readonly format: string;
  readonly text: string;
  readonly value: Value;
  readonly lines: TextLines;
  /** Where a path of the value is written; of its nearest part where it is not. */
  place(path: readonly PathKey[]): FoundRange | undefined;
}

/** The documents of a file: the members of a list, or the value itself. */
export function documentsOfFile({ value }: Pick<ConfigFile, 'value'>): readonly Value[] {
  return isArray(value) ? value : [value];
}

/** Reads and parses a file. Rejects with a ConfigFileError. */
export async function readConfigFile(path: string, options: ConfigReadOptions): Promise<ConfigFile> {
  const name = path === '-' ? (options.stdinName ?? '-') : path;
  const suffix = `, path: ${name}`;
  let loaded: Awaited<ReturnType<typeof loadFormat>>;
  try {
    loaded = await loadFormat(options.parser ?? formatOf(name));
  } catch (error) {
    if (!(error instanceof UnknownFormatError)) throw error;
    throw new ConfigFileError(
      `parse configurations: new parser: ${options.parser === undefined ? 'new: ' : ''}${error.message}${suffix}`,
    );
  }
  const { format, numbers, name: formatName } = loaded;
  const protoFiles = formatName === 'textproto' ? protoFilesIn(options.protoFolders ?? [], suffix) : undefined;
  const context = { path: name, protoFiles, asConftest: options.asConftest };
  const text = textOf(path, options);
  const value = parsed(
    () => withNumberMode(format.parse(text, context), numbers === 'exact' ? 'exact' : options.numbers),
    {
      text,
      path: name,
      broken: options.asConftest ? format.parseBroken : undefined,
    },
  );
  let find: RangeFinder | undefined;
  let found: { readonly marks: Marks; readonly value: Value } | undefined;
  const place = (keys: readonly PathKey[]) => {
    if (text.length > longText && format.finder !== undefined) {
      find ??= format.finder(text);
      return find(presentIn(value, keys));
    }
    if (found === undefined) {
      const marks = new Marks();
      found = { marks, value };
      try {
        found = { marks, value: format.parse(text, context, marks) };
      } catch (error) {
        // To mark a value may take more of the stack than to read it: then it has no places.
        if (rangeComplaint(error) === undefined) throw error;
      }
    }
    return found.marks.find(found.value, keys);
  };
  let lines: TextLines | undefined;
  return {
    path: name,
    format: formatName,
    text,
    value,
    get lines() {
      return (lines ??= new TextLines(text));
    },
    place,
  };
}

/** The keys that exist: a long text is not searched for others. */
function presentIn(value: Value, keys: readonly PathKey[]): readonly PathKey[] {
  let part: unknown = value;
  const end = keys.findIndex((key) => {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return true;
    part = (part as Readonly<Record<PathKey, unknown>>)[key];
    return false;
  });
  return end < 0 ? keys : keys.slice(0, end);
}

/** The `.proto` files below some folders. */
function protoFilesIn(folders: readonly string[], suffix: string): readonly ProtoText[] {
  return folders.flatMap((folder) => {
    try {
      const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.proto'));
      return names.sort().map((name) => ({
        path: join(folder, name),
        text: lenientTextOfFile(readFileSync(join(folder, name))),
      }));
    } catch (error) {
      const problem = `find proto files: walk dir "${folder}": lstat ${folder}: ${systemProblem(error)}`;
      throw new ConfigFileError(`parse configurations: new parser: ${problem}${suffix}`);
    }
  });
}

function parsed(
  parse: () => Value,
  { text, path, broken }: { readonly text: string; readonly path: string; readonly broken: Format['parseBroken'] },
): Value {
  try {
    return parse();
  } catch (error) {
    // Readers of libraries have no limit of their own.
    const complaint = rangeComplaint(error);
    const known = complaint === undefined ? error : new FileFormatError(complaint);
    if (!(known instanceof FileFormatError)) throw known;
    if (broken !== undefined && complaint === undefined) return broken(text);
    throw new ConfigFileError(`parse configurations: parser unmarshal: ${known.message}, path: ${path}`, {
      file: path,
      text,
      offset: known.offset,
    });
  }
}

function textOf(path: string, { stdin }: ConfigReadOptions): string {
  try {
    if (path === '-') return lenientTextOfFile(stdin());
    return lenientTextOfFile(readFileSync(path));
  } catch (error) {
    const problem = `open ${path}: ${systemProblem(error)}`;
    throw new ConfigFileError(`parse configurations: get configuration content: open file: ${problem}, path: ${path}`);
  }
}

/**
 * The files that arguments name, those of folders included: of a folder, files with a known format
 * whose path does not match. Throws a ConfigFileError.
 */
export function filesOf(args: readonly string[], isIgnored: (path: string) => boolean): string[] {
  const files: string[] = [];
  for (const arg of args) {
    if (arg === '') continue;
    if (arg === '-') files.push(arg);
    else if (!infoOf(arg).isDirectory()) files.push(arg);
    else walkFolder(arg.replace(/(?<=.)\/+$/, ''), isIgnored, files);
  }
  if (files.length === 0) throw new NoFilesError('parse files: no files found');
  return [...new Set(files)];
}

function infoOf(path: string): ReturnType<typeof statSync> & object {
  try {
    return statSync(path);
  } catch (error) {
    throw new ConfigFileError(`parse files: get file info: stat ${path}: ${systemProblem(error)}`);
  }
}

function walkFolder(folder: string, isIgnored: (path: string) => boolean, files: string[]): void {
  try {
    walk(folder, isIgnored, new Set(), files);
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const { path = folder, syscall = 'open' } = error as NodeJS.ErrnoException;
    const problem = `${syscall} ${shortened(path)}: ${systemProblem(error)}`;
    throw new ConfigFileError(`parse files: get files from directory: ${problem}`);
  }
}

function walk(folder: string, isIgnored: (path: string) => boolean, seen: Set<string>, files: string[]): void {
  const real = realpathSync(folder);
  if (seen.has(real)) return;
  seen.add(real);
  for (const name of readdirSync(folder).sort()) {
    const path = folder === '.' ? name : join(folder, name);
    const info = lstatSync(path);
    if (info.isDirectory()) walk(path, isIgnored, seen, files);
    else if (!isIgnored(path)) addFile(path, info.isSymbolicLink(), isIgnored, seen, files);
  }
}

/** A link counts by the file or the folder that it leads to. */
function addFile(
  path: string,
  isLink: boolean,
  isIgnored: (path: string) => boolean,
  seen: Set<string>,
  files: string[],
): void {
  const real = isLink ? shortened(realpathSync(path)) : path;
  if (isLink && statSync(real).isDirectory()) walk(real, isIgnored, seen, files);
  else if (isReadable(real)) files.push(real);
}

/** A path below the working folder is relative. */
function shortened(path: string): string {
  const here = `${realpathSync('.')}/`;
  return path.startsWith(here) ? path.slice(here.length) : path;
}
