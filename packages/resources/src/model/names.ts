import { dnsLabel as label } from '@platform/kernel';
import { z } from 'zod';

/** A DNS subdomain: labels joined by dots. The limit of 253 characters is checked separately. */
export const dnsSubdomainPattern = new RegExp(`^${label}(?:\\.${label})*$`);
/** `<group>/<version>` of an owner reference. */
export const apiVersionPattern = new RegExp(`^(?=.{1,253}\\/)${label}(?:\\.${label})*\\/[a-z0-9]+$`);
/** An UpperCamelCase ASCII kind. */
export const kindPattern = /^[A-Z][A-Za-z0-9]*$/;
/** A version of a definition, such as `v1alpha1`. */
export const versionNamePattern = /^[a-z0-9]+$/;
/** The discriminator of a row. */
export const discriminatorPattern = /^[a-z0-9][a-z0-9-]{6}[a-z0-9]$/;
/** A UUID in any case; see {@link parseUid} for the canonical form. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The longest resource name, in characters. */
export const maxNameLength = 253;
/** The most finalizers of one resource, besides those of the platform. */
export const maxFinalizers = 64;
/** The prefix of the platform's own finalizers, which no caller may add or remove. */
export const reservedFinalizerPrefix = 'system.platform.dev/';
/** The finalizer of an owner while dependents block its removal. */
export const cascadeFinalizer = `${reservedFinalizerPrefix}cascade-deletion`;

/** The nil UUID. No resource has it, and it comes before every uid. */
export const nilUid = '00000000-0000-0000-0000-000000000000';

/** The canonical, lower-case form of a UUID, or null for any other text and for the nil UUID. */
export function parseUid(text: string): string | null {
  return uuidPattern.test(text) && text !== nilUid ? text.toLowerCase() : null;
}

/** Whether the text is a resource name: a DNS label or DNS subdomain of at most 253 characters. */
export function isResourceName(text: string): boolean {
  return text.length <= maxNameLength && dnsSubdomainPattern.test(text);
}

/** A resource name. */
export const resourceName = z
  .string()
  .max(maxNameLength, `must have at most ${maxNameLength} characters`)
  .regex(
    dnsSubdomainPattern,
    'must be a DNS label or DNS subdomain: a-z, 0-9, "-" and ".", labels of at most 63',
  );

/** One finalizer: 1 to 253 printable characters without spaces. */
export const finalizerName = z
  .string()
  .min(1, 'must not be empty')
  .max(253, 'must have at most 253 characters')
  .regex(/^[^\p{C}\p{Z}]*$/u, 'must be printable characters without spaces');

/** The group of `<group>/<version>`. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, apiVersion.indexOf('/'));
}

/** The version of `<group>/<version>`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
