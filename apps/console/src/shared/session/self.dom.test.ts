import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { readSelfAgain, selfQuery } from './self.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser back from Telegram asks for the account while the binding is under way: the first answer is older than the binding. */
it('does not take the answer to an earlier question for what is true after a change', async () => {
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
