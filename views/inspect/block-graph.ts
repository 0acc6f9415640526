/**
 * The ways through a plan or function: a graph of its statements. docs/plan.md tells where a block
 * that ends, or is cut short, goes on.
 */
import type { AddressedOwner, AddressedStatement, Addresses, Block, Policy, Stmt } from '../../ir-schema/index.js';
import { alwaysGoesOn, blocksOf, StatementText } from '../../ir-schema/index.js';

/** Statements that run one after the other, but for those that are undefined. */
interface GraphNode {
  readonly id: number;
  /** Numbers of the addresses of the first and the last statement; `end` where the body ends. */
  readonly title: string;
  /** Their addresses. */
  readonly statements: readonly string[];
  readonly edges: readonly GraphEdge[];
}

interface GraphEdge {
  readonly to: number;
  /**
   * `undefined`: a statement of the node is; `inside`: into a block of its last statement; `loop`:
   * to the next element.
   */
  readonly kind: 'next' | 'undefined' | 'inside' | 'loop' | 'break' | 'return';
}

export interface BlockGraph {
  readonly name: string;
  readonly kind: AddressedOwner['kind'];
  readonly nodes: readonly GraphNode[];
}

export function blockGraph(addresses: Addresses, owner: AddressedOwner): BlockGraph {
  const builder = new GraphBuilder(addresses.inside(owner));
  return { name: owner.name, kind: owner.kind, nodes: builder.build(owner.body.blocks ?? []) };
}

function distinct(edges: readonly GraphEdge[]): GraphEdge[] {
  return [...new Map(edges.map((edge) => [`${edge.to} ${edge.kind}`, edge])).values()];
}

interface OpenNode {
  readonly id: number;
  readonly statements: AddressedStatement[];
  readonly edges: { readonly to: Label; readonly kind: GraphEdge['kind'] }[];
}

/** Where an edge leads: the node that is next once the label is placed, or to another label. */
class Label {
  target: OpenNode | Label | undefined;

  /** The node of a built graph, in which each label is placed. */
  get node(): OpenNode {
    let { target } = this;
    while (target instanceof Label) target = target.target;
    return target!;
  }
}

/** Where each block around a statement goes on if it is cut short, the innermost first. */
type Cuts = readonly [Label, ...Label[]];

/** Statements without blocks that are never undefined. */
const goesOn: ReadonlySet<Stmt['type']> = new Set([...alwaysGoesOn, 'BlockStmt', 'WithStmt']);

class GraphBuilder {
  readonly #statements: readonly AddressedStatement[];
  /** The next statement, in the order of the addresses. */
  #next = 0;
  readonly #nodes: OpenNode[] = [];
  /** The node that statements are added to; undefined where a new one begins. */
  #node: OpenNode | undefined;
  /** Labels of the node that is next. */
  #waiting: Label[] = [];
  readonly #end = new Label();

  constructor(statements: readonly AddressedStatement[]) {
    this.#statements = statements;
  }

