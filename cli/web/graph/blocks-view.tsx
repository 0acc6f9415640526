/** The blocks of a plan or a function, and the ways between them. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Links } from '../page/links.js';
import type { PageState } from '../page/page-state.js';
import { FitButton } from './fit-button.js';
import { GraphView } from './graph-view.js';
import type { GraphEdge, GraphNode } from './layout.js';

const mostLines = 14;
const longestLine = 64;

export function BlocksView({ state }: { readonly state: PageState }) {
  const links = state.links.value;
  const { owners } = links;
  const index = state.owner.value;
  const isFit = useSignal(false);
  const { nodes, edges, blocks } = useMemo(() => blockNodes(links, index), [links, index]);
  const address = links.address(state.chosen.value[0] ?? -1);
  const chosen = blocks.findIndex(({ statements }) => statements.includes(address));
  const choose = ({ id }: GraphNode) => {
    const statement = links.statementAt(blocks[Number(id)]?.statements[0] ?? '');
    if (statement !== undefined) state.choose([statement]);
  };
  return (
    <div class="graph-view">
      <div class="bar">
        <label>
          Blocks of{' '}
          <select value={index} onChange={({ currentTarget }) => state.chooseOwner(Number(currentTarget.value))}>
            {owners.map((each, i) => (
              <option key={each.name} value={i}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <FitButton isFit={isFit} />
      </div>
      <GraphView
        state={state}
        label={`Blocks of ${owners[index]?.name ?? 'nothing'}`}
        nodes={nodes}
        edges={edges}
        chosen={chosen < 0 ? undefined : String(chosen)}
        onChoose={choose}
        onOpen={(node) => {
          choose(node);
          state.view.value = 'code';
        }}
        isFit={isFit.value}
      />
    </div>
  );
}

function blockNodes(links: Links, owner: number) {
  const blocks = links.blocksOf(owner);
  const nodes = blocks.map(({ id, title, statements }): GraphNode => {
    const lines = statements.slice(0, mostLines).map((address) => {
      const statement = links.statementAt(address) ?? -1;
      return { text: cut(links.textOf(statement)), statement };
    });
    const left = statements.length - lines.length;
    const more = left > 0 ? [{ text: `… ${left} more` }] : [];
    return {
      id: String(id),
      kind: statements.length === 0 ? 'point' : 'block',
      lines: [{ text: title }, ...lines, ...more],
    };
  });
  const edges = blocks.flatMap(({ id, edges: ways }) =>
    ways.map(
      ({ to, kind }): GraphEdge => ({
        from: String(id),
        to: String(to),
        kind,
        ...(kind !== 'next' && { label: kind }),
      }),
    ),
  );
  return { nodes, edges, blocks };
}

function cut(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}
