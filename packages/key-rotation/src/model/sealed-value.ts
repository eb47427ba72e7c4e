import type { SealContext } from '@platform/kernel';
import { storedLoginContexts } from '@platform/login';
import {
  clientSecretContext,
  sealContext,
  sharedKeyContext,
  signingKeyContext,
  upstreamSecretContext,
} from '@platform/oauth-proxy';
import { keptAnswerContext, sealedValueContext } from '@platform/resources';

/** Where a sealed value is stored. */
export interface SealedPlace {
  /** Identifies the row; values of one row share it. */
  readonly id: string;
  /** Empty for values that belong to no project or extension. */
  readonly projectUid: string;
  readonly extensionUid: string;
}

/** A text in the database that is sealed with one of `encryption.keys`. */
export interface SealedValue extends SealedPlace {
  readonly sealed: string;
}

/**
 * Every kind of sealed value in the database, with the contexts that a value of it may be sealed for. A value that is missing here
 * becomes unreadable when its key is removed.
 */
export const sealedKinds = {
  'upstream client secrets': (of) => [upstreamSecretContext(of)],
  'client secrets of apps': (of) => [clientSecretContext(of)],
  'signing keys of extensions': ({ extensionUid }) => [signingKeyContext(extensionUid), sharedKeyContext],
  'shared signing keys': () => [sharedKeyContext],
  'OAuth states': (of) => [sealContext('oauth_state', of)],
  'OAuth codes': (of) => [sealContext('oauth_code', of)],
  'login codes': () => storedLoginContexts,
  'values of resources': ({ id }) => [resourceContext(id)],
  'values in the change log': ({ id }) => [resourceContext(id.split('/').slice(2).join('/'))],
  'kept answers': ({ id }) => [keptAnswerContext(id)],
} as const satisfies Record<string, (of: SealedPlace) => readonly SealContext[]>;

/** The context of a value of a resource, whose id is `<uid>/<place in spec>`. */
function resourceContext(id: string): SealContext {
  const slash = id.indexOf('/');
  return sealedValueContext(id.slice(0, slash), id.slice(slash + 1));
}

/** The name of a kind, as reports show it. */
export type SealedKind = keyof typeof sealedKinds;

/** All kinds, in the order of reports. */
export const sealedKindNames = Object.keys(sealedKinds) as readonly SealedKind[];
