import { StoreError, StoreOpenError } from '@tollgate/store/database/errors'
import { expect, it } from 'vitest'
import { CommandError } from './command.ts'
import { explain } from './run-command.ts'

it.each([
  [new CommandError('There is no folder x.'), 'There is no folder x.'],
  [new StoreOpenError('in_use', 'The database x is in use.'), 'The database x is in use.'],
  [
    new StoreError('fatal', 'database or disk is full'),
    'The database could not be read or written: database or disk is full.',
  ],
  [
    new StoreError('unreachable', 'it went\naway'),
    'The database could not be read or written: it went away.',
  ],
])('an error that the operator can fix is printed as one line: %s', (error, line) => {
  expect(explain(error)).toBe(line)
})

it.each([new Error('a bug\n  in two lines'), new StoreError('bug', 'a bug in two lines\n    at file.ts:3')])(
  'a bug is printed as one line without its stack: %s',
  (error) => {
    expect(explain(error)).toBe(
      'Unexpected error: a bug in two lines (NODE_DEBUG=tollgate prints where it happened).',
    )
  },
)
