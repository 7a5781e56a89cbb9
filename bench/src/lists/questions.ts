import type { AdminApi } from '../admin-api.ts'
import { type Sizes, TOKENS_A_USER } from './fill-lists.ts'

interface Question {
  readonly label: string
  /** `round` counts from 0, so that a change can alternate between two values. */
  readonly ask: (round: number) => Promise<unknown>
}

const PAGE = 100

/** The queries and bulk changes of the pages for channels, tokens and codes. */
export function questionsOf(admin: AdminApi, { channels, tokens, codes }: Sizes): readonly Question[] {
  const get = (label: string, path: string): Question => ({ label, ask: () => admin.call(path) })
  const ids = Array.from({ length: Math.min(channels, 1000) }, (_, index) => index + 1)
  const lastPage = (rows: number) => Math.max(0, Math.ceil(rows / PAGE) - 1)
  const page = (path: string, query: string) => `${path}?page_size=${PAGE}&${query}`
  return [
    get('channels: first page', page('/api/channel/search', 'p=0')),
    get('channels: last page', page('/api/channel/search', `p=${lastPage(channels)}`)),
    get('channels: by a part of the name', page('/api/channel/search', 'p=0&keyword=channel-77')),
    get('channels: by a whole key', page('/api/channel/search', 'p=0&keyword=sk-upstream-key-of-channel-77')),
    get(
      'channels: by model and group',
      page('/api/channel/search', 'p=0&model=vendor-model-59-large-preview&group=vip'),
    ),
    get('channels: 20 tags with all of theirs', '/api/channel/search?p=0&page_size=20&tag_mode=true'),
    {
      label: `channels: ${ids.length} disabled or enabled at once`,
      ask: (round) => admin.call('/api/channel/batch/status', { ids, status: round % 2 === 0 ? 2 : 1 }),
    },
    {
      label: `channels: ${ids.length} tagged at once`,
      ask: (round) => admin.call('/api/channel/batch/tag', { ids, tag: `round-${round}` }),
    },
    {
      label: 'channels: priority of one changed',
      ask: (round) => admin.call('/api/channel', { id: 1, priority: round }, 'PUT'),
    },
    get('tokens: first page', `/api/token?p=1&size=${PAGE}`),
    get(
      'tokens: last page',
      `/api/token?p=${lastPage(Math.min(tokens, TOKENS_A_USER) - 1) + 1}&size=${PAGE}`,
    ),
    get('tokens: by a part of the name', '/api/token/search?keyword=token-77'),
    get('codes: first page', page('/api/redemption', 'p=1')),
    get('codes: last page', page('/api/redemption', `p=${lastPage(codes) + 1}`)),
    get('codes: by the beginning of the name', page('/api/redemption/search', 'p=1&keyword=batch-77')),
    get('codes: unused ones', page('/api/redemption', 'p=1&status=1')),
    get('codes: how many have a name', '/api/redemption/count-by-name?name=batch-77'),
  ]
}
