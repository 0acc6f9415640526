import { type Members, partMembers, statementMembers } from './generated/validate-plan.js';
import { isJson, type JsonMembers } from './nesting.js';
import { pointTo } from './plan-error.js';
import type { UnknownMembers } from './unknown-members.js';

type Copy = Record<string, unknown>;

/** A copy of a block, whose members are still the old ones. */
interface WaitingBlock {
  readonly copy: Copy;
  readonly pointer: string;
}

/**
 * Converts a plan of an older or newer release, or of another compiler, to the present form;
 * anything else is left for the validator:
 * - members that the form does not have are left out;
 * - positions may have a start only: it becomes the end too; what else is missing is 0;
 * - `MakeNumberRefStmt` may have `Index` only: it becomes `index`;
 * - empty tables may be null rather than absent, a block's statements null rather than empty, a
 *   built-in's `decl` and the location of a rule that is not planned absent.
 *
 * Returns a copy, and takes any depth.
 * @param unknown receives the members that are left out
 */
export function normalizePlan(policy: unknown, unknown?: UnknownMembers): unknown {
  return new Normalizer(unknown).normalize(policy);
}

/** A kind of object in a plan. */
interface Kind {
  readonly name: string;
  readonly members: ReadonlySet<string>;
  /** The members that hold objects of a plan, with their kinds. */
  readonly holders: readonly (readonly [member: string, kind: string])[];
}

const parts = kindsOf(partMembers);
const statements = kindsOf(statementMembers);
const envelope = parts.get('Stmt')!;

/** As a map: a plan's names may be those of properties that every object has. */
function kindsOf(table: Readonly<Record<string, Members>>): ReadonlyMap<string, Kind> {
  return new Map(
    Object.entries(table).map(([name, members]) => {
      // Statements are visited with the block that waits.
      const holders = Object.entries(members).filter(([, kind]) => kind !== '' && kind !== 'Stmt');
      return [name, { name, members: new Set(Object.keys(members)), holders }];
    }),
  );
}

/** Members that may be absent, and are null in plans of older releases. */
const absentIfNull: Readonly<Record<string, readonly string[]>> = {
  Policy: ['static', 'plans', 'funcs', 'unplanned_rules'],
  Static: ['strings', 'builtin_funcs', 'files'],
  Func: ['path'],
};

/** Makes a JSON pointer when it is needed: most objects have only known members. */
type Pointer = () => string;

class Normalizer {
  /** Blocks are nested to any depth, so they wait for their turn. */
  readonly #waiting: WaitingBlock[] = [];
  readonly #unknown: UnknownMembers | undefined;

  constructor(unknown: UnknownMembers | undefined) {
    this.#unknown = unknown;
  }

  normalize(policy: unknown): unknown {
    const copy = this.#part('Policy', policy, () => '');
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { copy: block, pointer } = next;
      if (Array.isArray(block.stmts)) block.stmts = block.stmts.map((stmt, i) => this.#envelope(stmt, pointer, i));
    }
    return copy;
  }

  #envelope(value: unknown, block: string, index: number): unknown {
    if (!isJson(value)) return value;
    const pointer = () => pointTo(block, 'stmts', index);
    const known = hasOnly(value, envelope.members) ? value : this.#known(envelope, value, pointer);
    const kind = typeof known.type === 'string' ? statements.get(known.type) : undefined;
    if (!kind || !isJson(known.stmt)) return known;
    return { ...known, stmt: this.#statement(kind, known.stmt, () => pointTo(pointer(), 'stmt')) };
  }

  #statement(kind: Kind, stmt: JsonMembers, pointer: Pointer): Copy {
    const copy: Copy = hasOnly(stmt, kind.members) ? { ...stmt } : this.#known(kind, stmt, pointer);
    this.#holders(kind, copy, pointer);
    completePosition(copy);
    if (kind.name === 'MakeNumberRefStmt' && copy.index === undefined && copy.Index !== undefined)
      copy.index = copy.Index;
    return copy;
  }

  /** An object of a plan other than a statement, or whatever stands in its place. */
  #part(name: string, value: unknown, pointer: Pointer): unknown {
    if (!isJson(value)) return value;
    const kind = parts.get(name)!;
    const copy: Copy = hasOnly(value, kind.members) ? { ...value } : this.#known(kind, value, pointer);
    this.#holders(kind, copy, pointer);
    for (const member of absentIfNull[name] ?? []) if (copy[member] === null) delete copy[member];
    switch (name) {
      case 'Block':
        if (copy.stmts === null) copy.stmts = [];
        this.#waiting.push({ copy, pointer: pointer() });
        break;
      case 'Location':
        completePosition(copy);
        break;
      case 'BuiltinFunc':
        copy.decl ??= null;
        break;
      case 'UnplannedRule':
        copy.location ??= null;
    }
    return copy;
  }

  /** Replaces the objects of a plan in a copy by copies of theirs. */
  #holders(kind: Kind, copy: Copy, pointer: Pointer): void {
    for (const [member, held] of kind.holders) {
      const value = copy[member];
      if (Array.isArray(value)) {
        if (!value.every((element) => isDone(held, element)))
          copy[member] = this.#list(held, value, () => pointTo(pointer(), member));
      } else if (isJson(value) && !isDone(held, value))
        copy[member] = this.#part(held, value, () => pointTo(pointer(), member));
    }
  }

  /** A copy with the members that are known. */
  #known(kind: Kind, object: JsonMembers, pointer: Pointer): Copy {
    const entries = Object.entries(object);
    for (const [member] of entries) if (!kind.members.has(member)) this.#unknown?.add(member, kind.name, pointer());
    return Object.fromEntries(entries.filter(([member]) => kind.members.has(member)));
  }

  #list(kind: string, values: readonly unknown[], pointer: Pointer): unknown[] {
    return values.map((value, i) => this.#part(kind, value, () => pointTo(pointer(), i)));
  }
}

const operand = parts.get('Operand')!;

/** Most objects are operands, with nothing to do: they are not copied. */
function isDone(kind: string, value: unknown): boolean {
  return kind === 'Operand' && isJson(value) && hasOnly(value, operand.members);
}

function hasOnly(object: JsonMembers, members: ReadonlySet<string>): boolean {
  for (const member in object) if (!members.has(member)) return false;
  return true;
}

function completePosition(position: Copy): void {
  position.file ??= 0;
  position.row ??= 0;
  position.col ??= 0;
  position.end_row ??= position.row;
  position.end_col ??= position.col;
}
