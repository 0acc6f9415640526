/** A program → the text of a JavaScript module that decides by it and needs nothing else. */
import type { Builtin, Value } from '../../../values/index.js';
import type { Program, ProgramFunction } from '../../bytecode/program.js';
import { linkedBuiltin } from '../../evaluation/linked-builtin.js';
import type { LoweredBlock } from '../../lowering/lowered.js';
import { callerText } from '../builtin-caller.js';
import { firstOrigin } from '../function-text.js';
import type { Piece } from '../part-sharing.js';
import { ProgramText, rulePaths } from '../program-text.js';
import { compact } from './compact.js';
import { exportsText, type ModuleExports } from './module-exports.js';
import type { ModuleDeclaration, ModulePart, ModuleUnits } from './module-units.js';
import { giveRe2, re2Of, rowOf, usedDeclarations, withoutRe2 } from './module-units.js';
import type { LibraryName } from './runtime.js';
import { hasSimplePatterns } from './simple-patterns.js';
import { markOfFunction, withoutMarks } from './source-map.js';
import { stringText, valueText } from './value-text.js';

export interface ModuleRequest extends ModuleExports {
  /** One of `assembleListed` gives a text in lines with the marks of their statements. */
  readonly program: Program;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly units: ModuleUnits;
  /** The base documents. */
  readonly data: Value;
  /** The document that `opa.runtime` answers by default. */
  readonly runtime: Value;
  /** The first line's comment. */
  readonly title: string;
  /**
   * The module to import the runtime from (see `scripts/build/shared-runtime.ts`): policies of a
   * bundle share it. Otherwise the module contains what it needs of it.
   */
  readonly sharedRuntime?: string | undefined;
  /**
   * Where the module may be replaced while it is in use: statements that declare `$policy`, of
   * `$first`, the decisions of this version, and `$live`, the class `LivePolicy`.
   */
  readonly live?: string | undefined;
}

export function moduleText(request: ModuleRequest): string {
  const body = new ModuleBody(request);
  const text = body.text();
  const names = `policy:${request.live === undefined ? '$policy' : '$first,LivePolicy:$live'},EvaluationError:$evaluationError,ModuleError:$moduleError`;
  return `// ${request.title}\n${body.imports()}const {${names}}=(()=>{"use strict";\n${text}})();\n${request.live ?? ''}${exportsText(request)}${body.licences()}`;
}

class ModuleBody {
  readonly #request: ModuleRequest;
  readonly #units: ModuleUnits;
  readonly #texts: ProgramText;
  readonly #library = new Set<LibraryName>();
  readonly #packages = new Set<string>();
  readonly #imported = new Set<string>();

  constructor(request: ModuleRequest) {
    this.#request = request;
    // Results of rules are not kept beyond an evaluation: the module stays short.
    const lowered = (request.program.lowered ?? []).map((func) => ({ ...func, reads: undefined }));
    this.#texts = new ProgramText(request.program, lowered, false);
    const { program, units } = request;
    const loadsRe2 = (name: string) => usedDeclarations([rowOf(units, name)], units).has(units.re2);
    this.#units = hasSimplePatterns(program, loadsRe2) ? withoutRe2(units) : units;
  }

