import { join } from 'node:path';
import {
  createClient,
  exchangedToken,
  fileToken,
  type ReconcileOptions,
  type Resource,
  reconcile,
} from 'platform-service-client';
import { publish, withdraw, withdrawDirectory } from './publish.ts';

// Publishes web sites: a Site is a directory, a Section a subdirectory, and a Page a file. Deleted resources are taken offline before
// they are removed, pages before their section.

const id = 'publisher.sites.example';
const {
  PLATFORM: baseUrl = 'http://localhost:8080',
  TOKEN = '',
  CONTROLLER_TOKEN_FILE = 'controller.token',
  PUBLIC_DIR = 'public',
  PAGES_VERSION = 'v1',
} = process.env;

/** The published path, and the generation of the published spec. */
interface Published {
  readonly path: string;
  readonly generation: number;
}
interface Titled {
  readonly title: string;
}
/** The two versions of a page: a text, or a list of paragraphs. */
type PageSpec = Titled & ({ readonly text: string } | { readonly paragraphs: readonly string[] });

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const kind = (plural: string, version = 'v1') => ({ group: 'sites.example', version, plural });
const [sites, sections, pages] = [kind('sites'), kind('sections'), kind('pages', PAGES_VERSION)];

const common = {
  // Reads with an operator's token, because controllers may not read; writes with its own.
  reader: createClient({ baseUrl, token: TOKEN }),
  writer: createClient({
    baseUrl,
    token: exchangedToken({ baseUrl, subject: fileToken(CONTROLLER_TOKEN_FILE) }),
  }),
  controller: id,
  finalizer: `${id}/published`,
  signal: stopping.signal,
  onError: (error: unknown, resource?: Resource) =>
    console.error(resource?.metadata.name ?? 'watching', String(error)),
};

/** The handlers for sites and sections: a directory with a title page. */
const directories: Pick<ReconcileOptions<Titled, Published>, 'reconcile' | 'finalize'> = {
  async reconcile({ metadata: { name, generation }, spec }, { ancestors }) {
    const path = join(PUBLIC_DIR, ...ancestors, name);
    await publish(join(path, 'index.html'), spec.title);
    return { status: { path, generation } };
  },
  async finalize({ status }) {
    const path = status.controllers[id]?.path;
    if (path === undefined || (await withdrawDirectory(path))) return undefined;
    // The directory still contains pages, which are being deleted too.
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
