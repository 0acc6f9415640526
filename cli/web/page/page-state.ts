/** The state of the page. Parts of it are in the address's fragment: a link holds them. */

import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import type { PageData, PagePlan, PageSource } from '../data/page-data.js';
import { Links } from './links.js';
import { type Theme, themes } from './theme-button.js';

export const paneNames = ['source', 'plan', 'program', 'js'] as const;
export type PaneName = (typeof paneNames)[number];

const viewNames = ['code', 'calls', 'blocks', 'passes', 'diff'] as const;
export type ViewName = (typeof viewNames)[number];

export const viewTitles: Readonly<Record<ViewName, string>> = {
  code: 'Code',
  calls: 'Calls',
  blocks: 'Blocks',
  passes: 'Passes',
  diff: 'Diff',
};

const none: readonly number[] = [];

/** The pane in which statements were chosen; the pane that did need not scroll to them. */
export type Chooser = PaneName | undefined;

export class PageState {
  readonly data: PageData;
  /** The plan of the page, or that of a query or a recording. */
  readonly plan: Signal<PagePlan>;
  readonly sources: Signal<readonly PageSource[]>;
  readonly links;
  /** The views that the page has. */
  readonly views: readonly ViewName[];
  readonly view;
  readonly panes = signal<ReadonlySet<PaneName>>(new Set(paneNames));
  /** On a narrow screen one pane is shown. */
  readonly front = signal<PaneName>('plan');
  readonly file = signal('');
  readonly theme = signal<Theme>('auto');
  /** Statements under the pointer. */
  readonly hovered = signal(none);
  /** Statements that the cursor is on, or that a link names. */
  readonly chosen = signal(none);
  readonly chooser = signal<Chooser>(undefined);
  readonly lit;
  /** The plan or function that graphs show. */
  readonly owner;
  readonly isRunOpen = signal(false);
  /** Parts of the fragment that others keep. */
  readonly more = signal<Readonly<Record<string, string>>>({});

  constructor(data: PageData) {
    this.data = data;
    this.views = viewNames.filter((name) => name !== 'diff' || data.other !== undefined);
    this.view = signal(this.#firstView);
    this.plan = signal(data.recording?.plan ?? data.plan);
    this.sources = signal(data.recording?.sources ?? data.sources);
    this.links = computed(() => new Links(this.plan.value, this.sources.value));
    this.lit = computed(() => (this.hovered.value.length > 0 ? this.hovered.value : this.chosen.value));
    this.owner = computed(() => Math.max(0, this.links.value.ownerOf(this.chosen.value[0] ?? 0)));
    this.file.value = this.links.value.firstFile ?? this.sources.value[0]?.file ?? '';
  }

  /** With a second plan the differences come first. */
  get #firstView(): ViewName {
    return this.data.other === undefined ? 'code' : 'diff';
  }

  /** Shows another plan, as that of a query. */
  showPlan(plan: PagePlan, sources = this.data.sources): void {
    if (plan === this.plan.value) return;
    batch(() => {
      this.sources.value = sources;
      this.hovered.value = none;
      this.chosen.value = none;
      this.plan.value = plan;
      if (!sources.some(({ file }) => file === this.file.value))
        this.file.value = this.links.value.firstFile ?? sources[0]?.file ?? '';
    });
  }

  /** Lights statements, and shows them in the panes that did not choose them. */
  choose(statements: readonly number[], chooser?: Chooser): void {
    batch(() => {
      this.chooser.value = chooser;
      if (!sameNumbers(this.chosen.value, statements)) this.chosen.value = statements;
      const file = statements[0] === undefined ? undefined : this.links.value.fileOf(statements[0]);
      if (chooser !== 'source' && file !== undefined) this.file.value = file;
    });
  }

  /** Chooses the first statement of a plan or a function. */
  chooseOwner(owner: number): void {
    const first = this.links.value.owners[owner]?.first;
    if (first !== undefined) this.choose([first]);
  }

  hover(statements: readonly number[]): void {
    if (!sameNumbers(this.hovered.value, statements)) this.hovered.value = statements;
  }

  togglePane(name: PaneName): void {
    const shown = new Set(this.panes.value);
    if (!shown.delete(name)) shown.add(name);
    // One stays.
    if (shown.size > 0) this.panes.value = shown;
  }

  /** Reads the fragment now, and writes it when something of it changes. */
  keepInFragment(): void {
    this.#readFragment();
    addEventListener('hashchange', () => this.#readFragment());
    effect(() => {
      const text = this.#fragment();
      if (text !== location.hash.slice(1)) history.replaceState(undefined, '', `#${text}`);
    });
  }

  #fragment(): string {
    const parts = new URLSearchParams();
    if (this.view.value !== this.#firstView) parts.set('view', this.view.value);
    if (this.panes.value.size < paneNames.length)
      parts.set('panes', paneNames.filter((name) => this.panes.value.has(name)).join(','));
    if (this.front.value !== 'plan') parts.set('front', this.front.value);
    const { chosen, links } = this;
    if (chosen.value.length > 0)
      parts.set('at', chosen.value.map((statement) => links.value.address(statement)).join(','));
    if (this.file.value !== (this.sources.value[0]?.file ?? '')) parts.set('file', this.file.value);
    if (this.theme.value !== 'auto') parts.set('theme', this.theme.value);
    if (this.isRunOpen.value) parts.set('run', 'open');
    for (const [name, text] of Object.entries(this.more.value)) parts.set(name, text);
    // Slashes and commas are plain in a fragment, and addresses are easier to read with them.
    return parts.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  }

  #readFragment(): void {
    const parts = new URLSearchParams(location.hash.slice(1));
    const oneOf = <Name extends string>(names: readonly Name[], name: string) =>
      names.find((known) => known === parts.get(name));
    batch(() => {
      this.view.value = oneOf(this.views, 'view') ?? this.#firstView;
      const panes = parts.get('panes')?.split(',');
      const shown = paneNames.filter((name) => panes === undefined || panes.includes(name));
      this.panes.value = new Set(shown.length > 0 ? shown : paneNames);
      this.front.value = oneOf(paneNames, 'front') ?? 'plan';
      this.theme.value = oneOf(themes, 'theme') ?? 'auto';
      this.isRunOpen.value = parts.get('run') === 'open';
      const statements = (parts.get('at') ?? '').split(',').map((address) => this.links.value.statementAt(address));
      this.choose(statements.filter((statement) => statement !== undefined));
      const file = parts.get('file');
      if (file !== null && this.sources.value.some((source) => source.file === file)) this.file.value = file;
      const own = new Set(['view', 'panes', 'front', 'theme', 'run', 'at', 'file']);
      this.more.value = Object.fromEntries([...parts].filter(([name]) => !own.has(name)));
    });
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
}

/** `1 plan`, `1,234 statements`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
