import type { Endpoint } from '../../endpoint/descriptor.ts';
import { backChannelLogout } from './back-channel-logout.ts';
import type { SessionDeps } from './deps.ts';
import { introspection } from './introspect.ts';
import { sessionList } from './list.ts';
import { revocation } from './revoke.ts';
import { userSignOut } from './sign-out.ts';

/** Sessions of people: lists, ends, introspection. */
export const sessionEndpoints: readonly Endpoint<SessionDeps>[] = [
  sessionList,
  revocation,
  userSignOut,
  introspection,
  backChannelLogout,
];
