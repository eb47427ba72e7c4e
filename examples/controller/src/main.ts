import { join } from 'node:path';
import {
  createClient,
  exchangedToken,
  fileToken,
  type ReconcileOptions,
  type Resource,
  reconcile,
} from '@platform/client';
import { publish, withdraw, withdrawDirectory } from './publish.ts';

// Publishes sites: a Site is a directory, a Section of it one below, and a Page of that a file. What is deleted is taken
// offline before it goes, the pages before the section that they are in.

const id = 'publisher.sites.example';
const {
  PLATFORM: baseUrl = 'http://localhost:8080',
  TOKEN = '',
  CONTROLLER_TOKEN_FILE = 'controller.token',
  PUBLIC_DIR = 'public',
  PAGES_VERSION = 'v1',
} = process.env;

/** Where something was published, and as of which generation of its spec. */
interface Published {
  readonly path: string;
  readonly generation: number;
}
interface Titled {
  readonly title: string;
}
/** The two versions of a page: one text, or a list of paragraphs. */
type PageSpec = Titled & ({ readonly text: string } | { readonly paragraphs: readonly string[] });

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const kind = (plural: string, version = 'v1') => ({ group: 'sites.example', version, plural });
const [sites, sections, pages] = [kind('sites'), kind('sections'), kind('pages', PAGES_VERSION)];

const common = {
  // Reads as an operator, writes as itself: a controller may not read.
  reader: createClient({ baseUrl, token: TOKEN }),
  writer: createClient({
    baseUrl,
    token: exchangedToken({ baseUrl, subject: fileToken(CONTROLLER_TOKEN_FILE) }),
  }),
  controller: id,
  finalizer: `${id}/published`,
  pollMs: 1_000,
  signal: stopping.signal,
  onError: (error: unknown, resource?: Resource) =>
    console.error(resource?.metadata.name ?? 'polling', String(error)),
};

/** A controller of something that is a directory with a title page. */
const directories: Pick<ReconcileOptions<Titled, Published>, 'reconcile' | 'finalize'> = {
  async reconcile({ metadata: { name, generation }, spec }, { ancestors }) {
    const path = join(PUBLIC_DIR, ...ancestors, name);
    await publish(join(path, 'index.html'), spec.title);
    return { status: { path, generation } };
  },
  async finalize({ status }) {
    const path = status.controllers[id]?.path;
    if (path === undefined || (await withdrawDirectory(path))) return undefined;
    // What is in it is being deleted too.
    return { requeueAfterMs: 200 };
  },
};

await Promise.all([
  reconcile<Titled, Published>({ ...common, ...directories, kind: sites }),
  reconcile<Titled, Published>({ ...common, ...directories, kind: sections, within: [sites] }),
  reconcile<PageSpec, Published>({
    ...common,
    kind: pages,
    within: [sites, sections],
    async reconcile({ metadata: { name, generation }, spec }, { ancestors }) {
      const path = join(PUBLIC_DIR, ...ancestors, `${name}.html`);
      await publish(path, spec.title, 'text' in spec ? [spec.text] : spec.paragraphs);
      return { status: { path, generation } };
    },
    async finalize({ status }) {
      const path = status.controllers[id]?.path;
      if (path !== undefined) await withdraw(path);
      return undefined;
    },
  }),
]);
