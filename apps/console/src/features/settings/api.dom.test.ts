import { expect, it, vi } from 'vitest'
import { storageKeys } from '../../shared/session/storage.ts'
import { storeSetting } from './api.ts'

it('an announcement stays closed for the user who saved it', async () => {
  localStorage.removeItem(storageKeys.closedNotice)
  const fetch = vi.spyOn(globalThis, 'fetch')
  fetch.mockImplementation(() => Promise.resolve(Response.json({ success: true, message: '', data: null })))
  await storeSetting('Footer', 'Bye', undefined)
  expect(localStorage.getItem(storageKeys.closedNotice)).toBeNull()
  await storeSetting('Notice', ' Down on **Sunday** ', undefined)
  expect(localStorage.getItem(storageKeys.closedNotice)).toBe('Down on **Sunday**')
})
