import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { readSelfAgain, selfQuery } from './self.ts'

afterEach(() => vi.unstubAllGlobals())

/**
 * After a redirect from Telegram, the account is requested while the binding is still running, so the first
 * response is older than the binding.
 */
it('ignores the response to a request that was sent before the change', async () => {
  const client = new QueryClient()
  const answers: ((user: object) => void)[] = []
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
      answers.push((data) => resolve(Response.json({ success: true, message: '', data })))
    })
  })
  const observer = new QueryObserver(client, { ...selfQuery, retry: false })
  const stop = observer.subscribe(() => undefined)
  await vi.waitUntil(() => answers.length === 1)

  const read = readSelfAgain(client)
  answers[0]?.({ username: 'before' })
  await vi.waitUntil(() => answers.length === 2)
  answers[1]?.({ username: 'after' })
  await read
  expect(observer.getCurrentResult().data).toEqual({ username: 'after' })
  stop()
})
