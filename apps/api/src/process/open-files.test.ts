import { openFilesWarning } from './open-files.ts';

const limits = (files: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${files}                20000                files\n`;

describe('a process that may open few files', () => {
  it.each([
    ['1024', 25_000, true],
    ['24999', 25_000, true],
    ['25000', 25_000, false],
    ['unlimited', 25_000, false],
  ])('of %s files and %i connections warns: %s', (files, connections, warns) => {
    const warning = openFilesWarning(connections, () => limits(files));
    if (warns) expect(warning).toContain(`may open only ${files} files`);
    else expect(warning).toBeNull();
  });

  it('says nothing where the system does not tell', () => {
    expect(openFilesWarning(25_000, () => '')).toBeNull();
  });
});