  build(blocks: readonly Block[]): GraphNode[] {
    this.#sequence(blocks, this.#end);
    this.#place(this.#end);
    this.#open();
    return this.#nodes.map(({ id, statements, edges }) => {
      const numbers = statements.map(({ steps }) => steps.join('.'));
      const title = numbers.length > 1 ? `${numbers[0]} – ${numbers.at(-1)}` : (numbers[0] ?? 'end');
      const leads = edges.map(({ to: { node }, kind }): GraphEdge => {
        // Only loops lead back.
        return { to: node.id, kind: kind === 'next' && node.id <= id ? 'loop' : kind };
      });
      return { id, title, statements: statements.map(({ address }) => address), edges: distinct(leads) };
    });
  }

  /** Blocks that run in turn. */
  #sequence(blocks: readonly Block[], end: Label, cuts: readonly Label[] = []): void {
    blocks.forEach((block, i) => {
      const next = i === blocks.length - 1 ? end : new Label();
      this.#block(block, next, 'next', [next, ...cuts]);
      if (next !== end) this.#place(next);
    });
    if (blocks.length === 0) this.#leave(end, 'next');
  }

  #block({ stmts }: Block, end: Label, kind: GraphEdge['kind'], cuts: Cuts): void {
    for (const _ of stmts) this.#statement(cuts);
    this.#leave(end, kind);
  }

  #statement(cuts: Cuts): void {
    // One for each statement of the blocks.
    const statement = this.#statements[this.#next++]!;
    const [cut] = cuts;
    const { stmt } = statement;
    if (stmt.type === 'ScanStmt') {
      const head = new Label();
      this.#leave(head, 'next');
      this.#place(head);
    }
    const node = this.#open();
    node.statements.push(statement);
    if (stmt.type === 'ReturnLocalStmt') return this.#leave(this.#end, 'return');
    if (stmt.type === 'BreakStmt') return this.#leave(cuts[stmt.stmt.index] ?? this.#end, 'break');
    const blocks = blocksOf(stmt);
    const mayBeUndefined = blocks.length === 0 ? !goesOn.has(stmt.type) : stmt.type === 'ScanStmt';
    if (mayBeUndefined) {
      node.edges.push({ to: cut, kind: 'undefined' });
    }
    if (blocks.length === 0) return;
    const after = new Label();
    this.#inner(statement, blocks, node, after, cuts);
    this.#place(after);
  }

  #inner({ stmt }: AddressedStatement, blocks: readonly Block[], node: OpenNode, after: Label, cuts: Cuts): void {
    const inside = new Label();
    this.#node = undefined;
    node.edges.push({ to: inside, kind: 'inside' });
    this.#place(inside);
    const [block] = blocks as readonly [Block];
    const [cut] = cuts;
    switch (stmt.type) {
      case 'ScanStmt': {
        const head = new Label();
        head.target = node;
        this.#block(block, head, 'loop', [head, ...cuts]);
        node.edges.push({ to: after, kind: 'next' });
        return;
      }
      case 'NotStmt':
        return this.#block(block, cut, 'undefined', [after, ...cuts]);
      case 'WithStmt':
        return this.#block(block, after, 'next', [cut, ...cuts]);
      default:
        return this.#sequence(blocks, after, cuts);
    }
  }

  /** The current node, or a new one. */
  #open(): OpenNode {
    if (this.#node !== undefined) return this.#node;
    const node: OpenNode = { id: this.#nodes.length, statements: [], edges: [] };
    this.#nodes.push(node);
    for (const label of this.#waiting) label.target = node;
    this.#waiting = [];
    return (this.#node = node);
  }

  /** Ends the current node. A block without statements has none: it goes on at once. */
  #leave(to: Label, kind: GraphEdge['kind']): void {
    if (this.#node !== undefined) this.#node.edges.push({ to, kind });
    else for (const label of this.#waiting) label.target = to;
    this.#waiting = [];
    this.#node = undefined;
  }

  /** The next node begins here, and the current one goes on there. */
  #place(label: Label): void {
    if (this.#node !== undefined) this.#leave(label, 'next');
    this.#waiting.push(label);
  }
}

const styles: Readonly<Record<GraphEdge['kind'], string>> = {
  next: '',
  undefined: ' [label="undefined", style=dashed]',
  inside: ' [label="inside"]',
  loop: ' [label="next element", style=dotted]',
  break: ' [label="break", color=red]',
  return: ' [label="return", color=blue]',
};

/** The graphs in the language of Graphviz, one cluster each. */
export function graphDot(policy: Policy, addresses: Addresses, graphs: readonly BlockGraph[]): string {
  const text = new StatementText(policy);
  const lines = graphs.flatMap(({ name, kind, nodes }, g) => [
    `  subgraph cluster_${g} {`,
    `    label=${dotString(`${kind} ${name}`)};`,
    ...nodes.map(({ id, statements }) => {
      const label = statements.map((address) => {
        // The graph is of the statements of this plan.
        const { stmt, steps } = addresses.at(address)!;
        return `${steps.join('.')}  ${text.statement(stmt)}`;
      });
      return `    b${g}_${id} [label=${label.length === 0 ? '"end", shape=ellipse' : dotString(label.join('\n'), true)}];`;
    }),
    ...nodes.flatMap(({ id, edges }) =>
      edges.map((edge) => `    b${g}_${id} -> b${g}_${edge.to}${styles[edge.kind]};`),
    ),
    '  }',
  ]);
  return ['digraph plan {', '  node [shape=box, fontname="monospace"];', ...lines, '}', ''].join('\n');
}

/** A string of Graphviz' language; lines are to the left where wanted. */
export function dotString(text: string, isLeft = false): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${escaped.replaceAll('\n', '\\l')}${isLeft ? '\\l' : ''}"`;
}
