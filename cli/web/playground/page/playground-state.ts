/** The project that is edited, and the engine's answers about it. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { Requests } from '../../worker/protocol.js';
import { WorkerClient } from '../../worker/worker-client.js';
import type { PlaygroundReport, PlaygroundRequests, ProjectAnswer, ProjectQuestion } from '../worker/protocol.js';
import { examples } from './examples.js';
import { FolderClient } from './folder-project.js';
import { type LinkedProject, linkedProject, linkOf } from './project-link.js';

export const tabNames = ['result', 'why', 'tests', 'trace', 'partial'] as const;
export type TabName = (typeof tabNames)[number];

export const tabTitles: Readonly<Record<TabName, string>> = {
  result: 'Result',
  why: 'Why',
  tests: 'Tests',
  trace: 'Trace',
  partial: 'Partial',
};

type Engine = WorkerClient<PlaygroundRequests & Requests>;

/** An answer, or the error in its place. */
export type AnswerOrError<T> =
  | { readonly answer: T; readonly error?: undefined }
  | { readonly answer?: undefined; readonly error: string };

/**
 * Milliseconds within which changes are asked about together. Later ones wait for the answer under
 * way, so that fast typing asks no more often than the engine answers.
 */
const pause = 5;
/** An evaluation that takes longer is stopped. */
const longestMs = 10_000;

export class PlaygroundState {
  readonly engine: Engine = new WorkerClient(
    () => new Worker(new URL('engine.js', document.baseURI), { type: 'module', name: 'engine' }),
  );
  readonly files = signal(examples[0]!.files);
  /** The file in the editor. */
  readonly open = signal(examples[0]!.files[0]!.file);
  readonly input = signal(examples[0]!.input);
  readonly data = signal(examples[0]!.data);
  readonly query = signal(examples[0]!.query);
  readonly tab = signal<TabName>('result');
  readonly unknowns = signal('input');
  /** `rego`, or the target of a filter. */
  readonly target = signal('rego');
  readonly isInspecting = signal(false);
  /** The folder beside the page; undefined where there is none. */
  readonly folder = signal<FolderClient | undefined>(undefined);
  /** Where the editor is to put its cursor. */
  readonly place = signal<{ readonly row: number; readonly col: number } | undefined>(undefined);

  readonly evaluated = signal<AnswerOrError<ProjectAnswer> | undefined>(undefined);
  readonly why = signal<AnswerOrError<PlaygroundRequests['why']['answer']> | undefined>(undefined);
  readonly trace = signal<AnswerOrError<PlaygroundRequests['trace']['answer']> | undefined>(undefined);
  readonly tests = signal<AnswerOrError<PlaygroundReport> | undefined>(undefined);
  readonly partial = signal<AnswerOrError<string> | undefined>(undefined);
  readonly isBusy = signal(false);
  /** Said to readers of screens, and shown in the status bar. */
  readonly notice = signal('');

  readonly project = computed(() => ({ files: this.files.value, input: this.input.value, data: this.data.value }));
  readonly asked = computed((): ProjectQuestion => ({ ...this.project.value, query: this.query.value }));
  readonly problems = computed(() => this.evaluated.value?.answer?.problems ?? []);
  readonly warnings = computed(() => this.evaluated.value?.answer?.warnings ?? []);
  readonly text = computed(() => this.files.value.find(({ file }) => file === this.open.value)?.text ?? '');

  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStale = false;

