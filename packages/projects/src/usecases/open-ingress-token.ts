import { type EndedSessions, type IngressClaims, type SessionFacts, sessionFacts } from '@platform/tokens';
import type { Project } from '../model/records.ts';
import type { ProjectPorts } from './ports.ts';

/** The visitor that an ingress token names. */
export interface IngressVisitor {
  readonly uid: string;
  readonly email: string;
  readonly session: SessionFacts;
  /** When the presented token expires, in seconds since the epoch. */
  readonly tokenExpiresAt: number;
}

/**
 * The visitor whom an ingress token names: forward-auth proxies present the token that they were handed. `tokenOf` reads it from the request.
 * Null when it was minted for another project, and for an unknown project.
 */
export async function openIngressToken(
  {
    projects,
    verify,
    endedSessions,
  }: Pick<ProjectPorts, 'projects'> & {
    readonly endedSessions: EndedSessions;
    /** The claims of a valid ingress token with exactly that audience, or null. */
    readonly verify: (token: string, audience: string) => IngressClaims | null;
  },
  tokenOf: (project: Pick<Project, 'url'>) => string | null,
  name: string,
): Promise<IngressVisitor | null> {
  const project = await projects.find(name);
  if (project === null) return null;
  const token = tokenOf(project);
  if (token === null) return null;
  const claims = verify(token, project.url);
  // Attack: a URL that moved to another project. The audience alone would let a token of the former one open the next.
  if (claims === null || claims.project !== project.name) return null;
  // A token of an earlier release does not name the end of its session: it is not renewed beyond its own.
  const session = sessionFacts(token, claims, claims.session_exp ?? claims.exp);
  const visitor = { uid: claims.sub, email: claims.email };
  if (await endedSessions.hasEnded({ ...visitor, ...session })) return null;
  return { ...visitor, session, tokenExpiresAt: claims.exp };
}
