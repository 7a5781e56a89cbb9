import { ApiError } from '@tollgate/contract/client'

/**
 * Loads a chunk of the program. If it cannot be loaded because the server is away, the error is a network
 * failure. If a newer version has replaced the chunk, the original error is rethrown, and the router reloads
 * the page.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (await isServerThere()) throw cause
    throw new ApiError('', 0, { cause })
  }
}

export async function isServerThere(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}
