import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { timeoutFactor } from '@platform/development/testing';
import type { Json } from './api.ts';

/** One stream over a real socket. */
export class Watching {
  readonly response: IncomingMessage;
  text = '';
  isOver = false;

  /** Opens a stream; `path` is below the resource API unless it begins with a slash. */
  static async open(
    port: number,
    path: string,
    headers: Record<string, string> = {},
    as = 'operator',
  ): Promise<Watching> {
    const request = httpGet({
      host: '127.0.0.1',
      port,
      path: path.startsWith('/') ? path : `/api/v1/resources/${path}`,
      agent: false,
      headers: { Authorization: `Bearer ${as}`, ...headers },
    });
    const [response] = await once(request, 'response');
    return new Watching(response);
  }

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      this.text += chunk;
    });
    response.on('close', () => {
      this.isOver = true;
    });
    response.on('error', () => undefined);
  }

  get events(): readonly Json[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  get told(): readonly string[] {
    return this.events.map(({ type, object, problem, initial }) =>
      object === undefined
        ? [type, problem?.status, initial && 'initial'].filter(Boolean).join(' ')
        : `${type} ${object.metadata.name}@${object.metadata.revision}`,
    );
  }

  async until(is: (watching: this) => boolean): Promise<void> {
    const seconds = 5 * timeoutFactor;
    const end = Date.now() + seconds * 1_000;
    while (!is(this)) {
      if (Date.now() > end) throw new Error(`not so after ${seconds} s: ${JSON.stringify(this.told)}`);
      await delay(5);
    }
  }
}

/** Whether an event is a change, and neither of the initial state nor a bookmark. */
export const isChange = ({ type, cursor }: Json) => type !== 'BOOKMARK' && cursor !== undefined;

/** Each resource's revisions follow one another without a gap, from the one that was listed on. */
export function requireRevisionsInOrder(events: readonly Json[], listed: Map<string, number>): void {
  const revisions = new Map(listed);
  for (const { type, object } of events) {
    const { uid, revision } = object.metadata;
    const before = revisions.get(uid) ?? 0;
    const expected = type === 'DELETED' ? before : before + 1;
    if (revision !== expected) throw new Error(`${type} ${uid}@${revision} after revision ${before}`);
    if (type === 'DELETED') revisions.set(uid, Number.NaN);
    else revisions.set(uid, revision);
  }
}
