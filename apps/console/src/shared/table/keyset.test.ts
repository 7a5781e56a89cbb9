import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { placeOf } from './keyset.ts'

test('a page starts after the last row of the previous page, if that page is cached', () => {
  const client = new QueryClient()
  const page = { rows: [{ id: 9 }, { id: 7 }], total: 40 }
  client.setQueryData(['audit', 'all', 2, 1], page)
  expect(placeOf(client, ['audit', 'all', 2], 1)).toEqual({ p: 1 })
  expect(placeOf(client, ['audit', 'all', 2], 2)).toEqual({ p: 1, before_id: 7 })
  expect(placeOf(client, ['audit', 'all', 2], 5)).toEqual({ p: 5 })
  expect(placeOf(client, ['audit', 'other', 2], 2)).toEqual({ p: 2 })
})
