import { afterEach, expect, it, vi } from 'vitest'
import { failureKind } from '../shared/api/failure.ts'
import { loadChunk } from './load-chunk.ts'

const missing = new TypeError('Failed to fetch dynamically imported module: /assets/page-1.js')
const load = () => loadChunk(() => Promise.reject(missing))

afterEach(() => vi.unstubAllGlobals())

it('reports a network failure when a chunk cannot be loaded because the server is away', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const error = await load().catch((thrown: unknown) => thrown)
  expect(failureKind(error)).toBe('network')
})

it('passes on the error of a chunk that a reachable server no longer has, so that the router reloads the page', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}'))
  await expect(load()).rejects.toBe(missing)
})

it('returns the loaded module', async () => {
  expect(await loadChunk(async () => 'page')).toBe('page')
})
