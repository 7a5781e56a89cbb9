/**
 * A second window, in which somebody signs in once more while the first keeps what they have typed. Until that is done the
 * second window acts for nobody: a provider asked by a signed-in page would bind an account instead.
 */

const KEY = 'sign-in-again'
const CHANNEL = 'sign-in-again'
const ADDRESS = '/login?again=true'
const WINDOW = 'popup,width=520,height=760'

/** Stays true while the window is at the provider's and comes back. */
export function isSigningInAgain(): boolean {
  try {
    const { pathname, search } = globalThis.location
    if (pathname + search === ADDRESS) sessionStorage.setItem(KEY, 'true')
    return sessionStorage.getItem(KEY) !== null
  } catch {
    // Without storage the window cannot know what it was opened for: it is an ordinary one.
    return false
  }
}

/** Call in the second window once somebody has signed in: the first window is told who it was. */
export function finishSigningInAgain(userId: number): void {
  sessionStorage.removeItem(KEY)
  const channel = new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of this origin alone
  channel.postMessage(userId)
  channel.close()
}

/** False when the browser opens no window. */
export function openSignInAgain(): boolean {
  return globalThis.open(ADDRESS, KEY, WINDOW) !== null
}

/** Calls `heard` with the id of whoever signed in; answers what ends the listening. */
export function whenSignedInAgain(heard: (userId: number) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'number') heard(data)
  })
  return () => channel.close()
}
