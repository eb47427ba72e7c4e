import { z } from 'zod';
import type { GroupKind } from './definition.ts';
import { type LabelSelector, parseLabelSelector } from './label-selector.ts';
import { apiVersionPattern, dnsSubdomainPattern, groupOf, kindPattern, maxNameLength } from './names.ts';
import { ownerReference } from './owner-reference.ts';
import { SelectorFault } from './selector-fault.ts';

/** The most kinds that one subscription names; without any, it covers every kind. */
const maxKinds = 100;
export const maxUrl = 2_048;

/** Attack: hundreds of thousands of terms, which are compared with every change. As much as the address of a request may have. */
const maxSelector = 16_384;

/** A Standard Webhooks secret: base64 of 24 to 64 bytes. */
const secretPattern = /^(?:whsec_)?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const minSecretBytes = 24;
const maxSecretBytes = 64;

function isSecret(text: string): boolean {
  const encoded = secretPattern.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = (encoded.length / 4) * 3 - (/=*$/.exec(encoded)?.[0].length ?? 0);
  return bytes >= minSecretBytes && bytes <= maxSecretBytes;
}

const group = z.string().max(maxNameLength).regex(dnsSubdomainPattern, 'must be a DNS subdomain');

/** `Kind.group` or `Kind`, or an object with `kind` and `group` or `apiVersion`. Without a group, the kind of every group. */
const selectedKind = z.union(
  [
    z
      .string()
      .transform((text) => {
        const [kind = '', ...rest] = text.split('.');
        return { kind, group: rest.length === 0 ? null : rest.join('.') };
      })
      .refine(
        (selected) =>
          kindPattern.test(selected.kind) &&
          (selected.group === null || group.safeParse(selected.group).success),
        'must be Kind or Kind.group',
      ),
    z
      .strictObject({
        kind: z.string().regex(kindPattern, 'must be UpperCamelCase ASCII'),
        group: group.optional(),
        apiVersion: z.string().regex(apiVersionPattern, 'must be <group>/<version>').optional(),
      })
      .refine((selected) => selected.group === undefined || selected.apiVersion === undefined, {
        message: 'must have group or apiVersion, not both',
      })
      .transform(({ kind, group, apiVersion }) => ({
        kind,
        group: group ?? (apiVersion === undefined ? null : groupOf(apiVersion)),
      })),
  ],
  'must be Kind, Kind.group, or an object with kind and either group or apiVersion',
);

const labelSelector = z
  .string()
  .max(maxSelector)
  .transform((text, context) => {
    try {
      return parseLabelSelector(text);
    } catch (error) {
      if (!(error instanceof SelectorFault)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });

/** `spec` of a Subscription. Whether `url` may be plain http depends on the configuration. */
export const subscriptionSpec = z.strictObject({
  // Attack: parsers sort the combining marks of a host in quadratic time, so a longer URL is not parsed.
  url: z
    .string()
    .max(maxUrl, { abort: true })
    .refine(isWebUrl, 'must be an https URL without user information and fragment'),
  selector: z
    .strictObject({
      kinds: z.array(selectedKind).max(maxKinds).nullish(),
      scope: ownerReference.nullish(),
      labelSelector: labelSelector.nullish(),
    })
    .nullish(),
  secret: z
    .string()
    .refine(
      isSecret,
      `must be base64 of ${minSecretBytes} to ${maxSecretBytes} bytes, with or without whsec_`,
    ),
  suspend: z.boolean().nullish(),
});

/** A parsed {@link subscriptionSpec}. */
export type SubscriptionSpec = z.output<typeof subscriptionSpec>;

function isWebUrl(text: string): boolean {
  // `URL` drops white space, an empty fragment and empty user information.
  return /^https?:\/\/[^/?#@]+(?:[/?]|$)/i.test(text) && !/[\s\p{C}#]/u.test(text) && URL.canParse(text);
}

/** A kind that a subscription selects; null for the kind of every group. */
export interface SelectedKind extends Pick<GroupKind, 'kind'> {
  readonly group: string | null;
}

/** The resources whose changes a subscription gets. */
export interface SubscriptionSelector {
  /** Empty for every kind. */
  readonly kinds: readonly SelectedKind[];
  /** The uid of the resource that it covers, with everything below; null for everything. */
  readonly scope: string | null;
  readonly labels: LabelSelector;
}

/** The selector of a parsed spec. */
export function selectorOf({ selector }: Pick<SubscriptionSpec, 'selector'>): SubscriptionSelector {
  return {
    kinds: selector?.kinds ?? [],
    scope: selector?.scope?.uid ?? null,
    labels: selector?.labelSelector ?? [],
  };
}
