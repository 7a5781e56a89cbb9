import { type Language, languageOf } from './problem.ts'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers by which consoles and scripts written for new-api and its forks send the user id. */
export const FAMILY_USER_HEADERS = ['veloera-user', 'new-api-user'] as const

/**
 * Chooses the response language. Without a language header it is English, except for consoles and scripts
 * written for new-api, which have always been answered in Chinese and compare some of the texts. Node's
 * `fetch` sends `*` for "no preference".
 */
export function requestLanguage(headers: Headers): Language {
  const accepted = String(headers['accept-language'] ?? '').trim()
  if (accepted !== '' && accepted !== '*') return languageOf(accepted)
  const isOld = headers['tollgate-user'] === undefined
  return isOld && FAMILY_USER_HEADERS.some((name) => headers[name] !== undefined) ? 'zh' : 'en'
}