  /** Begins to evaluate, and goes on with each change. Returns the function that ends it. */
  start(): () => void {
    const stop = effect(() => {
      // The answers depend on these signals.
      void [this.asked.value, this.tab.value, this.unknowns.value, this.target.value];
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#refresh(), pause);
    });
    return () => {
      clearTimeout(this.#timer);
      stop();
    };
  }

  show({ files, input, data, query }: LinkedProject): void {
    batch(() => {
      this.files.value = files;
      this.open.value = files[0]?.file ?? '';
      this.input.value = input;
      this.data.value = data;
      this.query.value = query;
      this.isInspecting.value = false;
    });
  }

  write(file: string, text: string): void {
    this.files.value = this.files.value.map((one) => (one.file === file ? { file, text } : one));
  }

  /** Adds an empty policy, and opens it. */
  addFile(): void {
    const names = new Set(this.files.value.map(({ file }) => file));
    let number = 1;
    while (names.has(`policy${number}.rego`)) number++;
    const file = `policy${number}.rego`;
    batch(() => {
      this.files.value = [...this.files.value, { file, text: `package policy${number}\n\n` }];
      this.open.value = file;
    });
  }

  /** False for a name that another file has, or that is no file of a policy. */
  renameFile(file: string, name: string): boolean {
    if (name === file) return true;
    if (!/^[^\s/][^\n]*\.rego$/.test(name) || this.files.value.some((one) => one.file === name)) return false;
    batch(() => {
      this.files.value = this.files.value.map((one) => (one.file === file ? { file: name, text: one.text } : one));
      if (this.open.value === file) this.open.value = name;
    });
    return true;
  }

  removeFile(file: string): void {
    const left = this.files.value.filter((one) => one.file !== file);
    if (left.length === 0) return;
    batch(() => {
      this.files.value = left;
      if (this.open.value === file) this.open.value = left[0]!.file;
    });
  }

  /** Opens a file at a place, where the editor puts its cursor. */
  goTo(file: string, row: number, col: number): void {
    batch(() => {
      this.isInspecting.value = false;
      if (this.files.value.some((one) => one.file === file)) this.open.value = file;
      this.place.value = { row, col };
    });
  }

  /** The address that opens this project again. */
  async link(): Promise<string> {
    const fragment = await linkOf(this.asked.value);
    history.replaceState(undefined, '', `#${fragment}`);
    return location.href;
  }

  /** Shows the project of the address, if it has one. */
  async openLink(): Promise<void> {
    try {
      const linked = await linkedProject(location.hash);
      if (linked !== undefined) this.show(linked);
    } catch (error) {
      this.notice.value = `the link cannot be read: ${messageOf(error)}`;
    }
  }

  /** Shows the folder beside the page, and follows its changes. */
  async openFolder(): Promise<void> {
    const folder = new FolderClient();
    const read = async () => {
      try {
        const disk = await folder.read();
        const merged = this.folder.value === undefined ? disk : folder.merged(this.project.value, disk);
        folder.keep(disk);
        batch(() => {
          if (this.folder.value === undefined) {
            const [first] = disk.files;
            const path = first && /^\s*package\s+([\w.]+)/m.exec(first.text)?.[1];
            this.show({ ...merged, query: path === undefined ? 'data' : `data.${path}` });
            this.folder.value = folder;
            return;
          }
          this.files.value = merged.files;
          this.data.value = merged.data;
          this.input.value = merged.input;
          if (!merged.files.some(({ file }) => file === this.open.value)) this.open.value = merged.files[0]?.file ?? '';
        });
      } catch (error) {
        this.notice.value = messageOf(error);
      }
    };
    await read();
    folder.follow(() => void read());
  }

  /** Writes what is not on the disk. */
  async save(): Promise<void> {
    const folder = this.folder.value;
    if (folder === undefined) return;
    try {
      const files = await folder.save(this.project.value);
      this.notice.value = files.length === 0 ? 'nothing to save' : `saved ${files.join(', ')}`;
    } catch (error) {
      this.notice.value = messageOf(error);
    }
  }

  /** Ends an evaluation that takes too long. */
  stop(): void {
    this.engine.stop('stopped');
  }

  /** Asks again until no part of the question has changed meanwhile. */
  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.isBusy.value = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.evaluated.value = await this.#answer('evaluate', this.asked.value);
        await this.#askTab();
      }
    } finally {
      this.#isAsking = false;
      this.isBusy.value = false;
    }
  }

  async #askTab(): Promise<void> {
    switch (this.tab.value) {
      case 'why':
        this.why.value = await this.#answer('why', this.asked.value);
        break;
      case 'trace':
        this.trace.value = await this.#answer('trace', this.asked.value);
        break;
      case 'tests':
        this.tests.value = await this.#answer('tests', this.project.value);
        break;
      case 'partial':
        this.partial.value = await this.#partial();
    }
  }

  async #partial(): Promise<AnswerOrError<string>> {
    const unknowns = this.unknowns.value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
    const asked = { ...this.asked.value, unknowns };
    const target = this.target.value;
    if (target !== 'rego') {
      const found = await this.#answer('filter', { ...asked, target });
      if (found.error !== undefined) return found;
      const { rows, text } = found.answer;
      return { answer: rows === 'some' ? text : rows === 'all' ? 'all rows' : 'no rows' };
    }
    const found = await this.#answer('partial', asked);
    if (found.error !== undefined) return found;
    const { queries, modules } = found.answer;
    if (queries.length === 0) return { answer: '# never' };
    const shown = queries.map((query, i) => `# ${i + 1} of ${queries.length}\n${query === '' ? '# always' : query}`);
    return { answer: [...shown, ...modules].join('\n\n') };
  }

  async #answer<Name extends keyof PlaygroundRequests>(
    name: Name,
    ask: PlaygroundRequests[Name]['ask'],
  ): Promise<AnswerOrError<PlaygroundRequests[Name]['answer']>> {
    const limit = setTimeout(() => this.engine.stop(`stopped after ${longestMs / 1000} s`), longestMs);
    try {
      return { answer: await this.engine.ask(name, ask as never) };
    } catch (error) {
      return { error: messageOf(error) };
    } finally {
      clearTimeout(limit);
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