  text(): string {
    const { program } = this.#request;
    const units = this.#units;
    const callers = this.#callers();
    const functions = program.functions.map((func, index) => this.#function(func, index));
    const code = functions.join('');
    const tables = [this.#constants(code), this.#dynamic(code), this.#policy()];
    const supports = namedParts(supportNames(code), units.support);
    const library = namedParts(this.#library, units.library);
    const rows = new Set(program.builtins.map((name) => rowOf(units, name)));
    const parts = [...supports.values(), ...library.values(), ...rows];
    const used = usedDeclarations(parts, units);
    for (const { package: name } of used.values()) if (name !== undefined) this.#packages.add(name);
    return [
      this.#request.sharedRuntime === undefined ? declarationsText([...used.values()]) : this.#import(parts, used),
      `const ${[...library].map(([name, { text }]) => `${name}=${text}`).join()};\n`,
      `const support={${[...supports].map(([name, { text }]) => `${name}:${text}`).join()}};\n`,
      ...(rows.size > 0
        ? [`const rows=[${[...rows].map(({ text }) => text).join(',\n')}];\n`, callers]
        : ['const B=[];\n']),
      `const F=[],D=[];F.decision=plan=>D[plan];\n${tables[0]}${tables[1]}${code}${tables[2]}`,
    ].join('');
  }

  /** The import of the shared runtime, if there is one. */
  imports(): string {
    if (this.#imported.size === 0) return '';
    return `import {${[...this.#imported].join()}} from ${JSON.stringify(this.#request.sharedRuntime)};\n`;
  }

  /** Imports what the parts name. Returns what gives RE2 to the runtime, if a pattern needs it. */
  #import(parts: readonly ModulePart[], used: ReadonlyMap<number, ModuleDeclaration>): string {
    const units = this.#units;
    for (const use of parts.flatMap(({ uses }) => uses))
      for (const name of used.get(use)?.names ?? []) this.#imported.add(name);
    if (units !== this.#request.units || !used.has(units.re2)) return '';
    for (const name of [giveRe2, re2Of(units)]) this.#imported.add(name);
    return `${giveRe2}(${re2Of(units)});\n`;
  }

  /** The licences of the packages that the text has parts of. */
  licences(): string {
    const { licences } = this.#units;
    // The build has one for each package.
    return [...this.#packages].map((name) => `/*\n${licences[name]!.trim().replaceAll('*/', '* /')}\n*/\n`).join('');
  }

  #use(name: LibraryName): string {
    this.#library.add(name);
    return name;
  }

  /** The functions that call the built-ins. */
  #callers(): string {
    const { program, builtins } = this.#request;
    const callers = program.builtins.map((name) => {
      // The program calls built-ins that it was made with.
      const text = callerText(linkedBuiltin(builtins.get(name)!));
      this.#use('linkedBuiltin');
      if (text === undefined)
        return `[${stringText(name)},builtin=>(...all)=>${this.#use('callAny')}(builtin,all.slice(0,-1),all.at(-1))]`;
      this.#use('mayCost');
      this.#use('failed');
      return `[${stringText(name)},builtin=>{${compact(text)}}]`;
    });
    return `const B=[${callers.join(',\n')}].map(([name,caller])=>{const row=rows.find(row=>row.name===name);row.load?.();return caller(linkedBuiltin(row))});\n`;
  }

  #function({ params, kind }: ProgramFunction, index: number): string {
    const decision = kind === 'plan' ? this.#texts.decision(index) : undefined;
    const pieces = decision === undefined ? this.#texts.pieces(index) : undefined;
    const text = this.#code(decision ?? this.#texts.func(index, pieces));
    const conflict = `()=>${this.#use('conflict')}(${params})`;
    this.#use('tooDeep');
    const parts = pieces === undefined ? '[]' : this.#parts(index, pieces);
    return `${this.#mark(index)}${decision === undefined ? 'F' : 'D'}[${index}]=((conflict,parts)=>{${text}})(${conflict},${parts});\n`;
  }

  /** A text of the program, compact but where its lines are marked. */
  #code(text: string): string {
    return this.#request.program.statements === undefined ? compact(text) : `\n${text}\n`;
  }

  #mark(index: number): string {
    const { program } = this.#request;
    return program.statements === undefined ? '' : `${markOfFunction}${firstOrigin(program.lowered![index]!)}\n`;
  }

  /** The parts of a function that is split. Rules of one form share their code. */
  #parts(index: number, pieces: readonly Piece[]): string {
    const forms = new Map<string, string>();
    const parts = pieces.flatMap((piece) => {
      if (piece.kind === 'blocks') return piece.isPart ? [this.#part(index, piece.blocks)] : [];
      const rules = piece.rules.map(
        (rule) => `[${this.#value(rule.constant)},${this.#rule(index, rule.blocks, forms)}]`,
      );
      const list = `[${rules.join(',\n')}]`;
      return [`new ${this.#use('RuleTable')}(${list}.map(([constant,part,values])=>[constant,()=>({part,values})]))`];
    });
    const shared = [...forms].map(([text, name]) => `const ${name}=(()=>{${this.#code(text)}})();`);
    return `(()=>{${shared.join('\n')}return[${parts.join(',\n')}]})()`;
  }

