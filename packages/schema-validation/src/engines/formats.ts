import * as formats from '@hyperjump/json-schema-formats';
import { isIdnHostname } from 'idn-hostname';
import type { Json } from '../json.ts';

/** Longer texts are not valid e-mail addresses or host names (RFC 5321 and RFC 1035 allow less). */
const maxAddressLength = 1_024;

/** Every format of Draft 2020-12 (Validation, section 7.3). All run in linear time, and none throws. */
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

/** The check of each format by name. Unknown formats are ignored, as the draft requires. */
export const formatChecks: ReadonlyMap<Json, (text: string) => boolean> = new Map(Object.entries(checks));

function isEmail(text: string): boolean {
  try {
    return text.length <= maxAddressLength && formats.isEmail(text);
  } catch {
    // The library throws for an address literal of an unknown kind, such as `a@[x:y]`.
    return false;
  }
}

/**
 * Checks RFC 6531 with RFC 5321 and IDNA. Attack: the check of the library is a regular expression with overlapping alternatives, which
 * takes exponential time for a series of "é" without "@".
 */
function isIdnEmail(text: string): boolean {
  const split = text.lastIndexOf('@');
  if (split === -1 || text.length > maxAddressLength) return false;
  const local = text.slice(0, split).replace(/[\u{80}-\u{10FFFF}]/gu, 'x');
  const domain = text.slice(split + 1);
  return domain.startsWith('[') ? isEmail(`${local}@${domain}`) : isEmail(`${local}@x`) && isHost(domain);
}

/** Whether all labels of a host name are valid under IDNA 2008. Calls the parser directly, because the check of the library prints to the console. */
function isHost(text: string): boolean {
  if (text.length > maxAddressLength || /[.\uFF0E\u3002\uFF61]$/.test(text)) return false;
  try {
    return isIdnHostname(text);
  } catch {
    return false;
  }
}

/** Whether a time with second 60 is a leap second (RFC 3339, section 5.7), which occurs only in the last minute of a UTC day. */
function isLeapSecond(text: string): boolean {
  if (text.slice(6, 8) !== '60' || !formats.isTime(`${text.slice(0, 6)}59${text.slice(8)}`)) return false;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? ['', '+', '0', '0'];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  return (local - offset + 2 * 1_440) % 1_440 === 1_439;
}
