import { expect, it } from 'vitest'
import { dashboardSearchSchema } from './search.ts'

const read = (search: object) => dashboardSearchSchema.parse(search)

it('reads a damaged address as the default', () => {
  const damaged = {
    range: '10y',
    step: 'second',
    by: 'password',
    measure: '',
    of: 'bob',
    start_timestamp: '-5',
  }
  expect(read(damaged)).toEqual(read({}))
})
