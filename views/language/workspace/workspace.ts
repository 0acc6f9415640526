/**
 * The files of an editor: open documents with the text that the user sees, others as they are on
 * disk; and what the compiler makes of all of them together.
 */

import type { Diagnostic as CompileDiagnostic, Compiled, CompileOptions, Module } from '../../../compiler/index.js';
import { inSlices } from '../../../values/index.js';
import { FaultTolerantCompilation } from '../analysis/fault-tolerant-compilation.js';
import { NameIndex } from '../names/name-index.js';
import type { WorkspaceHost } from './host.js';
import { PolicyFile } from './policy-file.js';
import { KnownSchemas, schemaFolderOf, schemaIn, schemaNameOf } from './schema-files.js';
import { changedText, type TextChange } from './text-changes.js';
import { nameOfUri, normalUri, pathOfUri } from './uris.js';

/** A document that the editor shows. */
export interface OpenDocument {
  /** The URI as the editor writes it. */
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

/** A file of documents: JSON or YAML. */
export interface DataFile {
  readonly uri: string;
  readonly name: string;
  readonly text: string;
}

export interface WorkspaceOptions {
  readonly folders: readonly string[];
  readonly compile?: CompileOptions;
  /** The folder of schemas. Default: `schemas` and `schema`. */
  readonly schemas?: string | undefined;
  /** The version of the language of a file. Default: 1. */
  readonly regoVersionOf?: ((name: string) => 'v0' | 'v1') | undefined;
}

export class Workspace {
  readonly host: WorkspaceHost;
  folders: readonly string[];
  readonly #options: WorkspaceOptions;
  #compilation: FaultTolerantCompilation;
  /** Policies by normal URI. */
  readonly #policies = new Map<string, PolicyFile>();
  readonly #data = new Map<string, DataFile>();
  readonly #schemas = new Map<string, DataFile>();
  /** Whether schemas were changed since the last analysis. */
  #hasNewSchemas = false;
  /** Whether a policy names schemas: without them a change is compiled much faster. */
  #usesSchemas = false;
  readonly #open = new Map<string, OpenDocument>();
  /** The URIs of policies by their names, which no two have. */
  readonly #uris = new Map<string, string>();
  /** The names of policies that were changed since the last analysis. */
  readonly #changed = new Set<string>();
  readonly names: NameIndex;
  /** Grows with each change of a file. */
  revision = 0;

  constructor(host: WorkspaceHost, options: WorkspaceOptions) {
    this.host = host;
    this.folders = options.folders.map(normalUri);
    this.#options = options;
    this.#compilation = this.#newCompilation();
    this.names = new NameIndex(this);
  }

