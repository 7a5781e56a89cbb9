import { type Language, languageOf } from './problem.ts'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** By which consoles and scripts of the family name their user. */
export const FAMILY_USER_HEADERS = ['veloera-user', 'new-api-user'] as const

/**
 * The language a request is answered in. Whoever names none gets English, but for consoles and scripts of the family, which
 * have always been answered in Chinese and compare some of the texts. `*` is what Node's `fetch` sends for "none".
 */
export function requestLanguage(headers: Headers): Language {
  const accepted = String(headers['accept-language'] ?? '').trim()
  if (accepted !== '' && accepted !== '*') return languageOf(accepted)
  const isOld = headers['tollgate-user'] === undefined
  return isOld && FAMILY_USER_HEADERS.some((name) => headers[name] !== undefined) ? 'zh' : 'en'
}
