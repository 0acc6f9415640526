import type { PlainObject, Value } from '../../values/index.js';
import type { ArrayDraft, ObjectDraft, Staged } from './draft.js';
import { draftOfDocument, isStagedObject, preview, setChild, stagedChild, stagedElements } from './draft.js';
import { arrayIndex, isDocumentObject, notFoundError, type Path, storePathText } from './path.js';
import type { Commit, DataOperation, Transaction } from './store.js';
import { StoreError } from './store-errors.js';

/** Longer paths would create documents too deep to traverse. */
const maxSegments = 4096;

/**
 * A transaction over a version of the documents. `finish` makes the staged root visible; it is
 * called once.
 */
export class StagedTransaction implements Transaction {
  #root: Staged;
  #open = true;
  readonly #operations: DataOperation[] = [];
  readonly #finish: (root: Staged | undefined, operations: readonly DataOperation[]) => Commit | undefined;

  constructor(
    root: PlainObject,
    finish: (root: Staged | undefined, operations: readonly DataOperation[]) => Commit | undefined,
  ) {
    this.#root = root;
    this.#finish = finish;
  }

  read(path: Path): Value {
    this.#checkOpen();
    return preview(this.#find(path));
  }

  occupied(path: Path): boolean {
    this.#checkOpen();
    let node: Staged = this.#root;
    for (const segment of path) {
      const elements = stagedElements(node);
      if (elements === undefined && !isStagedObject(node)) return true;
      const child: Staged | undefined =
        elements === undefined ? stagedChild(node, segment, path) : elementAt(elements, segment);
      if (child === undefined) return elements !== undefined;
      node = child;
    }
    return true;
  }

  write(operation: DataOperation): void {
    this.#checkOpen();
    const { path } = operation;
    if (path.length > maxSegments)
      throw new StoreError('storage_invalid_patch_error', `path has more than ${maxSegments} segments`);
    if (path.length === 0) this.#writeRoot(operation);
    else if (operation.op === 'write') this.#put(path, operation.value);
    else this.#writeBelow(operation);
    this.#operations.push(operation);
  }

  commit(): Commit {
    this.#checkOpen();
    this.#open = false;
    return this.#finish(this.#root, this.#operations)!;
  }

  abort(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#finish(undefined, []);
  }

  #checkOpen(): void {
    if (!this.#open) throw new StoreError('storage_invalid_txn_error', 'stale transaction');
  }

  #find(path: Path, length = path.length): Staged {
    let node: Staged = this.#root;
    for (const segment of path.slice(0, length)) {
      const child: Staged | undefined = stagedChild(node, segment, path);
      if (child === undefined) throw notFoundError();
      node = child;
    }
    return node;
  }

  #writeRoot(operation: DataOperation): void {
    if (operation.op === 'remove') throw new StoreError('storage_invalid_patch_error', 'root cannot be removed');
    if (!isDocumentObject(operation.value)) throw new StoreError('storage_invalid_patch_error', 'root must be object');
    this.#root = operation.value;
  }

  #put(path: Path, value: Value): void {
    const missing = this.#missingFrom(path);
    // A single `add` creates the parent objects too, so that a failure changes nothing.
    let made = value;
    for (const key of path.slice(missing + 1).toReversed()) made = Object.fromEntries([[key, made]]);
    this.#writeBelow({ op: 'add', path: path.slice(0, missing + 1), value: made });
  }

  /**
   * The number of existing segments of a path's parent. Throws a StoreError if the rest cannot be
   * created.
   */
  #missingFrom(path: Path): number {
    let node: Staged = this.#root;
    for (const [i, segment] of path.entries()) {
      if (isStagedObject(node)) {
        const child = stagedChild(node, segment, path);
        if (child === undefined) return i;
        node = child;
        continue;
      }
      const elements = stagedElements(node);
      const element = elements === undefined ? undefined : elementAt(elements, segment);
      // No objects are created in an array or in place of a scalar.
      if (element === undefined) throw new StoreError('storage_write_conflict_error', storePathText(path.slice(0, i)));
      node = element;
    }
    return path.length - 1;
  }

  #writeBelow(operation: DataOperation): void {
    const { path } = operation;
    const parent = this.#find(path, path.length - 1);
    const key = path.at(-1)!;
    const elements = stagedElements(parent);
    if (elements !== undefined) {
      const isAtEnd = key === '-' || key === String(elements.length);
      if (isAtEnd && operation.op === 'replace')
        throw new StoreError('storage_invalid_patch_error', `${storePathText(path)}: invalid patch path`);
      const at = isAtEnd && operation.op === 'add' ? elements.length : arrayIndex(elements.length, key, path);
      const list = (this.#draft(path) as ArrayDraft).elements;
      if (operation.op === 'remove') list.splice(at, 1);
      else list.splice(at, operation.op === 'replace' ? 1 : 0, operation.value);
      return;
    }
    if (!isStagedObject(parent)) throw notFoundError();
    if (operation.op !== 'add' && stagedChild(parent, key, path) === undefined) throw notFoundError();
    (this.#draft(path) as ObjectDraft).changes.set(key, operation.op === 'remove' ? undefined : operation.value);
  }

  /** Makes drafts of all documents on `path`, and returns the innermost one. */
  #draft(path: Path): ObjectDraft | ArrayDraft {
    let draft = draftOfDocument(this.#root);
    this.#root = draft;
    for (const segment of path.slice(0, -1)) {
      const child = draftOfDocument(stagedChild(draft, segment, path)!);
      setChild(draft, segment, child, path);
      draft = child;
    }
    return draft;
  }
}

function elementAt(elements: readonly Staged[], segment: string): Staged | undefined {
  return /^[+-]?\d+$/.test(segment) ? elements[Number(segment)] : undefined;
}
