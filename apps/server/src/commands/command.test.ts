import { StoreError, StoreOpenError } from '@tollgate/store/database/errors'
import { expect, it } from 'vitest'
import { CommandError, explain } from './command.ts'

it.each([
  [new CommandError('There is no folder x.'), 'There is no folder x.'],
  [new StoreOpenError('in_use', 'The database x is in use.'), 'The database x is in use.'],
  [
    new StoreError('fatal', 'database or disk is full'),
    'The database could not be written: database or disk is full.',
  ],
  [new StoreError('unreachable', 'it went\naway'), 'The database could not be written: it went away.'],
])('an error that the operator can fix is printed as one line: %s', (error, line) => {
  expect(explain(error)).toBe(line)
})

it.each([new Error('a bug'), new StoreError('bug', 'no such column')])(
  'a bug is printed with its stack: %s',
  (error) => {
    expect(explain(error)).toBe(error.stack)
  },
)
