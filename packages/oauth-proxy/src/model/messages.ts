/** The error messages of logins (docs/oauth-proxy.md). */
export const messages = {
  endpoints: 'Failed to resolve OAuth endpoints: No authorization_endpoint in spec or OIDC discovery',
  issuerUrl: 'Invalid issuer_url URL',
  exchange: (status: number) => `Token exchange failed with status ${status}`,
  state: 'No cached state found for state token',
  browser: 'The login was started in another browser',
  code: 'Invalid or expired authorization code',
  waiting: 'Too many large answers of the provider wait for the app',
} as const;

/** The remedy for each message. */
export const remedies = {
  endpoints:
    'Correct issuer_url, or set authorization_endpoint and token_endpoint when the provider does not speak OpenID Connect.',
  issuerUrl:
    'Set issuer_url to a valid HTTPS URL, without a trailing slash unless the provider has one in its issuer.',
  exchange:
    'Check client_id and client_secret_encrypted, and register the callback URL with the provider exactly as shown here.',
  state: 'The state token is valid for 10 minutes and once: start the login again.',
  browser:
    'Start the login again in this browser, with cookies allowed for this site, and finish it within 10 minutes.',
  code: 'The authorization code is valid for 5 minutes and once: start the login again.',
} as const;
