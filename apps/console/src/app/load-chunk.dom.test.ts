import { afterEach, expect, it, vi } from 'vitest'
import { failureKind } from '../shared/api/failure.ts'
import { loadChunk } from './load-chunk.ts'

const missing = new TypeError('Failed to fetch dynamically imported module: /assets/page-1.js')
const load = () => loadChunk(() => Promise.reject(missing))

afterEach(() => vi.unstubAllGlobals())

it('takes a part that cannot be loaded for what it is: the server is away', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const error = await load().catch((thrown: unknown) => thrown)
  expect(failureKind(error)).toBe('network')
})

it('leaves a part that is gone from a server that answers to the router, which loads the page again', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}'))
  await expect(load()).rejects.toBe(missing)
})

it('hands on what was loaded', async () => {
  expect(await loadChunk(async () => 'page')).toBe('page')
})
