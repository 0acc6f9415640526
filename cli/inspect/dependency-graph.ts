/** The rules and documents that read each other, as a graph. */

import { type CompiledRule, groundPrefix, printTerm, type RefTerm, refPrefix } from '../../compiler/index.js';
import { dotString } from '../../views/index.js';
import type { Dependencies } from './dependencies.js';

/** The reads of a query, with names as policies write them, in the order of the names. */
export interface DependencyGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

interface GraphNode {
  readonly name: string;
  readonly kind: 'query' | 'rule' | 'package' | 'base' | 'input';
}

interface GraphEdge {
  /** Names of nodes. */
  readonly from: string;
  readonly to: string;
}

interface GraphOptions {
  /** The node of the query; without it the query is left out. */
  readonly query: string | undefined;
  /** Whether nodes are packages in the place of rules, and base documents by their first key. */
  readonly packages: boolean;
}

export function dependencyGraph({ reads }: Dependencies, { query, packages }: GraphOptions): DependencyGraph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const ruleNode = (rule: CompiledRule) => added(nodes, packages ? packageNode(rule) : ruleNodeOf(rule));
  for (const { from, to } of reads) {
    const reader = from === undefined ? query && added(nodes, { name: query, kind: 'query' }) : ruleNode(from);
    const read = 'module' in to ? ruleNode(to) : added(nodes, baseNode(to, packages));
    // Rules of a package read each other.
    if (reader !== undefined && !(packages && reader === read))
      edges.set(JSON.stringify([reader, read]), { from: reader, to: read });
  }
  const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    nodes: [...nodes.values()].toSorted((a, b) => byName(a.name, b.name)),
    edges: [...edges.values()].toSorted((a, b) => byName(a.from, b.from) || byName(a.to, b.to)),
  };
}

function added(nodes: Map<string, GraphNode>, node: GraphNode): string {
  nodes.set(node.name, node);
  return node.name;
}

function ruleNodeOf({ rule, ref }: CompiledRule): GraphNode {
  return { name: printTerm({ type: 'ref', loc: rule.loc, terms: groundPrefix(ref) }), kind: 'rule' };
}

function packageNode({ module, rule }: CompiledRule): GraphNode {
  return { name: printTerm({ type: 'ref', loc: rule.loc, terms: module.parsed.package.path }), kind: 'package' };
}

function baseNode(ref: RefTerm, isShort: boolean): GraphNode {
  const kind = printTerm(ref.terms[0]) === 'input' ? 'input' : 'base';
  const terms = isShort ? refPrefix(ref.terms, kind === 'input' ? 1 : 2) : ref.terms;
  return { name: terms.length === 1 ? kindName[kind] : printTerm({ ...ref, terms }), kind };
}

const kindName = { input: 'input', base: 'data' } as const;

const dotShapes: Readonly<Record<GraphNode['kind'], string>> = {
  query: 'shape=box, style=bold',
  rule: 'shape=box',
  package: 'shape=folder',
  base: 'shape=cylinder',
  input: 'shape=box, style=rounded',
};

/** In the language of Graphviz. */
export function dependencyDot({ nodes, edges }: DependencyGraph): string {
  const lines = [
    ...nodes.map(({ name, kind }) => `  ${dotString(name)} [${dotShapes[kind]}];`),
    ...edges.map(({ from, to }) => `  ${dotString(from)} -> ${dotString(to)};`),
  ];
  return ['digraph dependencies {', '  rankdir=LR;', '  node [fontname="monospace"];', ...lines, '}', ''].join('\n');
}

/** The brackets around the name of a node. */
const mermaidShapes: Readonly<Record<GraphNode['kind'], readonly [string, string]>> = {
  query: ['[[', ']]'],
  rule: ['[', ']'],
  package: ['[/', '/]'],
  base: ['[(', ')]'],
  input: ['([', '])'],
};

/** In the language of Mermaid, which Markdown of GitHub and GitLab shows. */
export function dependencyMermaid({ nodes, edges }: DependencyGraph): string {
  const ids = new Map(nodes.map(({ name }, i) => [name, `n${i}`]));
  const lines = [
    ...nodes.map(({ name, kind }) => {
      const [before, after] = mermaidShapes[kind];
      return `  ${ids.get(name)}${before}"${mermaidText(name)}"${after}`;
    }),
    ...edges.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`),
  ];
  return ['flowchart LR', ...lines, ''].join('\n');
}

/** Characters that the language or HTML would read are written by their numbers. */
function mermaidText(text: string): string {
  return text.replaceAll(/["#<>&`\\]/g, (character) => `#${character.charCodeAt(0)};`);
}
