import { dnsLabelPattern, foldEmailCase } from '@platform/kernel';
import { resourceName } from '@platform/resources';
import { z } from 'zod';
import { canonicalUrl, isTemplateOrigin, originOf } from './urls.ts';

/** The name of a typed resource: a DNS label, at most 63 characters. */
export const labelName = z
  .string()
  .max(63, 'must have at most 63 characters')
  .regex(dnsLabelPattern, 'must be a DNS label: a-z, 0-9 and "-"');

/** The name of an Organization. */
export const organizationName = resourceName;

/** An e-mail address, in lower case: addresses are compared without case everywhere. */
export const email = z
  .string()
  .max(320, 'must have at most 320 characters')
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'must be an e-mail address')
  .transform(foldEmailCase);

/** An origin such as `https://app.example.com`, canonical: scheme, host and a port that is not the default. */
export const origin = z
  .string()
  .max(2048)
  .transform((text, context) => {
    const canonical = originOf(text);
    if (canonical !== null) return canonical;
    context.addIssue({
      code: 'custom',
      message:
        'must be an origin: https://host[:port], or http:// for localhost; the host must not end with a dot',
    });
    return z.NEVER;
  });

/** A moment in RFC 3339, as UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' })
  // The offset may move the last day of 9999 into a year that PostgreSQL does not read.
  .refine((text) => !(new Date(text).getUTCFullYear() > 9999), 'must be before the year 10000 in UTC')
  .transform((text) => new Date(text).toISOString());

/**
 * The maximum length of a URL, as sent and in its canonical form. The index of addresses cannot hold much more. A longer one is not parsed.
 *
 * Attack: parsers sort the combining marks of a host in quadratic time, so that a URL of a megabyte keeps the process busy for minutes.
 */
const maxUrlLength = 2048;

/**
 * The address of a project: an origin, perhaps with a path. Plain http is for localhost, and where `server.project_url_template` has it:
 * the URL that a project gets by default can be written back.
 */
export function projectUrl(template: string) {
  return z
    .string()
    .max(maxUrlLength, { abort: true })
    .refine(
      (text) => URL.canParse(text) && isAcceptable(new URL(text).origin, template),
      'must be an https URL, or http for localhost, and its host must not end with a dot',
    )
    .refine(
      (text) => !/[\\\s\p{C}]/u.test(text),
      'must not contain spaces, backslashes or control characters',
    )
    .refine(
      (text) => URL.canParse(text) && isPlain(new URL(text)),
      'must have no credentials, query or fragment',
    )
    .refine(
      (text) => !URL.canParse(text) || canonicalUrl(text).length <= maxUrlLength,
      `must have at most ${maxUrlLength} characters after percent-encoding`,
    )
    .transform((text, context) => (context.issues.length > 0 ? text : canonicalUrl(text)));
}

function isAcceptable(origin: string, template: string): boolean {
  return originOf(origin) !== null || isTemplateOrigin(template, origin);
}

function isPlain(url: URL): boolean {
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
