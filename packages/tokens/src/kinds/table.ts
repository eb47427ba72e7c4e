import { accessKind } from './access.ts';
import { externalKind } from './external.ts';
import { idKind } from './id.ts';
import { ingressKind } from './ingress.ts';
import { sessionKind } from './session.ts';
import { workloadKind } from './workload.ts';

/** The kinds of token, one entry each: what is not here is no token of the platform. */
export const issuedKinds = {
  session: sessionKind,
  access: accessKind,
  ingress: ingressKind,
  workload: workloadKind,
  id: idKind,
} as const;

/** The kinds that are accepted but not issued. */
export const acceptedKinds = { external: externalKind } as const;
