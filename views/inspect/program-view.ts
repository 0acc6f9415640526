/** The instructions of plans and functions, with the addresses of their statements. */
import type { AddressedOwner, Addresses, Policy } from '../../ir-schema/index.js';
import { type PlaceText, StatementText } from '../../ir-schema/index.js';
import type { Program, ProgramFunction } from '../../runtime/index.js';
import { assembleListed, JavaScriptListing, listInstructions } from '../../runtime/index.js';
import type { CodeLine } from './code-line.js';

/** A plan or function as instructions. */
export interface ListedCode {
  readonly name: string;
  readonly kind: ProgramFunction['kind'];
  readonly params: number;
  readonly registers: number;
  readonly instructions: readonly ListedInstruction[];
}

interface ListedInstruction {
  readonly pc: number;
  readonly text: string;
  /** The positions where it may go on, other than the next one. */
  readonly targets?: readonly number[];
  /** The address of its statement; absent where there is none. */
  readonly at?: string;
  readonly location?: PlaceText;
}

/** A plan or function as JavaScript. */
export interface ListedScript {
  readonly name: string;
  readonly kind: ProgramFunction['kind'];
  readonly lines: readonly ScriptLine[];
}

interface ScriptLine {
  readonly text: string;
  readonly at?: string;
  readonly location?: PlaceText;
}

/** The program of a verified plan, for views of its instructions and of its JavaScript. */
export class ProgramView {
  readonly #program: Program;
  readonly #addresses: Addresses;
  readonly #text: StatementText;
  readonly #script: JavaScriptListing;
  readonly #planCount: number;

  constructor(policy: Policy, addresses: Addresses) {
    this.#program = assembleListed(policy);
    this.#addresses = addresses;
    this.#text = new StatementText(policy);
    this.#script = new JavaScriptListing(this.#program);
    this.#planCount = addresses.owners.filter(({ kind }) => kind === 'plan').length;
  }

  code(owner: AddressedOwner): ListedCode {
    const { func } = this.#find(owner);
    const { kind, params, registers } = func;
    const instructions = listInstructions(this.#program, func).map(({ pc, text, targets, origin }) => ({
      pc,
      text,
      ...(targets.length > 0 && { targets }),
      ...this.#statement(origin),
    }));
    return { name: owner.name, kind, params, registers, instructions };
  }

  script(owner: AddressedOwner): ListedScript {
    const { func, index } = this.#find(owner);
    const lines = this.#script.lines(index);
    return {
      name: owner.name,
      kind: func.kind,
      lines: lines.map(({ text, origin }) => ({ text, ...this.#statement(origin) })),
    };
  }

  /** The program has the functions before the plans, both in the order of the policy. */
  #find({ kind, index: place }: AddressedOwner): { readonly func: ProgramFunction; readonly index: number } {
    const { functions } = this.#program;
    const index = place - this.#planCount + (kind === 'plan' ? functions.length : 0);
    return { func: functions[index]!, index };
  }

  #statement(origin: number): Pick<ListedInstruction, 'at' | 'location'> {
    const stmt = this.#program.statements?.[origin - 1]?.stmt;
    const found = stmt && this.#addresses.find(stmt);
    if (found === undefined) return {};
    const location = this.#text.place(found.stmt);
    return { at: found.address, ...(location && { location }) };
  }
}

/**
 * The lines of instructions: position in the code, instruction, numbers of the address and position
 * of the statement.
 */
export function codeLines({ name, kind, params, registers, instructions }: ListedCode): readonly CodeLine[] {
  return [
    { text: `${kind} ${name}  params ${params}  registers ${registers}` },
    ...instructions.map(({ pc, text, at, location }) => {
      return {
        text: `  ${String(pc).padStart(5)}  ${text}${comment('  ; ', name, at, location)}`,
        ...(at !== undefined && { at }),
      };
    }),
  ];
}

/** The lines of JavaScript; the first line of each statement says its address and position. */
export function scriptLines({ name, kind, lines }: ListedScript): readonly CodeLine[] {
  let last: string | undefined;
  const listed = lines.map(({ text, at, location }) => {
    const said = at === last ? '' : comment(' // ', name, at, location);
    last = at;
    return { text: `${text}${said}`, ...(at !== undefined && { at }) };
  });
  return [{ text: `// ${kind} ${name}` }, ...listed];
}

function comment(before: string, owner: string, at: string | undefined, place: PlaceText | undefined): string {
  if (at === undefined) return '';
  const numbers = at.slice(owner.length + 1);
  return `${before}${numbers}${place === undefined ? '' : ` ${place.file}:${place.row}:${place.col}`}`;
}
