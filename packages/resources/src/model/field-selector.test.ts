import { widget } from '../../test/fixtures.ts';
import { matchesFields, parseFieldSelector, selectedName } from './field-selector.ts';
import type { Resource } from './resource.ts';

const owner = {
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  name: 'o',
  uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
  blockOwnerDeletion: false,
};
const spec =
  '{"color":"red","size":2,"on":true,"a":{"b":"x,y=z"},"list":[1],"big":9007199254740993,"one":1.0,"nil":null}';
const resource: Resource = { ...widget, ownerReferences: [owner], spec };
const selectable = [
  'spec.color',
  'spec.size',
  'spec.on',
  'spec.a.b',
  'spec.list',
  'spec.none',
  'spec.big',
  'spec.one',
  'spec.nil',
];
const match = (text: string) => matchesFields(parseFieldSelector(text, selectable), resource);

describe('a field selector', () => {
  it.each([
    ['', true],
    ['metadata.name=w1', true],
    ['metadata.name==w1,metadata.name!=w2', true],
    [' metadata.name =w1', true],
    ['metadata.name!=w1', false],
    [`metadata.uid=${widget.uid.toUpperCase()}`, true],
    ['metadata.uid=x', false],
    ['metadata.deletionTimestamp=', true],
    ['metadata.deletionTimestamp!=', false],
    [`metadata.ownerReferences.uid=${owner.uid}`, true],
    ['metadata.ownerReferences.uid=', false],
    [`metadata.ownerReferences.uid!=${widget.uid}`, true],
    ['spec.color=red', true],
    ['spec.size=2', true],
    ['spec.on=true', true],
    ['spec.a.b=x\\,y\\=z', true],
    ['spec.list=', true],
    ['spec.none=', true],
    ['spec.none!=x', true],
    ['spec.big=9007199254740993', true],
    ['spec.big=9007199254740992', false],
    ['spec.one=1.0', true],
    ['spec.one=1', false],
    ['spec.nil=', true],
    ['spec.color=red,,', true],
  ])('%s is %s', (text, expected) => {
    expect(match(text)).toBe(expected);
  });

  it.each([
    ['metadata.name', 0],
    ['spec.other=1', 0],
    ['metadata.name=a,status=b', 16],
    ['metadata.name=a=b', 0],
    ['metadata.name=a\\', 15],
    ['metadata.name=a\\b', 0],
    ['metadata.name=a,metadata.name!=\0', 16],
  ])('%s is refused at character %d', (text, at) => {
    expect(() => match(text)).toThrow(expect.objectContaining({ name: 'SelectorFault', at }));
  });
});

it.each([
  ['metadata.name=a', 'a'],
  ['spec.color=red,metadata.name==a', 'a'],
  ['metadata.name!=a', undefined],
  ['spec.color=a', undefined],
  ['metadata.name=a,nonsense', undefined],
  ['', undefined],
])('%j lets only the name %s through', (text, name) => {
  expect(selectedName(text, ['spec.color'])).toBe(name);
});
