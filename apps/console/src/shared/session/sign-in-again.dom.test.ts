import { afterEach, expect, it, vi } from 'vitest'
import {
  finishSigningInAgain,
  isSigningInAgain,
  openSignInAgain,
  whenSignedInAgain,
} from './sign-in-again.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

const at = (pathname: string, search = '') => vi.stubGlobal('location', { pathname, search })

it("a window opened to sign in again stays marked during the provider's redirects, until it is done", () => {
  at('/login')
  expect(isSigningInAgain()).toBe(false)
  at('/login', '?again=true')
  expect(isSigningInAgain()).toBe(true)
  at('/oauth/github', '?code=x')
  expect(isSigningInAgain()).toBe(true)
  finishSigningInAgain(7)
  expect(isSigningInAgain()).toBe(false)
})

it('the first window is notified who signed in, until it unsubscribes', async () => {
  const received = vi.fn<(userId: number) => void>()
  const stop = whenSignedInAgain(received)
  finishSigningInAgain(7)
  await vi.waitFor(() => expect(received).toHaveBeenCalledExactlyOnceWith(7))
  stop()
  finishSigningInAgain(8)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(received).toHaveBeenCalledTimes(1)
})

it('reports that the browser did not open a window', () => {
  vi.stubGlobal('open', () => null)
  expect(openSignInAgain()).toBe(false)
  vi.stubGlobal('open', () => ({}))
  expect(openSignInAgain()).toBe(true)
})
