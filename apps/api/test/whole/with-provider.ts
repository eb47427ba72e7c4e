import { developmentPeople, startDevelopmentIdentityProvider } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '@platform/development/testing';
import { WholeApi } from './whole-api.ts';

type ProviderOptions = Parameters<typeof startDevelopmentIdentityProvider>[0];

/** The secret of the platform as a client of the provider. */
export const clientSecret = 'client-secret-of-the-platform';

/** The whole service with a development provider for its people; both stop after the file. `settings` are merged over the defaults. */
export function apiWithProvider(
  settings: Readonly<Record<string, object>> = {},
  options: Partial<ProviderOptions> = {},
): WholeApi {
  let provider: Awaited<ReturnType<typeof startDevelopmentIdentityProvider>>;
  const api = new WholeApi(async (publicUrl) => {
    provider = await startDevelopmentIdentityProvider({
      port: 0,
      clientId: 'platform',
      clientSecret,
      redirectUris: [`${publicUrl}/api/v1/auth/callback`],
      people: developmentPeople,
      ...options,
    });
    return {
      ...settings,
      auth: {
        issuer: provider.issuer,
        client_id: 'platform',
        client_secret: clientSecret,
        ...settings['auth'],
      },
      outbound: { allow_insecure_origins: [provider.issuer] },
    };
  });
  afterAll(() => provider.close());
  return api;
}

/** The callback URL of a login that was completed at the provider, not yet opened. */
export async function callbackOf(
  { publicUrl }: WholeApi,
  browser: ScriptlessBrowser,
  subject: string,
  redirect = '/',
): Promise<string> {
  const login = `${publicUrl}/api/v1/auth/login?redirect=${encodeURIComponent(redirect)}`;
  const atCallback = (url: string) => url.startsWith(`${publicUrl}/api/v1/auth/callback`);
  const page = await chooseAtDevelopmentProvider(browser, login, subject, atCallback);
  if (page.location === null) throw new Error(page.text);
  return page.location;
}

/** Logs in as a person with a browser; returns the session token. */
export async function logIn(
  api: WholeApi,
  subject: string,
  browser = new ScriptlessBrowser(),
): Promise<string> {
  await browser.open(await callbackOf(api, browser, subject));
  return browser.cookie('localhost', 'platform_session') ?? '';
}
