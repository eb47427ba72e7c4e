import type { Response } from 'express';

/** Sends the browser on. Without express's own redirect, which writes the URL, and so the code, into a body as well. */
export function redirect(response: Response, url: string): void {
  response.statusCode = 302;
  response.setHeader('Location', url);
  response.setHeader('Content-Length', 0);
  response.end();
}
