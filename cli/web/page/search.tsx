/** Search over functions, addresses, statements and sources: one box, its results below. */
import { useComputed, useSignal } from '@preact/signals';
import type { Links } from './links.js';
import type { PageState } from './page-state.js';

interface Found {
  readonly title: string;
  readonly detail: string;
  readonly statements: readonly number[];
}

const mostFound = 40;

export function SearchBox({ state }: { readonly state: PageState }) {
  const text = useSignal('');
  const active = useSignal(0);
  const found = useComputed(() => findIn(state.links.value, text.value));
  const choose = (one: Found | undefined): void => {
    if (one === undefined) return;
    state.choose(one.statements);
    text.value = '';
    (document.activeElement as HTMLElement | null)?.blur();
    document.querySelector<HTMLElement>('.pane-plan .cm-content')?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    const { length } = found.value;
    if (event.key === 'Escape') text.value = '';
    else if (event.key === 'Enter') choose(found.value[active.value]);
    else if (event.key === 'ArrowDown' && length > 0) active.value = (active.value + 1) % length;
    else if (event.key === 'ArrowUp' && length > 0) active.value = (active.value + length - 1) % length;
    else return;
    event.preventDefault();
  };
  const isOpen = found.value.length > 0;
  return (
    <search class="search">
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded={isOpen}
        aria-controls="search-results"
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `search-result-${active.value}` : undefined}
        placeholder="Search  /"
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={onKey}
      />
      {/* The list is there while it is empty: the box names it. */}
      <div
        id="search-results"
        class="results"
        role="listbox"
        tabIndex={-1}
        aria-label="Search results"
        hidden={!isOpen}
      >
        {found.value.map((one, i) => (
          <div
            key={`${one.title} ${one.detail}`}
            id={`search-result-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active.value}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(one);
            }}
          >
            <span>{one.title}</span> <small>{one.detail}</small>
          </div>
        ))}
      </div>
    </search>
  );
}

/** Functions and addresses that contain a text come first, then statements. */
function findIn(links: Links, text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const found: Found[] = [];
  const exact = links.statementAt(text.trim());
  if (exact !== undefined) found.push({ title: text.trim(), detail: 'statement', statements: [exact] });
  for (const { name, kind, first, count } of links.owners) {
    if (name.toLowerCase().includes(wanted) && count > 0)
      found.push({ title: name, detail: kind, statements: [first] });
    if (found.length >= mostFound) return found;
  }
  const { text: listing, statements } = links.code('plan');
  for (const [i, line] of listing.split('\n').entries()) {
    const statement = statements[i] ?? -1;
    if (statement < 0 || !line.toLowerCase().includes(wanted)) continue;
    found.push({ title: line.trim(), detail: links.address(statement), statements: [statement] });
    if (found.length >= mostFound) break;
  }
  return found;
}
