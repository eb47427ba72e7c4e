import type { OAuthError } from '@platform/kernel';

/** The headers of the page: the browser may only display it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  Vary: 'Accept',
};

/**
 * The page for a user whose login failed: the error, the remedy, and the request id for support. It has no script and loads nothing;
 * all texts are escaped.
 */
export function errorPage(refusal: OAuthError, requestId: string): string {
  const advice = refusal.remedy ?? 'Go back to the app and start the login again.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Login failed</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1c1e21; background: #f4f5f7; }
main { max-width: 34rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 8px; box-shadow: 0 1px 4px #0002; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; }
small { color: #6b6f76; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e7ea; background: #16181b; } main { background: #212429; } small { color: #a0a4ab; }
}
</style>
</head>
<body>
<main>
<h1>The login could not go on</h1>
<p><strong>${escaped(refusal.message)}</strong></p>
<p>${escaped(advice)}</p>
<p><small>Error ${escaped(refusal.code)} &middot; request ${escaped(requestId)}</small></p>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
