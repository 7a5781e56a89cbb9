import { expect, it } from 'vitest'
import { dashboardSearchSchema } from './search.ts'

const read = (search: object) => dashboardSearchSchema.parse(search)

it('reads invalid parameters in the address as the defaults', () => {
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
