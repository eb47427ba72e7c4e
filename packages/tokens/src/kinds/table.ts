import { accessKind } from './access.ts';
import { idKind } from './id.ts';
import { ingressKind } from './ingress.ts';
import { sessionKind } from './session.ts';
import { workloadKind } from './workload.ts';

/** The kinds of token, one entry each: the platform issues no other. */
export const issuedKinds = {
  session: sessionKind,
  access: accessKind,
  ingress: ingressKind,
  workload: workloadKind,
  id: idKind,
} as const;
