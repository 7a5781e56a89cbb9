import { ApiError } from '@tollgate/contract/client'
import { expect, it } from 'vitest'
import { failureKind, failureText, FormRefusal, isWorthRetrying } from './failure.ts'

it.each([
  [new ApiError('Channel name is taken', 200), 'Channel name is taken'],
  [new ApiError('', 0), 'Unable to connect to the server.'],
  [new ApiError('whatever', 401), 'Not signed in, or the sign-in has expired. Please sign in again.'],
  [new ApiError('', 429), 'Too many requests. Please try again later.'],
  [new ApiError('a stack trace', 500), 'Internal server error. Please contact the administrator.'],
  [new ApiError('', 405), 'This site is for demonstration only; there is no server behind it.'],
  [new ApiError('', 418), 'Error: HTTP 418'],
  [new FormRefusal('Please fill in the key first.'), 'Please fill in the key first.'],
  [new TypeError('x is not a function'), 'Error: x is not a function'],
])('describes %s in one sentence', (error, text) => {
  expect(failureText(error)).toBe(text)
})

it('retries only calls that the server did not refuse', () => {
  expect(isWorthRetrying(new ApiError('', 0))).toBe(true)
  expect(isWorthRetrying(new ApiError('', 503))).toBe(true)
  expect(isWorthRetrying(new ApiError('no', 200))).toBe(false)
  expect(isWorthRetrying(new ApiError('', 429))).toBe(false)
})

it('distinguishes a bug from a failed call', () => {
  expect(failureKind(new TypeError('x'))).toBe('unknown')
})
