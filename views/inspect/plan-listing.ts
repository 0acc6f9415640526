/** The statements of plans and functions. */
import type {
  AddressedOwner,
  AddressedStatement,
  Addresses,
  Block,
  DebugIndex,
  DebugReason,
  Policy,
  Stmt,
} from '../../ir-schema/index.js';
import { blocksOf, effectsOf, type PlaceText, StatementText } from '../../ir-schema/index.js';
import type { CodeLine } from './code-line.js';
import { widest } from './columns.js';
import { type SourceLines, sourceLine } from './source-view.js';

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

export interface ListedStatement {
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
  /** The author's names of the locals that it reads and writes, by local. */
  readonly names?: Readonly<Record<string, string>>;
  /** Why it stands here, and the rule whose value it serves. */
  readonly reason?: DebugReason;
  readonly rule?: string;
}

export function listBodies(
  policy: Policy,
  addresses: Addresses,
  owners: readonly AddressedOwner[],
  debug?: DebugIndex,
): ListedBody[] {
  const text = new StatementText(policy);
  return owners.map((owner) => {
    const { name, kind, body } = owner;
    const signature = 'params' in body && {
      ...(body.path && { path: body.path }),
      params: (body.params ?? []).map((local) => text.local(local)),
      return: text.local(body.return),
    };
    const statements = addresses.inside(owner).map((statement) => listStatement(statement, text, debug));
    return { name, kind, title: titleOf(owner, text), ...signature, blocks: body.blocks?.length ?? 0, statements };
  });
}

export function listStatement(
  statement: AddressedStatement,
  text: StatementText,
  debug: DebugIndex | undefined,
): ListedStatement {
  const { address, stmt, depth } = statement;
  const location = text.place(stmt);
  const blocks = blocksOf(stmt).length;
  const type = stmt.type.slice(0, -'Stmt'.length);
  const listed = {
    address,
    type,
    text: text.statement(stmt),
    depth,
    ...(blocks > 0 && { blocks }),
    ...(location && { location }),
  };
  if (debug === undefined) return listed;
  const { reason, rule } = debug.at(address);
  const names = Object.fromEntries(namesAt(statement, debug).map(([local, name]) => [`l${local}`, name]));
  const named = Object.keys(names).length > 0 && { names };
  return { ...listed, ...named, ...(reason && { reason }), ...(rule && { rule: rule.path }) };
}

/** The locals of a statement that have names of the author, each once. */
function namesAt({ address, stmt }: AddressedStatement, debug: DebugIndex): (readonly [number, string])[] {
  const names = debug.locals(address);
  if (names.size === 0) return [];
  const { reads, writes } = effectsOf(stmt);
  const used = new Set([...writes, ...reads]);
  return [...names].flatMap(([name, local]) => (used.has(local) ? [[local, name] as const] : []));
}

/** The names of a statement's locals: `l13 = role, l8 = grant`. */
export function namesText(statement: AddressedStatement, debug: DebugIndex): string {
  return namesAt(statement, debug)
    .map(([local, name]) => `l${local} = ${name}`)
    .join(', ');
}

/** The usual reasons, which need no word. */
const plainReasons: ReadonlySet<DebugReason> = new Set<DebugReason>(['expression', 'rule', 'query']);

/** The note of the debug information about a statement: `  l13 = role  (guard)`. */
function noteOf(statement: AddressedStatement, debug: DebugIndex): string {
  const { reason } = debug.at(statement.address);
  const reasons = reason === undefined || plainReasons.has(reason) ? [] : [`(${reason})`];
  return [namesText(statement, debug), ...reasons].map((part) => (part === '' ? '' : `  ${part}`)).join('');
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
  /** Quotes lines of the source before their statements. */
  readonly linesOf?: SourceLines;
  /** Names of the author behind the statements, and reasons. */
  readonly debug?: DebugIndex | undefined;
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

function bodyLines(owner: AddressedOwner, addresses: Addresses, text: StatementText, style: ListingStyle): CodeLine[] {
  const { fullAddresses, linesOf } = style;
  const statements = addresses.inside(owner);
  const label = ({ address, steps }: AddressedStatement) => (fullAddresses ? address : steps.join('.'));
  const width = Math.min(fullAddresses ? Infinity : widestNumbers, widest(statements.map(label)));
  const lines: CodeLine[] = [];
  let next = 0;
  let quoted = '';
  const quote = (stmt: Stmt) => {
    const place = text.place(stmt);
    if (place === undefined) return;
    const line = linesOf?.(place.file)?.[place.row - 1];
    const at = `${place.file}:${place.row}`;
    if (line === undefined || quoted === at) return;
    quoted = at;
    lines.push({ text: `  ${sourceLine(place.row, line)}` });
  };
  const pushBlock = (block: Block, level: number): void => {
    for (const stmt of block.stmts) {
      // In the order of the addresses.
      const statement = statements[next++]!;
      quote(stmt);
      const code = `  ${label(statement).padEnd(width)}  ${indent(level)}${text.statement(stmt)}`;
      const note = style.debug ? noteOf(statement, style.debug) : '';
      lines.push({
        text: `${code.padEnd(positionColumn + width)}  ${text.position(stmt)}${note}`,
        at: statement.address,
      });
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
