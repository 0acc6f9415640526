/** Checks of objects by Gatekeeper's templates and constraints: `verify --gatekeeper`. */
import { CompileErrors, parseModule } from '../../compiler/index.js';
import type { Engine, Prepared } from '../../engine/index.js';
import { isArray, isObject, isSet, lookup, type PlainObject, sortedMembers, type Value } from '../../values/index.js';
import type { CheckResult, Namespaces, Resource, Result, Template } from '../../views/index.js';
import {
  FailurePlaces,
  inventoryOf,
  isConstraint,
  isMatch,
  isTemplate,
  joined,
  listOf,
  MissingNamespaceError,
  memberAt,
  resourceError,
  resourcesOf,
  resourceText,
  resultsOf,
  reviewOf,
  templateOf,
  textAt,
} from '../../views/index.js';
import { type ConfigFile, ConfigFileError } from '../../views/node.js';
import { openCommandEngine } from '../eval/command-engine.js';
import type { Io } from '../io.js';

/** A complaint of a constraint about an object. */
export interface TemplateViolation {
  readonly msg: string;
  readonly details: Value | undefined;
  readonly place: Result['place'];
}

/** A constraint with the policy of its template. */
export class Constraint {
  readonly resource: Resource;
  readonly #opened: OpenedTemplate;

  constructor(resource: Resource, opened: OpenedTemplate) {
    this.resource = resource;
    this.#opened = opened;
  }

  /** `K8sRequiredLabels/owners`. */
  get title(): string {
    return `${this.resource.kind}/${this.resource.name}`;
  }

  /** Whether a violation rejects an object: others only warn. */
  get denies(): boolean {
    const action = textAt(this.resource.value, 'spec', 'enforcementAction').toLowerCase();
    return action === '' || action === 'deny' || (action === 'scoped' && this.#deniesAtPoints());
  }

  /** Actions for files count before those for other points, such as the admission to a cluster. */
  #deniesAtPoints(): boolean {
    const scoped = listOf(memberAt(this.resource.value, 'spec', 'scopedEnforcementActions'));
    const isForFiles = (one: Value) =>
      listOf(memberAt(one, 'enforcementPoints')).some((point) =>
        ['gator.gatekeeper.sh', '*'].includes(textAt(point, 'name').toLowerCase()),
      );
    const own = scoped.filter(isForFiles);
    return (own.length > 0 ? own : scoped).some((one) => textAt(one, 'action').toLowerCase() === 'deny');
  }

  /** Undefined where the constraint is not about the object. Rejects with a ConfigFileError. */
  async violations(
    object: Resource,
    namespaces: Namespaces,
    finds: boolean,
  ): Promise<readonly TemplateViolation[] | undefined> {
    const { value } = this.resource;
    try {
      if (!isMatch(memberAt(value, 'spec', 'match'), object, namespaces)) return undefined;
    } catch (error) {
      if (error instanceof MissingNamespaceError) throw resourceError(this.resource, error.message, 'spec', 'match');
      throw error;
    }
    const parameters = memberAt(value, 'spec', 'parameters') ?? {};
    const input: PlainObject = { parameters, review: reviewOf(object, namespaces) };
    return await this.#opened.violations(input, object, finds);
  }
}

/** The policy of a template, compiled. */
class OpenedTemplate {
  readonly template: Template;
  readonly #engine: Engine;
  readonly #violation: Prepared;
  readonly #mismatches: Prepared;
  readonly #places: FailurePlaces;

  constructor(template: Template, engine: Engine) {
    this.template = template;
    this.#engine = engine;
    this.#violation = engine.prepare([...template.path, 'violation']);
    this.#mismatches = engine.prepare([parametersPackage, 'mismatches']);
    this.#places = new FailurePlaces(engine);
  }

  async setInventory(inventory: PlainObject): Promise<void> {
    await this.#engine.commit({ data: [{ op: 'add', path: ['inventory'], value: inventory }] });
  }

  /** Rejects with a ConfigFileError where the parameters of a constraint do not fit the schema. */
  async checkParameters(constraint: Resource): Promise<void> {
    const { schema } = this.template;
    const parameters = memberAt(constraint.value, 'spec', 'parameters');
    if (schema === undefined || parameters === null) return;
    const found = await this.#mismatches.decide({ schema, parameters }, ({ value }) => membersOf(value));
    const [first] = found;
    if (typeof first !== 'string') return;
    const keys = first.slice(0, first.indexOf(':')).split('.');
    const below = keys[0] === '(root)' ? [] : keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    throw resourceError(constraint, `the parameters do not fit the template: ${first}`, 'spec', 'parameters', ...below);
  }

  async violations(input: PlainObject, object: Resource, finds: boolean): Promise<readonly TemplateViolation[]> {
    const members = await this.#violation
      .decide(input, ({ value }) => membersOf(value))
      .catch((error: Error) => {
        throw resourceError(object, `${this.template.kind}: ${error.message}`);
      });
    const places = finds && members.length > 0 ? await this.#placesOf(members, input, object) : [];
    return members.map((member, i) => {
      const msg = isObject(member) ? lookup(member, 'msg') : undefined;
      if (typeof msg !== 'string')
        throw resourceError(
          this.template.resource,
          'a member of violation is an object with the text msg',
          'spec',
          'targets',
        );
      return { msg, details: isObject(member) ? lookup(member, 'details') : undefined, place: places[i] };
    });
  }

