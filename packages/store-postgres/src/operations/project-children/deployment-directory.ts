import type { DeploymentDirectory } from '@platform/projects';
import type { Sql } from '../../connection.ts';

const text = `
select d.uid, d.environment, p.name, p.uid
from deployments d join projects p on p.uid = d.project_uid
where d.credential_hash = $1::text`;

/** Finds deployments by the hash of their bootstrap credential. */
export function createDeploymentDirectory(sql: Sql): DeploymentDirectory {
  return {
    async findByCredentialHash(hash) {
      const [row] = await sql.rows<readonly [string, string, string, string]>(text, [hash]);
      if (row === undefined) return null;
      const [deployment, environment, project, projectUid] = row;
      return { deployment, environment, project, projectUid };
    },
  };
}
