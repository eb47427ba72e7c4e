import { processTerminal } from '../process-terminal.ts';
import { terminalText } from './format.ts';

const attack = 'a\u001b[2J\u001b]0;title\u0007\u009b31m\u202eb\r\u0008';

describe('text of others on a terminal', () => {
  it('moves no cursor, sets no title and turns no direction', () => {
    expect(terminalText(attack)).toBe('a\ufffd[2J\ufffd]0;title\ufffd\ufffd31m\ufffdb\ufffd\ufffd');
  });

  it('keeps lines, tabs and colors', () => {
    const text = '\u001b[1mbold\u001b[22m\t\u001b[38;5;1mred\u001b[0m\n';
    expect(terminalText(text)).toBe(text);
  });

  describe.each(['stdout', 'stderr'] as const)('on %s', (name) => {
    const stream = process[name];
    const { isTTY } = stream;
    const write = stream.write;
    afterEach(() => {
      stream.isTTY = isTTY;
      stream.write = write;
    });

    it.each([
      [true, terminalText(attack)],
      [false, attack],
    ])('is replaced when it is a terminal (%p)', (terminal, expected) => {
      const written: string[] = [];
      stream.isTTY = terminal;
      stream.write = (chunk: string | Uint8Array) => written.push(String(chunk)) > 0;
      processTerminal()[name === 'stdout' ? 'out' : 'err'](attack);
      expect(written).toEqual([expected]);
    });
  });
});
