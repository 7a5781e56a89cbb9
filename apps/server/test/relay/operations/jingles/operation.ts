import { findShape } from '@tollgate/dialects/checked/shapes'
import { CheckedShape } from '@tollgate/dialects/checked/shape'
import { textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import type { LaterOperation } from '../../../../src/relay/operations/later-operation.ts'
import { shownTask } from '../../../../src/relay/operations/task-api.ts'

const PATH = '/v1/jingles'
const source = { url: 'https://jingles.test', date: '2026-11-29' }
const HOUR_MS = 3_600_000

/** A new operation that ends later, as the guide describes it: jingles, which channels for songs make. */
export const jingles: LaterOperation = {
  name: 'jingles',
  ownPaths: /^\/+v1\/+jingles(?:\/|$)/,
  apis: [
    {
      route: ({ method, path }) => {
        if (path === PATH) return method === 'POST' ? { type: 'submit', verb: 'create', path } : undefined
        return method === 'GET' ? { type: 'fetch', taskId: path.slice(PATH.length + 1) } : undefined
      },
      judged: new CheckedShape([{ name: 'slogan', effect: 'content', source }], { findShape }),
      readAsk: (_route, body) => {
        const slogan = textAt(body, 'slogan')
        if (slogan === undefined) throw problem('prompt_is_required')
        const work = { type: 'plain', path: '/suno/submit/MUSIC', body: { prompt: slogan } } as const
        return { action: 'JINGLE', model: 'suno_music', prompt: slogan, work }
      },
      showFetched: shownTask,
      showList: (tasks) => tasks.map(shownTask),
      refuse: ({ code, definition }, text) => ({ status: definition.status, body: { code, text } }),
    },
  ],
  endsLater: { platform: 'suno', lifeMs: HOUR_MS },
}
