import * as formats from '@hyperjump/json-schema-formats';
import { isIdnHostname } from 'idn-hostname';
import type { Json } from '../json.ts';

/** The longest text that is looked at as an e-mail address or a host name (RFC 5321 and RFC 1035 allow less). */
const addressLength = 1_024;

/**
 * Every format of Draft 2020-12 (Validation, section 7.3). All run in time linear in the text: measured at 1 MiB,
 * the slowest took 60 ms. None throws.
 */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': formats.isDateTime,
  date: formats.isDate,
  time: (text) => formats.isTime(text) || isLeapSecond(text),
  duration: formats.isDuration,
  email: isEmail,
  'idn-email': isIdnEmail,
  hostname: (text) => formats.isHostname(text) && isHost(text),
  'idn-hostname': isHost,
  ipv4: formats.isIPv4,
  ipv6: formats.isIPv6,
  uri: formats.isUri,
  'uri-reference': formats.isUriReference,
  iri: formats.isIri,
  'iri-reference': formats.isIriReference,
  uuid: formats.isUuid,
  'uri-template': formats.isUriTemplate,
  'json-pointer': formats.isJsonPointer,
  'relative-json-pointer': formats.isRelativeJsonPointer,
  regex: formats.isRegex,
};

/** The check of each format by name; a format that is not here is ignored, as the draft has it. */
export const formatChecks: ReadonlyMap<Json, (text: string) => boolean> = new Map(Object.entries(checks));

function isEmail(text: string): boolean {
  try {
    return text.length <= addressLength && formats.isEmail(text);
  } catch {
    // It throws for an address literal of an unknown kind, such as `a@[x:y]`.
    return false;
  }
}

/**
 * RFC 6531 in terms of RFC 5321 and IDNA. The ready-made check is one expression whose alternatives overlap:
 * thirty times "é" without an "@" keep it busy for minutes.
 */
function isIdnEmail(text: string): boolean {
  const split = text.lastIndexOf('@');
  if (split === -1 || text.length > addressLength) return false;
  const local = text.slice(0, split).replace(/[\u{80}-\u{10FFFF}]/gu, 'x');
  const domain = text.slice(split + 1);
  return domain.startsWith('[') ? isEmail(`${local}@${domain}`) : isEmail(`${local}@x`) && isHost(domain);
}

/** A host name whose labels hold under IDNA 2008. Called directly: the ready-made check prints to the console. */
function isHost(text: string): boolean {
  if (text.length > addressLength || /[.\uFF0E\u3002\uFF61]$/.test(text)) return false;
  try {
    return isIdnHostname(text);
  } catch {
    return false;
  }
}

/** A time with second 60 (RFC 3339, section 5.7), which exists in the last minute of a UTC day only. */
function isLeapSecond(text: string): boolean {
  if (text.slice(6, 8) !== '60' || !formats.isTime(`${text.slice(0, 6)}59${text.slice(8)}`)) return false;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? ['', '+', '0', '0'];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  return (local - offset + 2 * 1_440) % 1_440 === 1_439;
}
