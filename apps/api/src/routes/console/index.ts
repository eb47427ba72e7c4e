import { randomBytes } from 'node:crypto';
import { html, Problem, page } from '@platform/kernel';
import type { Answer, Headers } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { EndpointFamily } from '../../endpoint/family.ts';
import { hasDotSegment } from '../../http/dot-segments.ts';
import { htmlType, pageHeaders } from '../../http/page.ts';
import { type ConsoleBuild, chooseCoding, noncePlaceholder, readConsole } from './files.ts';

const prefix = '/console';
const assets = `${prefix}/assets/`;

/**
 * Scripts come from files of the platform alone. The nonce is for the styles that its libraries insert.
 *
 * Attack: a name or a status with markup that reaches the page. No script of it runs, and nothing leaves for another origin.
 */
function contentSecurityPolicy(nonce: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    nonce === null ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** `GET /console` and everything below: the single-page application. Every path but those of its files is the page, which reads the path. */
export function consoleFamily(read: () => ConsoleBuild | null = readConsole): EndpointFamily {
  let build: ConsoleBuild | null | undefined;
  return {
    prefix,
    access: 'public',
    unlimited: 'a file in memory, which clients may cache',
    handle(call): Answer {
      call.context.route = prefix;
      if (call.method !== 'GET' && call.method !== 'HEAD') {
        throw new Problem('method_not_allowed', `${call.method} is not valid for this path.`, {
          allow: ['GET'],
        });
      }
      if (hasDotSegment(call.path)) {
        throw new Problem('unknown_endpoint', 'There is no endpoint at this path.');
      }
      build ??= read();
      if (build === null) return withoutBuild();
      return call.path.startsWith(assets) ? assetAnswer(build, call) : pageAnswer(build);
    },
  };
}

function pageAnswer(build: ConsoleBuild): Answer {
  const nonce = randomBytes(18).toString('base64');
  return {
    status: 200,
    body: build.page.replaceAll(noncePlaceholder, nonce),
    contentType: htmlType,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    },
  };
}

/** The names of files contain a digest of their content, so that a browser never asks twice. */
function assetAnswer(build: ConsoleBuild, call: Call): Answer {
  const file = build.asset(call.path.slice(assets.length));
  if (file === null) throw new Problem('not_found', 'The console has no such file.');
  const best = chooseCoding(file, call.headers['accept-encoding']);
  const headers: Headers = {
    'Cache-Control': 'public, max-age=31536000, immutable',
    // A worker does not inherit the policy of the page.
    'Content-Security-Policy': contentSecurityPolicy(null),
    Vary: 'Accept-Encoding',
    ...(best === null ? {} : { 'Content-Encoding': best.coding }),
  };
  return { status: 200, body: best?.bytes ?? file.bytes, contentType: file.type, headers };
}

function withoutBuild(): Answer {
  const body = page('Console', html`<p>This service was started without a build, so it has no console.</p>`);
  return { status: 404, body, contentType: htmlType, headers: pageHeaders() };
}
