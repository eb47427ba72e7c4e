import { createServer } from 'node:http';
import express, { type Express } from 'express';
import { Browser } from './browser.ts';
import { close, listen } from './loopback.ts';

/** Serves an app on a free port of loopback; `build` gets its origin. */
export async function startApp(build: (app: Express, origin: string) => void) {
  const app = express();
  const server = createServer(app);
  const origin = await listen(server);
  build(app, origin);
  return {
    origin,
    /** Logs in with a fresh browser, which ends on `path` of the app, and returns the JSON that is there. */
    async visit(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
      const { response } = await new Browser().open(origin + path);
      const text = await (response as Response).text();
      try {
        return { status: response?.status ?? 0, body: JSON.parse(text) as Record<string, unknown> };
      } catch {
        throw new Error(`the app answered ${response?.status}: ${text.slice(0, 2000)}`);
      }
    },
    close: () => close(server),
  };
}
