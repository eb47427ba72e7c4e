import { accessEndpoints } from './access/index.ts';
import { auditEndpoints } from './audit/index.ts';
import { authEndpoints } from './auth/index.ts';
import { identityEndpoints } from './identity/index.ts';
import { ingressEndpoints } from './ingress/index.ts';
import { loginEndpoints } from './login/index.ts';
import { oauthEndpoints } from './oauth/index.ts';
import { documentationEndpoints, metricsEndpoints, probeEndpoints } from './operations/index.ts';
import { pageEndpoints } from './pages/index.ts';
import { typedResourceEndpoints } from './projects/index.ts';
import { batchEndpoints } from './resources/batch.ts';
import { sessionEndpoints } from './sessions/index.ts';
import { changes } from './watch/changes.ts';

/** Every endpoint but those of the generic resource API, for the OpenAPI document. */
export const allEndpoints = [
  ...typedResourceEndpoints,
  ...batchEndpoints,
  ...accessEndpoints,
  ...authEndpoints,
  ...identityEndpoints,
  ...ingressEndpoints,
  ...loginEndpoints,
  ...sessionEndpoints,
  ...auditEndpoints,
  ...oauthEndpoints,
  ...probeEndpoints,
  ...metricsEndpoints,
  ...documentationEndpoints,
  ...pageEndpoints,
  changes,
];
