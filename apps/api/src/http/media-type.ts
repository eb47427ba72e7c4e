import { Problem } from '@platform/kernel';
import { parse } from 'content-type';

/** Whether a Content-Type is the media type in UTF-8. Types and charsets are compared without case (RFC 9110, section 8.3). */
function matches(contentType: string, mediaType: string): boolean {
  if (contentType === mediaType) return true;
  const { type, parameters } = parse(contentType);
  const charset = parameters['charset']?.toLowerCase();
  return type === mediaType && (charset === undefined || /^utf-?8$/.test(charset));
}

/**
 * Refuses with `unsupported_media_type` what is not one of `mediaTypes` in UTF-8 without a content coding; returns the one it is. A body
 * without a Content-Type is `untyped`, and refused without one.
 */
export function requireMediaType<const T extends string>(
  request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  mediaTypes: readonly T[],
  untyped?: T,
): T {
  const { 'content-encoding': coding, 'content-type': sent } = request.headers;
  // A compressed body could expand to any size after its length was checked.
  if (coding !== undefined && String(coding).trim().toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', 'A content coding other than identity is not supported.');
  }
  if (sent === undefined && untyped !== undefined) return untyped;
  const contentType = typeof sent === 'string' ? sent : '';
  const found = mediaTypes.find((mediaType) => matches(contentType, mediaType));
  if (found === undefined) {
    throw new Problem('unsupported_media_type', `Content-Type must be ${mediaTypes.join(' or ')} in UTF-8.`);
  }
  return found;
}
