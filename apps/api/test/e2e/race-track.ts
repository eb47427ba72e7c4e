import type { CustomKind, Run } from './address.ts';
import { definedKinds, definitionSpec } from './definition-shapes.ts';
import { violations } from './invariants.ts';
import { type Json, jsonOf } from './reply.ts';
import type { Service } from './service.ts';

/** An answer as a race looks at it: its status, its body, and its code when it is a refusal. */
export interface Outcome {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Json;
}

const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';

/** Requests of an operator, each to the other API process than the one before. */
export class RaceTrack {
  readonly #service: Service;
  #turn = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Starts all at once, in turned order in every other round; the outcomes are in the order of `starts`. */
  async together(
    round: number,
    starts: readonly (() => Promise<Outcome>)[],
  ): Promise<readonly [Outcome, Outcome, ...Outcome[]]> {
    const order = round % 2 === 0 ? starts : [...starts].reverse();
    const outcomes = await Promise.all(order.map((start) => start()));
    if (round % 2 === 1) outcomes.reverse();
    const [one, two, ...more] = outcomes;
    if (one === undefined || two === undefined) throw new Error('a race has at least two');
    return [one, two, ...more];
  }

  /** Throws what is wrong in the database. */
  async isSound(): Promise<void> {
    expect(await violations(this.#service.sql)).toEqual([]);
  }

  /** Registers kinds of a run, parents first. */
  async kinds(run: Run, kinds: readonly CustomKind[] = definedKinds): Promise<Run> {
    for (const kind of kinds) expect(await this.define(run, kind, 0)).toMatchObject({ status: 201 });
    return run;
  }

  define(run: Run, kind: CustomKind, shape: number, plural = run.plural(kind)): Promise<Outcome> {
    const spec = { ...JSON.parse(definitionSpec(run, kind, shape)), plural };
    return this.#send('POST', definitions, definition(`${plural}.${run.group}`, spec));
  }

  async redefine(run: Run, kind: CustomKind, shape: number): Promise<Outcome> {
    const path = `${definitions}/${run.plural(kind)}.${run.group}`;
    const { body } = await this.#send('GET', path);
    const spec = JSON.parse(definitionSpec(run, kind, shape));
    const { name, revision } = body.metadata;
    return this.#send('PUT', path, { ...definition(name, spec), metadata: { name, revision } });
  }

  deleteDefinition(run: Run, kind: CustomKind): Promise<Outcome> {
    return this.#send('DELETE', `${definitions}/${run.plural(kind)}.${run.group}`);
  }

  create(run: Run, kind: CustomKind, names: readonly string[], metadata: object = {}): Promise<Outcome> {
    const path = [run.collection(kind, 'v1'), ...names.slice(0, -1)].join('/');
    const body = { apiVersion: `${run.group}/v1`, kind, metadata: { name: names.at(-1), ...metadata } };
    return this.#send('POST', path, body);
  }

  /** Creates what has to be there. */
  async given(run: Run, kind: CustomKind, names: readonly string[], metadata: object = {}): Promise<Outcome> {
    const outcome = await this.create(run, kind, names, metadata);
    expect(outcome).toMatchObject({ status: 201 });
    return outcome;
  }

  get(run: Run, kind: CustomKind, names: readonly string[]): Promise<Outcome> {
    return this.#send('GET', itemPath(run, kind, names));
  }

  delete(run: Run, kind: CustomKind, names: readonly string[]): Promise<Outcome> {
    return this.#send('DELETE', itemPath(run, kind, names));
  }

  /** Restores a row as it was answered before. */
  restore(run: Run, { body }: Outcome): Promise<Outcome> {
    const { kind, metadata } = body;
    return this.#send('POST', `${run.collection(kind, 'v1')}/uid:${metadata.uid}/restore`, {});
  }

  hold(run: Run, kind: CustomKind, names: readonly string[]): Promise<Outcome> {
    return this.#send('PUT', `${itemPath(run, kind, names)}/finalizers`, { add: ['free/hold'] });
  }

  /** Replaces a row as it was answered before. */
  replace(run: Run, { body }: Outcome, metadata: object, spec: object = {}): Promise<Outcome> {
    const { apiVersion, kind } = body;
    const { name, revision, uid } = body.metadata;
    const path = `${run.collection(kind, 'v1')}/uid:${uid}`;
    return this.#send('PUT', path, { apiVersion, kind, metadata: { name, revision, ...metadata }, spec });
  }

  ownedBy({ body }: Outcome, blockOwnerDeletion: boolean): object {
    const { apiVersion, kind } = body;
    const { name, uid } = body.metadata;
    return { apiVersion, kind, name, uid, blockOwnerDeletion };
  }

  /** The stored rows of the kinds of a run. */
  async rowsOf(run: Run): Promise<readonly unknown[]> {
    return [
      ...(await this.#service.sql`select kind, name from resources where api_version = ${`${run.group}/v1`}`),
    ];
  }

  async #send(method: string, path: string, sent?: object): Promise<Outcome> {
    this.#turn += 1;
    const send = this.#service.instances[this.#turn % 2];
    if (send === undefined) throw new Error('the service is not running');
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const reply = await send({ method, path, as: 'operator', ...body });
    if (reply.status >= 500) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    const answered = jsonOf(reply);
    return { status: reply.status, code: answered.code, body: answered };
  }
}

function itemPath(run: Run, kind: CustomKind, names: readonly string[]): string {
  return [run.collection(kind, 'v1'), ...names].join('/');
}

function definition(name: string, spec: object): object {
  return { apiVersion: 'platform.dev/v1alpha1', kind: 'ResourceDefinition', metadata: { name }, spec };
}
