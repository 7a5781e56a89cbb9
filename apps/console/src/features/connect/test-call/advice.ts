import { paths } from '../../../shared/routing/paths.ts'

export type AdviceKey =
  | 'advice.network'
  | 'advice.request'
  | 'advice.token'
  | 'advice.quota'
  | 'advice.model'
  | 'advice.tooMany'
  | 'advice.upstream'

export interface Advice {
  readonly key: AdviceKey
  /** The page on which the reader can mend it. */
  readonly to?: typeof paths.tokens | typeof paths.pricing
}

/** What the reader can do about a refused test call, by its HTTP status. */
export function adviceFor(status: number): Advice {
  if (status === 0) return { key: 'advice.network' }
  if (status === 401) return { key: 'advice.token', to: paths.tokens }
  if (status === 402 || status === 403) return { key: 'advice.quota', to: paths.tokens }
  if (status === 404) return { key: 'advice.model', to: paths.pricing }
  if (status === 429 || status === 529) return { key: 'advice.tooMany', to: paths.tokens }
  return { key: status >= 500 ? 'advice.upstream' : 'advice.request' }
}
