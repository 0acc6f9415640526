/** The statements of plans and functions. */
import type { AddressedOwner, AddressedStatement, Addresses } from '../ir-schema/address.js';
import type { Block, Policy } from '../ir-schema/plan.js';
import { type PlaceText, StatementText } from '../ir-schema/statement-text.js';
import { blocksOf } from '../ir-schema/walk.js';
import type { CodeLine } from './code-line.js';

/** A plan or function as data: its statements in order, nested ones behind those around them. */
export interface ListedBody {
  /** The name that the addresses of its statements begin with. */
  readonly name: string;
  readonly kind: 'plan' | 'func';
  /** The first line of its listing. */
  readonly title: string;
  readonly path?: readonly string[];
  readonly params?: readonly string[];
  readonly return?: string;
  /** How many blocks it has; statements tell theirs by the address. */
  readonly blocks: number;
  readonly statements: readonly ListedStatement[];
}

interface ListedStatement {
  readonly address: string;
  /** Its name without `Stmt`. */
  readonly type: string;
  readonly text: string;
  /** How many blocks are around it. */
  readonly depth: number;
  /** How many blocks it has. */
  readonly blocks?: number;
  /** Absent for a statement that the compiler gave no position. */
  readonly location?: PlaceText;
}

export function listBodies(policy: Policy, addresses: Addresses, owners: readonly AddressedOwner[]): ListedBody[] {
  const text = new StatementText(policy);
  return owners.map((owner) => {
    const { name, kind, body } = owner;
    const signature = 'params' in body && {
      ...(body.path && { path: body.path }),
      params: (body.params ?? []).map((local) => text.local(local)),
      return: text.local(body.return),
    };
    const statements = addresses.inside(owner).map((statement) => listStatement(statement, text));
    return { name, kind, title: titleOf(owner, text), ...signature, blocks: body.blocks?.length ?? 0, statements };
  });
}

function listStatement({ address, stmt, depth }: AddressedStatement, text: StatementText): ListedStatement {
  const location = text.place(stmt);
  const blocks = blocksOf(stmt).length;
  const type = stmt.type.slice(0, -'Stmt'.length);
  return { address, type, text: text.statement(stmt), depth, ...(blocks > 0 && { blocks }), ...(location && { location }) };
}

function titleOf({ name, kind, body }: AddressedOwner, text: StatementText): string {
  if (kind === 'plan' || !('params' in body)) return `plan ${JSON.stringify(name)}`;
  const path = body.path ? ` path ${body.path.join('/')}` : '';
  return `func ${name}(${text.locals(body.params)}) returns ${text.local(body.return)}${path}`;
}

/** Positions stand in one column where the statements leave room. */
const positionColumn = 62;
/**
 * Deeper statements are not indented further: the listing must not grow with the square of the
 * depth.
 */
const deepestIndent = 60;
/** Longer numbers of addresses take the room that they need. */
const widestNumbers = 16;

export interface ListingStyle {
  /** Whether lines begin with the whole address, not with its numbers only. */
  readonly fullAddresses?: boolean;
}

/**
 * The lines of a listing: each plan and function, its statements nested by indentation, the numbers
 * of the address before them and the position behind.
 * @example
 * plan "authz/allow"
 *   block 0
 *   0.0  Call l2 := g0.data.authz.allow(input, data)               policy.rego:3:1-4:2
 */
export function listingLines(
  policy: Policy,
  addresses: Addresses,
  owners: readonly AddressedOwner[],
  style: ListingStyle = {},
): readonly CodeLine[] {
  const text = new StatementText(policy);
  return owners.flatMap((owner, i) => [
    ...(i > 0 ? [{ text: '' }] : []),
    { text: titleOf(owner, text) },
    ...bodyLines(owner, addresses, text, style),
  ]);
}

function bodyLines(owner: AddressedOwner, addresses: Addresses, text: StatementText, { fullAddresses }: ListingStyle): CodeLine[] {
  const statements = addresses.inside(owner);
  const label = ({ address, steps }: AddressedStatement) => (fullAddresses ? address : steps.join('.'));
  const width = Math.min(fullAddresses ? Infinity : widestNumbers, Math.max(0, ...statements.map((each) => label(each).length)));
  const lines: CodeLine[] = [];
  let next = 0;
  const pushBlock = (block: Block, level: number): void => {
    for (const stmt of block.stmts) {
      // In the order of the addresses.
      const statement = statements[next++]!;
      const code = `  ${label(statement).padEnd(width)}  ${indent(level)}${text.statement(stmt)}`;
      lines.push({ text: `${code.padEnd(positionColumn + width)}  ${text.position(stmt)}`, at: statement.address });
      blocksOf(stmt).forEach((inner, i) => {
        // Only a BlockStmt can have several, which run in turn.
        const isNumbered = stmt.type === 'BlockStmt';
        if (isNumbered) lines.push({ text: `${' '.repeat(width + 4)}${indent(level + 1)}block ${i}` });
        pushBlock(inner, level + (isNumbered ? 2 : 1));
      });
    }
  };
  (owner.body.blocks ?? []).forEach((block, i) => {
    lines.push({ text: `  block ${i}` });
    pushBlock(block, 0);
  });
  return lines;
}

function indent(level: number): string {
  return '  '.repeat(Math.min(level, deepestIndent));
}
