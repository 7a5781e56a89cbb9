/**
 * A second window in which the user signs in again, while the first window keeps everything typed in it.
 * Until that is done, the second window acts as signed out; otherwise the provider's callback would bind an
 * account instead of signing in.
 */

const KEY = 'sign-in-again'
const CHANNEL = 'sign-in-again'
const ADDRESS = '/login?again=true'
const WINDOW = 'popup,width=520,height=760'

/** Stays true while the window is redirected to the provider and back. */
export function isSigningInAgain(): boolean {
  try {
    const { pathname, search } = globalThis.location
    if (pathname + search === ADDRESS) sessionStorage.setItem(KEY, 'true')
    return sessionStorage.getItem(KEY) !== null
  } catch {
    // Without storage the purpose of the window is unknown, so it is treated as an ordinary one.
    return false
  }
}

/** Call in the second window after the sign-in. It sends the user's id to the first window. */
export function finishSigningInAgain(userId: number): void {
  sessionStorage.removeItem(KEY)
  const channel = new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of this origin alone
  channel.postMessage(userId)
  channel.close()
}

/** Returns false if the browser did not open a window. */
export function openSignInAgain(): boolean {
  return globalThis.open(ADDRESS, KEY, WINDOW) !== null
}

/** Calls `heard` with the id of the user who signed in; returns a function that unsubscribes. */
export function whenSignedInAgain(received: (userId: number) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'number') received(data)
  })
  return () => channel.close()
}
