/** The objects that a constraint of Gatekeeper is about: its `spec.match`. */
import { isObject, type PlainObject, type Value } from '../../../values/index.js';
import { listOf, memberAt, type Resource, textAt } from './resources.js';

/** Namespaces by name, for selectors of their labels. */
export type Namespaces = ReadonlyMap<string, Resource>;

/** A selector of namespaces needs the object of a namespace that is not there. */
export class MissingNamespaceError extends Error {}

/** Whether an object has all that a match wants. Throws a MissingNamespaceError. */
export function isMatch(match: Value, object: Resource, namespaces: Namespaces): boolean {
  if (!isObject(match)) return true;
  return (
    isOfKinds(listOf(memberAt(match, 'kinds')), object) &&
    isInScope(textAt(match, 'scope'), object) &&
    isInNamespaces(listOf(memberAt(match, 'namespaces')), object) &&
    !isExcluded(listOf(memberAt(match, 'excludedNamespaces')), object) &&
    isSelected(memberAt(match, 'labelSelector'), object) &&
    isNamed(textAt(match, 'name'), object) &&
    // The objects of files are no results of an expansion.
    textAt(match, 'source') !== 'Generated' &&
    isNamespaceSelected(memberAt(match, 'namespaceSelector'), object, namespaces)
  );
}

function isOfKinds(kinds: readonly Value[], { kind, group }: Resource): boolean {
  const has = (list: readonly Value[], name: string) => list.length === 0 || list.includes('*') || list.includes(name);
  return (
    kinds.length === 0 ||
    kinds.some((one) => has(listOf(memberAt(one, 'kinds')), kind) && has(listOf(memberAt(one, 'apiGroups')), group))
  );
}

function isNamespace({ kind, group }: Resource): boolean {
  return kind === 'Namespace' && group === '';
}

function isInScope(scope: string, object: Resource): boolean {
  if (scope === '' || scope === '*') return true;
  return (scope === 'Cluster') === (isNamespace(object) || object.namespace === '');
}

/** The namespace of an object, a namespace itself included; empty for others of the cluster. */
function namespaceNameOf(object: Resource): string {
  return isNamespace(object) ? object.name : object.namespace;
}

function isInNamespaces(patterns: readonly Value[], object: Resource): boolean {
  const name = namespaceNameOf(object);
  return patterns.length === 0 || name === '' || patterns.some((pattern) => fits(pattern, name));
}

function isExcluded(patterns: readonly Value[], object: Resource): boolean {
  const name = namespaceNameOf(object);
  return name !== '' && patterns.some((pattern) => fits(pattern, name));
}

/** A star stands at the beginning, at the end, or at both. */
function fits(pattern: Value, name: string): boolean {
  if (typeof pattern !== 'string') return false;
  const starts = pattern.startsWith('*');
  const ends = pattern.length > 1 && pattern.endsWith('*');
  const part = pattern.slice(starts ? 1 : 0, ends ? -1 : undefined);
  if (starts && ends) return name.includes(part);
  if (starts) return name.endsWith(part);
  return ends ? name.startsWith(part) : name === pattern;
}

function isNamed(pattern: string, { name, value }: Resource): boolean {
  return pattern === '' || fits(pattern, name === '' ? textAt(value, 'metadata', 'generateName') : name);
}

function isNamespaceSelected(selector: Value, object: Resource, namespaces: Namespaces): boolean {
  if (!isObject(selector)) return true;
  if (isNamespace(object)) return isSelected(selector, object);
  if (object.namespace === '') return true;
  const namespace = namespaces.get(object.namespace);
  if (namespace === undefined)
    throw new MissingNamespaceError(`namespaceSelector needs the Namespace ${object.namespace}, which no file has`);
  return isSelected(selector, namespace);
}

/** Labels as a selector wants them. */
function isSelected(selector: Value, { value }: Resource): boolean {
  if (!isObject(selector)) return true;
  const labels = memberAt(value, 'metadata', 'labels');
  const wanted = memberAt(selector, 'matchLabels');
  const hasAll =
    !isObject(wanted) || Object.entries(wanted as PlainObject).every(([key, one]) => memberAt(labels, key) === one);
  return hasAll && listOf(memberAt(selector, 'matchExpressions')).every((one) => holds(one, labels));
}

function holds(expression: Value, labels: Value): boolean {
  const label = memberAt(labels, textAt(expression, 'key'));
  const isListed = label !== null && listOf(memberAt(expression, 'values')).includes(label);
  switch (textAt(expression, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return label !== null;
    case 'DoesNotExist':
      return label === null;
    default:
      return false;
  }
}
