import type { ExtensionDirectory, OAuthExtensionSpec, StoredClientSecret } from '@platform/oauth-proxy';
import { parseArrayLiteral, type Sql } from '@platform/postgres';

const text = `
select p.uid, e.uid, case when exists (select from project_addresses a where a.project_uid = p.uid and a.is_url and a.contested)
    then '' else p.url end,
  array(select domain from unnest(p.custom_domains) as domain where not exists (
    select from project_addresses a where a.project_uid = p.uid and a.address = domain and a.contested)),
  e.spec, e.sealed_upstream_secret, e.client_secrets
from extensions e join projects p on p.uid = e.project_uid
where p.name = $1::text and e.name = $2::text`;

type Row = readonly [string, string, string, string, string, string, string];

/** Finds extensions for the OAuth proxy; never cached, so that a rotated secret or a changed endpoint holds at once. */
export function createExtensionDirectory(sql: Sql): ExtensionDirectory {
  return {
    async find(project, extension) {
      const [row] = await sql.rows<Row>(text, [project, extension]);
      if (row === undefined) return null;
      const [projectUid, extensionUid, projectUrl, customDomains, spec, sealedUpstreamSecret, clientSecrets] =
        row;
      return {
        projectUid,
        extensionUid,
        project,
        extension,
        projectUrl,
        customDomains: parseArrayLiteral(customDomains),
        spec: JSON.parse(spec) as OAuthExtensionSpec,
        sealedUpstreamSecret,
        clientSecrets: JSON.parse(clientSecrets) as readonly StoredClientSecret[],
      };
    },
  };
}
