import express from 'express';
import { trustRanges } from './app.ts';

type Trusts = (address: string, hop: number) => boolean;

describe('trust ranges', () => {
  it.each([
    [['0.0.0.0/0'], ['10.0.0.1', '203.0.113.9'], ['2001:db8::1']],
    [['10.0.0.0/0'], ['10.0.0.1', '203.0.113.9'], ['2001:db8::1']],
    [['::/0'], ['2001:db8::1', 'fd00::1', 'ff00::1'], ['10.0.0.1']],
    [
      ['10.0.0.0/8', '::1'],
      ['10.0.0.1', '::1'],
      ['203.0.113.9', '2001:db8::1'],
    ],
  ])('%j are what Express takes', (cidrs, trusted, others) => {
    const app = express().set('trust proxy', trustRanges(cidrs));
    const trusts = app.get('trust proxy fn') as Trusts;
    expect(trusted.filter((address) => !trusts(address, 0))).toEqual([]);
    expect(others.filter((address) => trusts(address, 0))).toEqual([]);
  });
});