  #newCompilation(): FaultTolerantCompilation {
    const schemas = new KnownSchemas();
    for (const file of this.#schemas.values()) {
      const schema = schemaIn(file);
      if (schema !== undefined) schemas.set(schemaNameOf(file.name, this.#schemaFolderOf(file.name)!), schema);
    }
    return new FaultTolerantCompilation({
      print: true,
      schemaAnnotations: this.#usesSchemas,
      ...(this.#usesSchemas && schemas.size > 0 && { schemas }),
      ...this.#options.compile,
    });
  }

  #schemaFolderOf(name: string): string | undefined {
    return schemaFolderOf(name, this.#options.schemas);
  }

  /** Reads all files of the folders, and compiles them in slices. */
  async load(): Promise<void> {
    for (const folder of this.folders) await this.#read(folder);
    const changes = this.#takeChanges();
    await inSlices(this.#compilation.updateSteps(changes));
  }

  /** Reads the files of a folder. */
  async #read(folder: string): Promise<void> {
    for await (const uri of this.host.list(folder)) {
      const normal = normalUri(uri);
      if (this.#open.has(normal)) continue;
      const text = await this.host.read(uri);
      if (text !== undefined) this.#put(normal, text);
    }
  }

  /** Folders come and go: the names of all files are paths from the nearest one. */
  async changeFolders(added: readonly string[], removed: readonly string[]): Promise<void> {
    const gone = new Set(removed.map(normalUri));
    const files = this.#files();
    for (const uri of files) this.#remove(uri);
    this.analyse();
    this.folders = [...this.folders.filter((folder) => !gone.has(folder)), ...added.map(normalUri)];
    for (const [uri, { text }] of this.#open) this.#put(uri, text);
    for (const folder of this.folders) await this.#read(folder);
  }

  /** A document is shown from now on. */
  open(document: OpenDocument): void {
    const normal = normalUri(document.uri);
    this.#open.set(normal, document);
    this.#put(normal, document.text);
  }

  /** Changes an open document; false where it is not open. */
  change(uri: string, version: number, changes: readonly TextChange[]): boolean {
    const before = this.#open.get(normalUri(uri));
    if (before === undefined) return false;
    this.open({ ...before, version, text: changedText(before.text, changes) });
    return true;
  }

  /** The file is again what it is on disk. */
  async close(uri: string): Promise<void> {
    this.#open.delete(normalUri(uri));
    await this.reread(uri);
  }

  /** Reads a file or a folder that was changed, made or deleted on disk. Open documents stay. */
  async reread(uri: string): Promise<void> {
    const normal = normalUri(uri);
    if (!(isFile(normal) || this.#files().includes(normal))) {
      for (const each of this.#files()) if (each.startsWith(`${normal}/`)) await this.reread(each);
      return await this.#read(normal);
    }
    if (this.#open.has(normal)) return;
    const text = await this.host.read(uri);
    if (this.#open.has(normal)) return;
    if (text === undefined) this.#remove(normal);
    else this.#put(normal, text);
  }

  #put(uri: string, text: string): void {
    const name = nameOfUri(uri, this.folders);
    this.revision++;
    if (this.#schemaFolderOf(name) !== undefined) {
      this.#schemas.set(uri, { uri, name, text });
      this.#hasNewSchemas ||= this.#usesSchemas;
      return;
    }
    if (!isPolicy(uri, this.#open.has(uri))) {
      // The editor had shown it as a policy.
      this.#removePolicy(uri);
      if (isFile(uri)) this.#data.set(uri, { uri, name, text });
      return;
    }
    const before = this.#policies.get(uri);
    if (before?.text === text) return;
    if (!this.#usesSchemas && namesSchemas.test(text)) this.#usesSchemas = this.#hasNewSchemas = true;
    const regoVersion = this.#options.regoVersionOf?.(name) ?? 'v1';
    const own = before?.name ?? this.#freeName(uri, name);
    this.#uris.set(own, uri);
    this.#policies.set(uri, new PolicyFile(uri, own, text, { regoVersion }));
    this.#changed.add(own);
  }

  /** Policies of several folders may have the same path in them: modules have a name each. */
  #freeName(uri: string, name: string): string {
    const path = pathOfUri(uri);
    const folder =
      path
        .slice(0, -name.length - 1)
        .split('/')
        .at(-1) ?? '';
    return [name, `${folder}/${name}`].find((one) => !this.#uris.has(one)) ?? path;
  }

  #files(): readonly string[] {
    return [...this.#policies.keys(), ...this.#data.keys(), ...this.#schemas.keys()];
  }

  #remove(uri: string): void {
    this.revision++;
    this.#data.delete(uri);
    if (this.#schemas.delete(uri)) this.#hasNewSchemas ||= this.#usesSchemas;
    this.#removePolicy(uri);
  }

  #removePolicy(uri: string): void {
    const policy = this.#policies.get(uri);
    if (policy === undefined) return;
    this.#policies.delete(uri);
    this.#uris.delete(policy.name);
    this.#changed.add(policy.name);
  }

  #takeChanges() {
    if (this.#hasNewSchemas) {
      this.#hasNewSchemas = false;
      this.#compilation = this.#newCompilation();
      for (const { name } of this.#policies.values()) this.#changed.add(name);
    }
    const changes = new Map<string, Module | undefined>();
    for (const name of this.#changed) {
      const uri = this.#uris.get(name);
      changes.set(name, uri === undefined ? undefined : this.#policies.get(uri)?.module);
    }
    this.#changed.clear();
    return changes;
  }

  /** Compiles what was changed since the last time. */
  analyse(): void {
    if (this.#changed.size === 0 && !this.#hasNewSchemas) return;
    // New schemas are a new compilation.
    const changes = this.#takeChanges();
    this.#compilation.update(changes);
  }

  /** The policies that have no errors, compiled. */
  get compiled(): Compiled {
    this.analyse();
    return this.#compilation.compiled;
  }

  /** The errors of the compiler in a policy, those of its syntax excepted. */
  compileErrorsOf({ name }: PolicyFile): readonly CompileDiagnostic[] {
    this.analyse();
    return this.#compilation.diagnosticsOf(name);
  }

  /** Whether an offset of a policy is in a rule with errors, which the compiler replaced. */
  isFaulty({ name, module }: PolicyFile, offset: number): boolean {
    this.analyse();
    const rule = module?.rules.find(({ loc }) => offset >= loc.start && offset < loc.end);
    return rule !== undefined && !this.#compilation.isSound(name, rule.loc.start);
  }

  policy(uri: string): PolicyFile | undefined {
    return this.#policies.get(normalUri(uri));
  }

  /** The policy of a module's name. */
  policyNamed(name: string): PolicyFile | undefined {
    const uri = this.#uris.get(name);
    return uri === undefined ? undefined : this.#policies.get(uri);
  }

  get policies(): Iterable<PolicyFile> {
    return this.#policies.values();
  }

  /** The file of a schema, by its name in METADATA. */
  schemaFile(schema: string): DataFile | undefined {
    return [...this.#schemas.values()].find(({ name }) => schemaNameOf(name, this.#schemaFolderOf(name)!) === schema);
  }

  /** The names of all schemas, as METADATA has them. */
  get schemaNames(): readonly string[] {
    return [...this.#schemas.values()].map(({ name }) => schemaNameOf(name, this.#schemaFolderOf(name)!));
  }

  get dataFiles(): Iterable<DataFile> {
    return this.#data.values();
  }

  dataFile(uri: string): DataFile | undefined {
    return this.#data.get(normalUri(uri));
  }

  get openDocuments(): Iterable<OpenDocument> {
    return this.#open.values();
  }

  openDocument(uri: string): OpenDocument | undefined {
    return this.#open.get(normalUri(uri));
  }

  /** The URI of a file as the editor writes it, where it is open. */
  editorUri(uri: string): string {
    return this.#open.get(normalUri(uri))?.uri ?? uri;
  }
}

/** METADATA with schemas. */
const namesSchemas = /^\s*#\s*schemas\s*:/m;

/** Files that may be policies or documents; others are folders. */
function isFile(uri: string): boolean {
  return /\.(?:rego|json|ya?ml)$/.test(uri);
}

function isPolicy(uri: string, isOpen: boolean): boolean {
  return uri.endsWith('.rego') || (isOpen && !/\.(?:json|ya?ml)$/.test(uri));
}
