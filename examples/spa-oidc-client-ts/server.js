// Serves the single-page app and tells it where to log in. See README.md.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { LOGIN_ISSUER, LOGIN_CLIENT_ID, PORT = '3000' } = process.env;
if (!LOGIN_ISSUER || !LOGIN_CLIENT_ID) {
  console.error('Start this app with: platform run --project <project> --extension login -- npm start');
  process.exit(1);
}

const library = createRequire(import.meta.url).resolve('oidc-client-ts');
const file = (name) => readFile(new URL(`public/${name}`, import.meta.url));
const pages = {
  '/': ['text/html', () => file('index.html')],
  '/callback': ['text/html', () => file('index.html')],
  '/app.js': ['text/javascript', () => file('app.js')],
  '/oidc-client-ts.js': [
    'text/javascript',
    () => readFile(join(dirname(library), '..', 'browser', 'oidc-client-ts.js')),
  ],
  '/settings.json': [
    'application/json',
    async () => JSON.stringify({ authority: LOGIN_ISSUER, client_id: LOGIN_CLIENT_ID }),
  ],
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
  if (page === undefined) return response.writeHead(404).end();
  const [type, read] = page;
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(await read());
});
server.listen(Number(PORT), 'localhost', () => {
  console.log(`http://localhost:${server.address().port}`);
});
