import type { IncomingMessage } from 'node:http';
import { Problem } from '@platform/kernel';

/** What a body may be: a media type, and what a charset parameter may say. Compared without case (RFC 9110, section 8.3.1). */
function matches(contentType: string, mediaType: string): boolean {
  if (contentType === mediaType) return true;
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  if (type?.trim() !== mediaType) return false;
  return parameters.every((parameter) => {
    const [name, value] = parameter.split('=', 2).map((part) => part.trim());
    return name !== 'charset' || value === 'utf-8' || value === '"utf-8"' || value === 'utf8';
  });
}

/** Refuses with `unsupported_media_type` what is not one of `mediaTypes` in UTF-8 without a content coding; returns the one it is. */
export function requireMediaType<const T extends string>(
  request: IncomingMessage,
  mediaTypes: readonly T[],
): T {
  const coding = request.headers['content-encoding'];
  // A compressed body could unfold to any size behind the limit.
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', 'A content coding other than identity is not supported.');
  }
  const contentType = request.headers['content-type'] ?? '';
  const found = mediaTypes.find((mediaType) => matches(contentType, mediaType));
  if (found === undefined) {
    throw new Problem('unsupported_media_type', `Content-Type must be ${mediaTypes.join(' or ')} in UTF-8.`);
  }
  return found;
}
