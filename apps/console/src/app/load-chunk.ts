import { ApiError } from '@tollgate/contract/client'

/**
 * Loads a part of the program. When it cannot be had because the server is away, that is what the error says; a part that
 * a newer version has replaced is still an error of its own, after which the page loads itself again.
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
