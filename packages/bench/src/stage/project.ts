import type { Sql } from 'postgres';
import type { Api } from './api.ts';
import { operator } from './settings.ts';
import { upstreamClient } from './upstream.ts';

/** The project of the cases about tokens and logins. */
export const project = 'bench';
/** Its OAuth extension. */
export const extension = 'login';

/** Makes the project, unless it is there. */
export async function ensureProject(sql: Sql, api: Api): Promise<void> {
  const [found] = await sql`select 1 from projects where name = ${project}`;
  if (found === undefined) await api.post('/api/v1/projects', { name: project, owner: { user: operator } });
}

/** Makes the project and its extension, whose provider is the given one, unless they are there. */
export async function ensureExtension(sql: Sql, api: Api, upstreamUrl: string): Promise<void> {
  await ensureProject(sql, api);
  const [found] = await sql`select 1 from extensions where name = ${extension}`;
  if (found !== undefined) return;
  const sealed = await api.post('/api/v1/encrypt', { plaintext: upstreamClient.secret, project });
  await api.post(`/api/v1/projects/${project}/extensions`, {
    name: extension,
    type: 'oauth',
    spec: {
      provider_name: 'Upstream',
      client_id: upstreamClient.id,
      client_secret_encrypted: (sealed as { encrypted: string }).encrypted,
      issuer_url: upstreamUrl,
    },
  });
}
