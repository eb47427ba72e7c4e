import type { Resource } from '../src/model/resource.ts';
import type { Scripted, SeenRequest } from './scripted-fetch.ts';

const prefix = '/api/v1/resources/';
const answer = (body: unknown): Scripted => ({ status: 200, body });
const notFound: Scripted = { status: 404, body: { code: 'not_found', detail: 'There is no such resource' } };

/** The part of the platform that a controller uses: widgets, by name or by UID, below projects. */
export class FakePlatform {
  readonly widgets = new Map<string, Resource>();
  readonly requests: string[] = [];
  /** Replaces the response of the platform when it returns one. */
  interfere: (request: SeenRequest) => Scripted | undefined = () => undefined;
  #made = 0;

  /** The recorded requests, without polling. */
  get work(): string[] {
    return this.requests.filter((line) => !/^GET .*(widgets[^:]*|projects|pending-deletion)$/.test(line));
  }

  add(name: string, project = 'p'): Resource {
    const uid = `u${++this.#made}`;
    const metadata = {
      name,
      uid,
      revision: 1,
      generation: 1,
      discriminator: 'd0000000',
      ancestors: [],
      labels: {},
      annotations: { project },
    };
    const resource: Resource = {
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: { ...metadata, creationTimestamp: '', finalizers: [], ownerReferences: [] },
      spec: {},
      status: { controllers: {} },
    };
    this.widgets.set(uid, resource);
    return resource;
  }

  change(resource: Resource): void {
    resource.metadata.generation += 1;
  }

  delete({ metadata }: Resource): void {
    metadata.deletionTimestamp = '2026-01-01T00:00:00.000Z';
    this.#collect();
  }

  #collect(): void {
    for (const [uid, { metadata }] of this.widgets) {
      if (metadata.deletionTimestamp !== undefined && metadata.finalizers.length === 0)
        this.widgets.delete(uid);
    }
  }

  readonly serve = (request: SeenRequest): Scripted => {
    const path = (request.target.split('?')[0] as string).slice(prefix.length);
    this.requests.push(
      `${request.method} ${request.target.slice(prefix.length)}`.replace(/\?limit=\d+$/, ''),
    );
    return this.interfere(request) ?? this.#answer(path, JSON.parse(request.body ?? 'null'), request.target);
  };

  // biome-ignore lint/suspicious/noExplicitAny: the bodies of two small requests
  #answer(path: string, body: any, target: string): Scripted {
    if (target.includes('watch=')) {
      return { status: 400, body: { code: 'invalid_query', detail: 'Unknown query parameter: watch' } };
    }
    const items = [...this.widgets.values()];
    if (path === 'pending-deletion') {
      return answer({ items: items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined) });
    }
    if (path === 'example.dev/v1/projects') {
      return answer({
        kind: 'ProjectList',
        metadata: {},
        items: [{ metadata: { name: 'p' } }, { metadata: { name: 'q' } }],
      });
    }
    const list = /^example.dev\/v1\/widgets\/(\w+)$/.exec(path);
    if (list !== null) {
      const below = items.filter(({ metadata }) => metadata.annotations['project'] === list[1]);
      return answer({ kind: 'WidgetList', metadata: {}, items: below });
    }
    const [, uid = '', subresource] = /uid:(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    const resource = this.widgets.get(uid);
    if (resource === undefined) return notFound;
    if (subresource === 'status') {
      const slot = new URLSearchParams(target.split('?')[1]).get('slot') ?? '';
      resource.status.controllers[slot] = body.status;
    }
    if (subresource === 'finalizers') {
      const { finalizers } = resource.metadata;
      const kept = finalizers.filter((name) => !(body.remove ?? []).includes(name));
      resource.metadata.finalizers = [...new Set([...kept, ...(body.add ?? [])])];
    }
    const text = JSON.stringify(resource);
    this.#collect();
    return answer(text);
  }
}
