import { createClient, reconcile } from 'platform-service-client';

// A minimal controller: it writes a greeting into the status of every Greeting. It runs with an operator's token, which may write any slot.

const { PLATFORM: baseUrl = 'http://localhost:8080', TOKEN = '' } = process.env;
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

console.log('watching greetings');
await reconcile<{ name: string }, { says: string }>({
  reader: createClient({ baseUrl, token: TOKEN }),
  controller: 'hello.example.dev',
  kind: { group: 'example.dev', version: 'v1', plural: 'greetings' },
  reconcile: async ({ spec }) => ({ status: { says: `Hello, ${spec.name}!` } }),
  onError: (error, greeting) => console.error(greeting?.metadata.name ?? 'watching', String(error)),
  signal: stopping.signal,
});
