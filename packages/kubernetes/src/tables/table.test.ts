import { TableForm } from './table.ts';

it('the cell of a column may be found behind a filter', () => {
  const jsonPath = '.status.conditions[?(@.type=="Ready")].status';
  const table = new TableForm([{ name: 'Ready', type: 'string', jsonPath }], 'None');
  const conditions = [
    { type: 'Synced', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  const row = table.row(JSON.stringify({ metadata: { name: 'a' }, status: { conditions } }), () => '{}', 0);
  expect(JSON.parse(row)).toEqual({ cells: ['a', 'True'] });
});
