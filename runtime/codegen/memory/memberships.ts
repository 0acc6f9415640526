/**
 * Memberships of an argument in the value of a rule that several bodies of a function ask for:
 * `shown(key, value) := value if key in visible` beside `shown(key, value) := "" if not key in
 * visible`. The first answer is kept in a variable.
 */
import {
  type Index,
  type LoweredFunction,
  type LoweredOf,
  type LoweredStmt,
  outermostBlocks,
  type Register,
} from '../../lowering/lowered.js';
import { eachBlock, usesOf, writtenBy } from '../../lowering/register-uses.js';

type Member = LoweredOf<'member'>;
type Uses = ReadonlyMap<Register, readonly LoweredStmt[]>;

/** The documents are the first parameters. */
const firstArgument = 2;

export class Memberships {
  /** The number of the answer that a statement shares with others. */
  readonly #answers = new Map<LoweredStmt, number>();
  /** The number of answers. */
  readonly size: number;

  constructor(func: LoweredFunction) {
    const found = new Map<string, Member[]>();
    const blocks = func.params > firstArgument ? outermostBlocks(func) : [];
    for (const block of blocks) {
      const members: Member[] = [];
      eachBlock(block, (inner) => {
        for (const stmt of inner) if (stmt.kind === 'member') members.push(stmt);
      });
      if (members.length === 0) continue;
      const uses = usesOf(block);
      for (const stmt of members) {
        const { element, collection } = stmt;
        const isArgument = element >= firstArgument && element < func.params;
        const rule = isArgument && collection >= func.cleared ? ruleOf(collection, uses) : undefined;
        if (rule === undefined) continue;
        const asked = `${element} ${rule}`;
        found.set(asked, [...(found.get(asked) ?? []), stmt]);
      }
    }
    const repeated = [...found.values()].filter(
      (stmts) => stmts.length > 1 && writersOf(stmts[0]!.element, usesOf(blocks.flat())).length === 0,
    );
    this.size = repeated.length;
    for (const [i, stmts] of repeated.entries()) for (const stmt of stmts) this.#answers.set(stmt, i);
  }

  of(stmt: Member): number | undefined {
    return this.#answers.get(stmt);
  }
}

function writersOf(register: Register, uses: Uses): readonly LoweredStmt[] {
  return (uses.get(register) ?? []).filter(
    (stmt) =>
      writtenBy(stmt) === register || (stmt.kind === 'scan' && (stmt.key === register || stmt.value === register)),
  );
}

/** The rule whose value a register has wherever it is read. */
function ruleOf(register: Register, uses: Uses): Index | undefined {
  const [call, ...others] = writersOf(register, uses);
  return call?.kind === 'call' && call.args.length === firstArgument && others.length === 0 ? call.func : undefined;
}
