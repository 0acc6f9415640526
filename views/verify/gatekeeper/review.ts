/** The documents of constraints: the review of an object, and the inventory of the others. */
import { isObject, type PlainObject, setOwn, type Value } from '../../../values/index.js';
import type { Namespaces } from './match.js';
import { memberAt, type Resource } from './resources.js';

/** `input.review`: as of a request without a user; of an AdmissionReview its request. */
export function reviewOf(resource: Resource, namespaces: Namespaces): PlainObject {
  const { value, kind, group, version, name, namespace } = resource;
  const request = kind === 'AdmissionReview' ? memberAt(value, 'request') : null;
  if (isObject(request)) return request as PlainObject;
  const around = namespaces.get(namespace);
  return {
    uid: '',
    kind: { group, version, kind },
    resource: { group: '', version: '', resource: '' },
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation: '',
    userInfo: {},
    object: value,
    oldObject: null,
    options: null,
    ...(around && { _unstable: { namespace: around.value } }),
  };
}

/** `data.inventory`: objects by namespace, version of the API, kind and name. */
export function inventoryOf(resources: readonly Resource[]): PlainObject {
  const inventory: PlainObject = { cluster: {}, namespace: {} };
  for (const { value, kind, group, version, name, namespace } of resources) {
    const api = group === '' ? version : `${group}/${version}`;
    const place = namespace === '' ? ['cluster', api, kind] : ['namespace', namespace, api, kind];
    let part = inventory;
    for (const key of place) {
      if (!Object.hasOwn(part, key)) setOwn<Value>(part, key, {});
      part = part[key] as PlainObject;
    }
    setOwn<Value>(part, name, value);
  }
  return inventory;
}
