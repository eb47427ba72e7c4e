import { Problem } from '@platform/kernel';
import { ProxyError } from '@platform/oauth-proxy';
import type { Request } from 'express';
import { requireMediaType } from '../../http/media-type.ts';
import { readText } from '../../http/read-body.ts';

/** The raw text of a form body (RFC 6749, section 4.1.3); another content type is `invalid_request`. */
export function readForm(request: Request, limit: number): Promise<string> {
  try {
    requireMediaType(request, ['application/x-www-form-urlencoded']);
  } catch (error) {
    // RFC 6749, section 5.2 has one answer for every malformed request.
    if (error instanceof Problem) throw new ProxyError('invalid_request', error.message);
    throw error;
  }
  return readText(request, limit);
}
