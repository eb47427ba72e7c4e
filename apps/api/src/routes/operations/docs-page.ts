/** The headers of the page: it may load its own files and call this service, without inline scripts or other hosts. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** The page; the viewer fills it. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform API</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<nav><a href="/docs">Platform API</a> <a href="/docs?kinds=all">with registered kinds</a> <a href="/openapi.json">openapi.json</a></nav>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/docs.js"></script>
</body>
</html>
`;

/** Starts the viewer. It takes nothing from the address but whether the registered kinds are shown. */
export const docsScript = `'use strict';
const kinds = new URLSearchParams(location.search).get('kinds') === 'all' ? '?kinds=all' : '';
SwaggerUIBundle({
  url: '/openapi.json' + kinds,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  showCommonExtensions: true,
  validatorUrl: null,
  queryConfigEnabled: false,
});
`;

/** The few lines of style that are our own. */
export const docsStyle = `body { margin: 0; }
nav { display: flex; gap: 1.5rem; padding: 0.75rem 1.5rem; background: #1b2733; font: 14px/1.4 system-ui, sans-serif; }
nav a { color: #cfe3f5; text-decoration: none; }
nav a:first-child { color: #fff; font-weight: 600; }
nav a:hover, nav a:focus { text-decoration: underline; }
`;
