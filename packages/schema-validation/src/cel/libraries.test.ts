import type { Json } from '../json.ts';
import { compileRules } from './compile-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';

/** The result of a rule about a text: whether it holds, or the message of its fault. */
function resultOf(rule: string, self = ''): boolean | string {
  const schema = { type: 'object', properties: { field: { type: 'string' } } };
  const whole = { ...schema, 'x-kubernetes-validations': [{ rule: rule.replaceAll('self', 'self.field') }] };
  const rules = compileRules(whole as Json);
  if (rules === null || rules.faults.length > 0) throw new Error(rules?.faults[0]?.message);
  const [fault] = evaluateRules(rules, whole as Json, { field: self } as Json, null, 10);
  if (fault === undefined) return true;
  return fault.message.startsWith('failed rule') ? false : fault.message;
}

/** Expressions that are true in Kubernetes. */
const facts = [
  'ip("::1").family() == 6 && ip("127.0.0.1").family() == 4',
  'ip("::1").isLoopback() && !ip("::2").isLoopback()',
  'ip("0.0.0.0").isUnspecified() && !ip("0.0.0.1").isUnspecified()',
  'ip("224.0.0.1").isLinkLocalMulticast() && !ip("224.0.1.1").isLinkLocalMulticast()',
  'ip("169.254.169.254").isLinkLocalUnicast() && ip("fe80::1").isLinkLocalUnicast()',
  'ip("192.168.0.1").isGlobalUnicast() && !ip("255.255.255.255").isGlobalUnicast()',
  'ip.isCanonical("127.0.0.1") && ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::1")',
  'ip("2001:db8::abcd") == ip("2001:DB8:0::ABCD") && string(ip("2001:DB8::1")) == "2001:db8::1"',
  'isIP("::1") && !isIP("fe80::1%eth0") && !isIP("::ffff:1.2.3.4") && !isIP("01.2.3.4")',
  'isCIDR("192.168.0.0/16") && !isCIDR("192.168.0.0/33") && !isCIDR("192.168.0.0") && !isCIDR("::1/1/1")',
  'cidr("192.168.0.0/24").containsIP("192.168.0.9") && !cidr("192.168.0.0/24").containsIP("192.168.1.0")',
  'cidr("192.168.0.0/24").containsIP(ip("192.168.0.9")) && !cidr("192.168.0.0/24").containsIP("::1")',
  'cidr("192.168.0.0/16").containsCIDR("192.168.10.0/24") && !cidr("10.0.0.0/8").containsCIDR("0.0.0.0/0")',
  'cidr("192.168.0.1/24").ip() == ip("192.168.0.1") && cidr("10.1.2.3/8").prefixLength() == 8',
  'cidr("192.168.0.1/24").masked() == cidr("192.168.0.0/24") && string(cidr("::1/64").masked()) == "::/64"',
  'semver("1.2.3").isLessThan(semver("1.10.0")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))',
  'semver("1.2.3").major() == 1 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3',
  'semver("1.2.3").compareTo(semver("1.2.3+build")) == 0 && semver("1.2.3") == semver("1.2.3")',
  'isSemver("1.2.3-a.b+c") && !isSemver("v1.2.3") && !isSemver("1.2") && !isSemver(" 1.2.3")',
  'isSemver("v01.2", true) && semver("v1.2", true) == semver("1.2.0")',
  'sets.contains([1, 2, 3], [2, 3]) && !sets.contains([1], [1, 2]) && sets.contains([], [])',
  'sets.equivalent([1, 1, 2], [2, 1]) && sets.intersects([1], [2, 1]) && !sets.intersects([1], [])',
  '[1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2 && ["a"].indexOf("b") == -1',
  '"%s is %d, %.2f, %x, %b%%".format(["a", 5, 1.256, 255, true]) == "a is 5, 1.26, ff, 1%"',
  '"%s".format([[1, 2]]) == "[1, 2]"',
  'quantity("1k") == quantity("1000") && quantity("1Ki") != quantity("1k")',
  'format.dns1123Label().validate("a-b").orValue([]).size() == 0',
  'url("https://a/b?c=1&c=2&d=").getQuery()["c"].size() == 2',
  'format.dns1123Label().validate("A_b").hasValue() && !format.dns1123LabelPrefix().validate("a-").hasValue()',
  'format.named("uuid").value().validate("x").value().size() == 1 && !format.named("nothing").hasValue()',
  '!format.qualifiedName().validate("example.dev/a_b").hasValue()',
  '!format.uri().validate("https://a.b/c").hasValue() && format.date().validate("2021-99-01").hasValue()',
  '!format.datetime().validate("2021-01-01T00:00:00Z").hasValue() && format.byte().validate("=").hasValue()',
  '["a"].all(format, format == "a") && ["a"].all(ip, ip == "a") && ["a"].all(sets, sets == "a")',
  'cel.bind(x, 1, x + 1 == 2)',
];

describe('libraries of rules', () => {
  it.each(facts)('%s', (rule) => {
    expect(resultOf(rule)).toBe(true);
  });

  it.each([
    ['ip(self).family() == 4', 'no address'],
    ['cidr(self).prefixLength() == 4', '10.0.0.0/64'],
    ['semver(self).major() == 4', '1.x'],
    ['"%d".format([self]) == ""', 'text'],
    ['"%s %s".format([self]) == ""', 'one'],
    ['"%q".format([self]) == ""', 'unknown verb'],
  ])('refuse a value that %s cannot be evaluated for', (rule, value) => {
    expect(resultOf(rule, value)).toMatch(/^rule cannot be evaluated: /);
  });

  it.each([
    'math.greatest(1, 2) == 2',
    '[1].all(i, v, v > i)',
    'authorizer.path("/").check("get").allowed()',
  ])('do not have what rules of Kubernetes may not use, or what the library lacks: %s', (rule) => {
    expect(() => resultOf(rule)).toThrow(rule);
  });
});
