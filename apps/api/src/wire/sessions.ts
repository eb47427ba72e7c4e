import { monotonicClock } from '@platform/kernel';
import { createLogoutTokenVerifier } from '@platform/oidc-client';
import { createProjectStores, createSessionStore } from '@platform/store-postgres';
import type { IntrospectedToken, PresentedToken, SessionStore } from '@platform/tokens';
import {
  accessKind,
  type CommonClaims,
  type EndedSessions,
  type IssuedKind,
  idKind,
  ingressKind,
  readToken,
  type SignatureVerifier,
  sessionFacts,
  sessionKind,
  verifyOwn,
  workloadKind,
} from '@platform/tokens';
import { type BoundEndpoint, bind } from '../endpoint/descriptor.ts';
import type { AccountDeps } from '../http/require-account.ts';
import { RevocationFollower } from '../process/revocation-follower.ts';
import { sessionEndpoints } from '../routes/sessions/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { TokenServices } from './tokens.ts';

/** Sign-outs are remembered longer than any session lives, also one that was issued under an earlier configuration. */
const minKeepSeconds = 400 * 86_400;

/** The sessions of all replicas, and which of them have ended. */
export interface SessionServices {
  readonly store: SessionStore;
  readonly ended: RevocationFollower;
}

/** Opens the sessions; it opens no connection. */
export function openSessions({ store, logging, identifiers, clock }: Infrastructure): SessionServices {
  const sessions = createSessionStore(store.database, identifiers);
  const ended = new RevocationFollower({
    store: sessions,
    listen: store.onRevocation,
    log: logging.logger,
    monotonic: monotonicClock,
    clock,
  });
  return { store: readingOwnEnds(sessions, ended), ended };
}

/** The store, whose ends of sessions this process has read when they return. */
function readingOwnEnds(sessions: SessionStore, ended: RevocationFollower): SessionStore {
  const thenCatchUp = async <T>(write: Promise<T>): Promise<T> => {
    const result = await write;
    await ended.catchUp();
    return result;
  };
  return {
    ...sessions,
    end: (session) => thenCatchUp(sessions.end(session)),
    signOut: (target) => thenCatchUp(sessions.signOut(target)),
    endByProvider: (logout) => thenCatchUp(sessions.endByProvider(logout)),
  };
}

/** Whether service accounts exist, as it is stored now. */
export function accountLookup({ store }: Infrastructure): AccountDeps['accountExists'] {
  const { projects } = createProjectStores(store.database);
  return async ({ project, uid }) => (await projects.findForAccount(project, uid))?.accountExists === true;
}

/** Lists, ends and introspection of sessions: the endpoints. */
export function wireSessions(
  infrastructure: Infrastructure,
  { signatures }: TokenServices,
  { store: sessions, ended }: SessionServices,
  accountExists: AccountDeps['accountExists'],
): readonly BoundEndpoint[] {
  const { config, clock, documents } = infrastructure;
  const { server, auth } = config;
  const reader = new OwnTokens(server.public_url, signatures, () => Math.floor(clock.now() / 1000));
  const { issuer, client_id: clientId } = auth;
  return bind(sessionEndpoints, {
    ports: {
      sessions,
      keepSignOutSeconds: Math.max(server.jwt_expiry_seconds, minKeepSeconds),
    },
    present: (token) => reader.present(token),
    introspection: {
      open: (token) => reader.introspect(token, ended),
      accountExists,
    },
    logoutTokens:
      issuer === undefined || clientId === undefined
        ? null
        : createLogoutTokenVerifier({ issuer, clientId, documents, clock }),
  });
}

/** Ends the session of a session token and returns it; null for any other text, and for a session that has ended. */
export function sessionEnder(
  { config, clock }: Infrastructure,
  { signatures }: TokenServices,
  { store, ended }: SessionServices,
): (token: string) => Promise<{ readonly id: string; readonly email: string } | null> {
  const reader = new OwnTokens(config.server.public_url, signatures, () => Math.floor(clock.now() / 1000));
  return async (token) => {
    const opened = reader.session(token);
    // A second logout with the same token writes nothing.
    if (opened === null || (await ended.hasEnded(opened))) return null;
    await store.end(opened);
    return opened;
  };
}

/** Reads tokens that the platform issued, for the endpoints that are asked about tokens. */
class OwnTokens {
  readonly #issuer: string;
  readonly #signatures: SignatureVerifier;
  /** Seconds since the epoch. */
  readonly #now: () => number;

  constructor(issuer: string, signatures: SignatureVerifier, now: () => number) {
    this.#issuer = issuer;
    this.#signatures = signatures;
    this.#now = now;
  }

  session(token: string) {
    const claims = this.#verify(sessionKind, token);
    return claims === null ? null : identityOf(token, claims, claims.exp);
  }

  present(token: string): PresentedToken {
    const own = this.session(token);
    const session = own ?? this.#sessionOfIngress(token);
    if (session !== null) {
      const { uid, email, id, expiresAt } = session;
      return {
        outcome: 'session',
        session: { uid, email, session: { id, expiresAt } },
        isOfApps: own === null,
      };
    }
    const others = [accessKind, workloadKind, idKind] as readonly IssuedKind<unknown, CommonClaims>[];
    return { outcome: others.some((kind) => this.#verify(kind, token) !== null) ? 'unsupported' : 'invalid' };
  }

  async introspect(token: string, ended: EndedSessions): Promise<IntrospectedToken | null> {
    const ingress = this.#verify(ingressKind, token);
    const claims = ingress ?? this.#verify(sessionKind, token);
    if (claims === null || (await ended.hasEnded(identityOf(token, claims, claims.exp)))) return null;
    return { kind: ingress === null ? 'session' : 'ingress', claims };
  }

  /** A token of an earlier release does not name its session. */
  #sessionOfIngress(token: string) {
    const claims = this.#verify(ingressKind, token);
    if (claims?.sid === undefined) return null;
    return identityOf(token, claims, claims.session_exp ?? claims.exp);
  }

  /** Tokens for others name their audience themselves; this only checks whether they are valid. */
  #verify<Input, Claims extends CommonClaims>(kind: IssuedKind<Input, Claims>, token: string): Claims | null {
    const named = readToken(token)?.claims.aud;
    const isInternal = kind.alg === 'HS256';
    const audience = isInternal || typeof named !== 'string' ? this.#issuer : named;
    const result = verifyOwn(
      kind,
      token,
      { issuer: this.#issuer, audience, now: this.#now() },
      this.#signatures,
    );
    return result.ok ? result.claims : null;
  }
}

function identityOf(token: string, claims: CommonClaims & { readonly email: string }, expiresAt: number) {
  const { id, startedAt } = sessionFacts(token, claims, expiresAt);
  return { id, uid: claims.sub, email: claims.email, startedAt, expiresAt };
}
