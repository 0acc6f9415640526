/** The types that `.proto` files declare, as far as text messages need them. */
import { FileFormatError, type ProtoText } from '../format.js';
import { ProtoTokens } from './proto-tokens.js';

interface ProtoField {
  readonly name: string;
  /** A scalar's name, or the full name of a message or enum. */
  readonly type: string;
  /** The type of keys of a map. */
  readonly keyType: string | undefined;
  readonly isRepeated: boolean;
  readonly isRequired: boolean;
  /** A field without presence is left out where it has its default. */
  readonly hasPresence: boolean;
  readonly oneof: string | undefined;
}

export interface ProtoMessage {
  readonly kind: 'message';
  readonly name: string;
  readonly fields: ReadonlyMap<string, ProtoField>;
}

export interface ProtoEnum {
  readonly kind: 'enum';
  readonly values: ReadonlyMap<string, number>;
}

type ProtoType = ProtoMessage | ProtoEnum;

/** Types by their full names. */
export type ProtoTypes = ReadonlyMap<string, ProtoType>;

/** The types that some files declare. Throws a FileFormatError. */
export function protoTypes(files: readonly ProtoText[]): ProtoTypes {
  const types = new Map<string, ProtoType>();
  const open: (() => void)[] = [];
  for (const file of files) new ProtoFile(file, types, open).read();
  for (const resolve of open) resolve();
  return types;
}

const scalarTypes: ReadonlySet<string> = new Set(
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes'.split(' '),
);

/** One file: its declarations become types, the types of its fields are looked up at the end. */
class ProtoFile {
  readonly #tokens: ProtoTokens;
  readonly #types: Map<string, ProtoType>;
  readonly #open: (() => void)[];
  readonly #path: string;
  #isProto2 = true;

  constructor({ path, text }: ProtoText, types: Map<string, ProtoType>, open: (() => void)[]) {
    this.#tokens = new ProtoTokens(text);
    this.#path = path;
    this.#types = types;
    this.#open = open;
  }

  read(): void {
    const tokens = this.#tokens;
    let scope = '';
    for (let word = tokens.take(); word !== undefined; word = tokens.take()) {
      if (word === 'syntax' || word === 'edition') this.#isProto2 = this.#statement().includes('proto2');
      else if (word === 'package') scope = this.#statement().join('');
      else this.#declaration(word, scope);
    }
  }

  /** The words up to `;`, blocks in braces included. */
  #statement(): string[] {
    const words: string[] = [];
    for (let depth = 0; ; ) {
      const word = this.#next();
      if (word === ';' && depth === 0) return words;
      if (word === '{') depth++;
      if (word === '}' && --depth === 0) return words;
      words.push(unquotedWord(word));
    }
  }

  #next(): string {
    const word = this.#tokens.take();
    if (word === undefined) throw new FileFormatError(`${this.#path}: the file ends too early`);
    return word;
  }

  #declaration(word: string, scope: string): void {
    if (word === 'message') this.#message(fullName(scope, this.#next()));
    else if (word === 'enum') this.#enum(fullName(scope, this.#next()));
    else if (word !== ';') this.#statement();
  }

  #message(name: string): void {
    const fields = new Map<string, ProtoField>();
    this.#types.set(name, { kind: 'message', name, fields });
    this.#next();
    this.#members(name, fields, undefined);
  }

  /** The members up to the closing brace of a message, or of a `oneof` within it. */
  #members(scope: string, fields: Map<string, ProtoField>, oneof: string | undefined): void {
    for (let word = this.#next(); word !== '}'; word = this.#next()) {
      if (word === 'message' || word === 'enum') this.#declaration(word, scope);
      else if (word === 'oneof') {
        const inner = this.#next();
        this.#next();
        this.#members(scope, fields, inner);
      } else if (['option', 'reserved', 'extensions', 'extend'].includes(word)) this.#statement();
      else if (word !== ';') this.#field(word, scope, fields, oneof);
    }
  }

  #field(first: string, scope: string, fields: Map<string, ProtoField>, oneof: string | undefined): void {
    const label = ['repeated', 'optional', 'required'].includes(first) ? first : undefined;
    let type = label === undefined ? first : this.#next();
    let keyType: string | undefined;
    if (type === 'map') {
      this.#next();
      keyType = this.#next();
      this.#next();
      type = this.#next();
      this.#next();
    }
    const name = this.#next();
    this.#statement();
    this.#open.push(() => {
      const found = scalarTypes.has(type) ? type : this.#resolve(type, scope);
      const isMessage = this.#types.get(found)?.kind === 'message';
      fields.set(name, {
        name,
        type: found,
        keyType,
        isRepeated: label === 'repeated',
        isRequired: label === 'required',
        hasPresence: this.#isProto2 || isMessage || label === 'optional' || oneof !== undefined,
        oneof,
      });
    });
  }

  #enum(name: string): void {
    const values = new Map<string, number>();
    this.#types.set(name, { kind: 'enum', values });
    this.#next();
    for (let word = this.#next(); word !== '}'; word = this.#next()) {
      if (word === ';') continue;
      const [sign, digits = ''] = this.#statement();
      if (word !== 'option' && word !== 'reserved' && sign === '=') values.set(word, Number(digits));
    }
  }

  /** The full name of a type: the nearest scope that has it. */
  #resolve(type: string, scope: string): string {
    if (type.startsWith('.')) return type.slice(1);
    for (let at = scope; ; at = at.slice(0, Math.max(at.lastIndexOf('.'), 0))) {
      const name = fullName(at, type);
      if (this.#types.has(name)) return name;
      if (at === '') throw new FileFormatError(`${this.#path}: the type ${type} is declared in no file`);
    }
  }
}

function fullName(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`;
}

function unquotedWord(word: string): string {
  return /^["']/.test(word) ? word.slice(1, -1) : word;
}
