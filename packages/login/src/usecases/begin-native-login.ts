import { judgeNativeRequest } from '../rules/native-request.ts';
import { beginTrip, type Departure } from './begin-trip.ts';
import type { LoginPorts } from './ports.ts';

/** Starts a login for a native client (`GET /api/v1/auth/authorize`); a refused request goes back to the client's redirect URI. */
export async function beginNativeLogin(
  ports: LoginPorts,
  query: URLSearchParams,
): Promise<Departure | { readonly location: string; readonly cookie: null }> {
  const request = judgeNativeRequest(query);
  if (request.outcome === 'accepted') return await beginTrip(ports, request.destination);
  const { redirectUri, state, error } = request;
  const parameters = { ...error.body, ...(state === null ? {} : { state }), iss: ports.publicUrl };
  return { location: withParameters(redirectUri, parameters), cookie: null };
}

/** The URL with further query parameters. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}
