import { ApiError } from '@tollgate/contract/client'
import { expect, it, vi } from 'vitest'
import { withReauthentication, useReauthentication } from './prove.ts'

const refused = () => Promise.reject(new ApiError('first prove it', 200, { code: 'recent_sign_in_needed' }))

it('passes on the result of a call that needs no confirmation', async () => {
  expect(await withReauthentication(() => Promise.resolve('a key'))).toBe('a key')
  const other = new ApiError('gone', 200, { code: 'not_found' })
  await expect(withReauthentication(() => Promise.reject(other))).rejects.toBe(other)
  expect(useReauthentication.getState().answer).toBeUndefined()
})

it.each(['recent_sign_in_needed', 'fresh_sign_in_needed'])(
  'repeats a call refused with %s after the password was confirmed',
  async (code) => {
    const call = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new ApiError('first prove it', 403, { code }))
      .mockResolvedValueOnce('a key')
    const answer = withReauthentication(call)
    await vi.waitFor(() => expect(useReauthentication.getState().answer).toBeDefined())
    useReauthentication.getState().answer?.(true)
    expect(await answer).toBe('a key')
    expect(call).toHaveBeenCalledTimes(2)
  },
)

it('asks once for several calls, and rejects them if the password is not confirmed', async () => {
  const calls = [withReauthentication(refused), withReauthentication(refused)]
  await vi.waitFor(() => expect(useReauthentication.getState().answer).toBeDefined())
  useReauthentication.getState().answer?.(false)
  for (const call of calls) await expect(call).rejects.toThrow('first prove it')
  expect(useReauthentication.getState().answer).toBeUndefined()
})