  async #placesOf(
    members: readonly Value[],
    input: PlainObject,
    object: Resource,
  ): Promise<readonly Result['place'][]> {
    const about = object.kind === 'AdmissionReview' ? ['review'] : ['review', 'object'];
    const { file } = object;
    const prefix = object.kind === 'AdmissionReview' ? [...object.keys, 'request'] : object.keys;
    const source = { file, prefix, skipped: about.length };
    return await this.#places.find([...this.template.path, 'violation'], members, input, () => source, about);
  }
}

function membersOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  if (isSet(value)) return sortedMembers(value);
  return isArray(value) ? value : [];
}

const parametersPackage = 'writ_parameters';

/** Holds parameters against the schema of a template. */
const parametersPolicy = `package ${parametersPackage}

mismatches contains one.error if some one in json.match_schema(input.parameters, input.schema)[1]
`;

/** Templates and constraints, ready to check objects. */
export class GatekeeperChecks {
  readonly constraints: readonly Constraint[];
  readonly #opened: readonly OpenedTemplate[];

  private constructor(constraints: readonly Constraint[], opened: readonly OpenedTemplate[]) {
    this.constraints = constraints;
    this.#opened = opened;
  }

  /** Rejects with a ConfigFileError. */
  static async open(resources: readonly Resource[], io: Io): Promise<GatekeeperChecks> {
    const opened = new Map<string, OpenedTemplate>();
    for (const resource of resources.filter(isTemplate)) {
      const template = templateOf(resource);
      if (opened.has(template.kind)) throw resourceError(resource, `a second template for the kind ${template.kind}`);
      opened.set(template.kind, await openTemplate(template, io));
    }
    const constraints: Constraint[] = [];
    for (const resource of resources.filter(isConstraint)) {
      const template = opened.get(resource.kind);
      if (template === undefined) throw resourceError(resource, `no template makes the kind ${resource.kind}`);
      await template.checkParameters(resource);
      constraints.push(new Constraint(resource, template));
    }
    return new GatekeeperChecks(constraints, [...opened.values()]);
  }

  /** Sets `data.inventory`, in which policies see other objects. */
  async setInventory(objects: readonly Resource[]): Promise<void> {
    const inventory = inventoryOf(objects);
    for (const opened of this.#opened) await opened.setInventory(inventory);
  }
}

async function openTemplate(template: Template, io: Io): Promise<OpenedTemplate> {
  const own = {
    id: parametersPackage,
    text: parametersPolicy,
    module: parseModule(parametersPackage, parametersPolicy),
  };
  const parsed = [...template.modules, own].map(({ id, text, module }) => ({
    name: id,
    file: { path: id, bundlePath: id, text, bytes: new TextEncoder().encode(text), url: '' },
    module,
  }));
  try {
    return new OpenedTemplate(template, await openCommandEngine(parsed, {}, {}, io));
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw new ConfigFileError(error.message);
  }
}

/** Objects that are neither templates nor constraints nor tests of them. */
export function isReviewed(resource: Resource): boolean {
  return !isTemplate(resource) && !isConstraint(resource) && !/(?:^|\.)gatekeeper\.sh$/.test(resource.group);
}

export function namespacesIn(resources: readonly Resource[]): Namespaces {
  const found = resources.filter(({ kind, group }) => kind === 'Namespace' && group === '');
  return new Map(found.map((resource) => [resource.name, resource]));
}

/** Checks the objects of files by the templates and constraints of policies and files. */
export async function checkObjects(
  policies: readonly ConfigFile[],
  files: readonly ConfigFile[],
  io: Io,
): Promise<readonly CheckResult[]> {
  const given = files.flatMap(resourcesOf);
  const known = [
    ...policies.filter(({ path }) => !files.some((file) => file.path === path)).flatMap(resourcesOf),
    ...given,
  ];
  const checks = await GatekeeperChecks.open(known, io);
  if (checks.constraints.length === 0)
    throw new ConfigFileError('no constraint found: a template needs one to check objects');
  await checks.setInventory(known.filter(isReviewed));
  const namespaces = namespacesIn(known);
  const results: CheckResult[] = [];
  for (const file of files) {
    const objects = given.filter((object) => object.file === file && isReviewed(object));
    for (const constraint of checks.constraints) {
      const found: CheckResult[] = [];
      for (const object of objects) {
        const violations = await constraint.violations(object, namespaces, true);
        if (violations !== undefined) found.push(resultOf(constraint, object, violations));
      }
      if (found.length > 0) results.push(joined(file.path, constraint.title, found));
    }
  }
  return results;
}

function subjectOf({ group, version, kind, namespace, name }: Resource): string {
  const api = group === '' ? version : `${group}/${version}`;
  return `${api}/${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function resultOf(constraint: Constraint, object: Resource, violations: readonly TemplateViolation[]): CheckResult {
  const told = violations.map(({ msg, details, place }): Result => {
    const metadata: PlainObject = {
      object: resourceText(object),
      query: constraint.title,
      ...(details !== undefined && { details }),
    };
    return { msg, metadata, subject: subjectOf(object), ...(place && { place }) };
  });
  return resultsOf(object.file.path, constraint.title, {
    successes: told.length === 0 ? 1 : 0,
    ...(constraint.denies ? { failures: told } : { warnings: told }),
  });
}