  #rule(index: number, blocks: readonly LoweredBlock[], forms: Map<string, string>): string {
    const values: unknown[] = [];
    const text = withoutMarks(this.#texts.part(index, blocks, values));
    let form = forms.get(text);
    if (form === undefined) forms.set(text, (form = `form${forms.size}`));
    return `${form},[${(values as Value[]).map((value) => this.#value(value)).join()}]`;
  }

  #part(index: number, blocks: readonly LoweredBlock[]): string {
    return `(()=>{${this.#code(this.#texts.part(index, blocks))}})()`;
  }

  /** The constants and paths that the code names. */
  #constants(code: string): string {
    const { constants, documentPaths, paths } = this.#request.program;
    const named = (table: string) =>
      [...code.matchAll(new RegExp(`\\b${table}\\[(\\d+)\\]`, 'g'))].map(([, i]) => Number(i));
    const returned = callsDynamically(code)
      ? [...paths.values()].filter((found) => found < 0).map((found) => -1 - found)
      : [];
    const lines = [
      ...[...new Set([...named('K'), ...returned])].flatMap((i) =>
        constants[i] === undefined ? [] : [`K[${i}]=${this.#value(constants[i])};\n`],
      ),
      ...[...new Set(named('P'))].flatMap((i) =>
        documentPaths[i] === undefined ? [] : [`P[${i}]=${this.#value(documentPaths[i])};\n`],
      ),
    ];
    return `const K=[],P=[];\n${lines.join('')}`;
  }

  #value(value: Value): string {
    const text = valueText(value);
    for (const name of ['ExactNumber', 'RegoSet', 'RegoObject'] as const)
      if (text.includes(`new ${name}(`)) this.#use(name);
    return text;
  }

  #dynamic(code: string): string {
    if (!callsDynamically(code)) return '';
    return `const dynamic=${this.#use('dynamicCalls')}(F,K,()=>${JSON.stringify(rulePaths(this.#request.program))});\n`;
  }

  #policy(): string {
    const { program, data, runtime, entrypoints } = this.#request;
    const units = this.#units;
    const rows = program.builtins.map((name) => rowOf(units, name));
    const host = usedDeclarations(rows, units).has(units.cryptography)
      ? `{crypto:${this.#use('portableCrypto')}}`
      : '{}';
    const plans = entrypoints.map(({ name }) => `[${stringText(name)}]:${program.plans.get(name)!}`);
    const fields = [
      'functions:F',
      `names:${JSON.stringify(program.functions.map(({ name }) => name))}`,
      `files:${JSON.stringify(program.files)}`,
      `places:${JSON.stringify(Array.from(program.places))}`,
      `plans:{${plans.join()}}`,
      `host:${host}`,
      `runtime:${this.#value(runtime)}`,
    ];
    const others: string[] = (['EvaluationError', 'ModuleError'] as const).map((name) => this.#use(name));
    if (this.#request.live !== undefined) others.push(this.#use('LivePolicy'));
    return `return{policy:new ${this.#use('ModulePolicy')}({${fields.join(',\n')}},${this.#value(data)}),${others.join()}};\n`;
  }
}

/** Whether a function of the code calls rules by paths. */
function callsDynamically(code: string): boolean {
  return /\bdynamic\(/.test(code);
}

/** Variables that follow each other are one declaration. */
function declarationsText(declarations: readonly ModulePart[]): string {
  let text = '';
  let isOpen = false;
  for (const declaration of declarations) {
    const variable = /^var (.*);$/s.exec(declaration.text)?.[1];
    if (variable === undefined) text += `${isOpen ? ';\n' : ''}${declaration.text}\n`;
    else text += isOpen ? `,\n${variable}` : `var ${variable}`;
    isOpen = variable !== undefined;
  }
  return `${text};\n`;
}

/** The members of `support` that the code may name. */
function supportNames(code: string): readonly string[] {
  const lists = [...code.matchAll(/const ?\{([\w$, ]+)\} ?= ?support;/g)].flatMap(([, names = '']) =>
    names.trim().split(/, ?/),
  );
  const members = [...code.matchAll(/\bsupport\.(\w+)/g)].map(([, name = '']) => name);
  return [...lists, ...members];
}

/** The parts of those names that have one, in the order of the names. */
function namedParts(names: Iterable<string>, parts: ModuleUnits['support']): ReadonlyMap<string, ModulePart> {
  const found = new Map<string, ModulePart>();
  for (const name of names) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part !== undefined) found.set(name, part);
  }
  return found;
}
