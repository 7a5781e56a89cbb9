import { expect, it } from 'vitest'
import { openStore } from '../database/open-store.ts'
import { findPriceBook, publishPriceBook } from './price-books.ts'

it('a price book with the same content keeps its version, and an old one is never changed', async () => {
  const store = await openStore({ sqlitePath: ':memory:' })
  const publish = (content: string) =>
    publishPriceBook(store.db, { contentHash: `hash of ${content}`, content, nowMs: 1 })
  const first = await publish('a')
  const second = await publish('b')
  expect(second).toBeGreaterThan(first)
  expect(await publish('a')).toBe(first)
  expect(await findPriceBook(store.db, first)).toMatchObject({ content: 'a' })
  await store.close()
})
