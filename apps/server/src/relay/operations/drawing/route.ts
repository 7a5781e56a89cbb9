import { decodedUri } from '@tollgate/kit/decoded-uri'
import { isMidjourneyVerb } from '@tollgate/providers/tasks/midjourney-actions'
import type { TaskRequestLine, TaskRoute } from '../task-api.ts'

/**
 * Matches `/mj/…` with or without a mode before it. In `/mj-fast/mj/…` the mode is for this gateway only;
 * `/fast/mj/…` is passed to the upstream.
 */
const PATH = /^(?:\/([\w-]{1,32}))?\/mj(\/.+)$/

export function midjourneyRoute({ method, path }: TaskRequestLine): TaskRoute | undefined {
  const [, mode, rest = ''] = PATH.exec(path) ?? []
  if (mode === 'api') return undefined
  const upstreamPath = `${mode === undefined || mode.startsWith('mj-') ? '' : `/${mode}`}/mj${rest}`
  if (method === 'POST') return posted(rest, upstreamPath)
  if (method !== 'GET') return undefined
  const [, kind, id, verb] = /^\/(task|image)\/([^/]+)(?:\/(fetch|image-seed))?$/.exec(rest) ?? []
  if (id === undefined) return undefined
  const taskId = decodedUri(id)
  if (kind === 'image') return verb === undefined ? { type: 'image', taskId } : undefined
  if (verb === 'fetch') return { type: 'fetch', taskId }
  return verb === 'image-seed' ? { type: 'seed', taskId, path: upstreamPath } : undefined
}

function posted(rest: string, path: string): TaskRoute | undefined {
  if (rest === '/task/list-by-condition') return { type: 'list' }
  if (rest === '/notify') return { type: 'notify' }
  if (rest === '/insight-face/swap') return { type: 'submit', verb: 'swap', path }
  const verb = /^\/submit\/([\w-]+)$/.exec(rest)?.[1]
  if (verb === undefined || verb === 'swap' || !isMidjourneyVerb(verb)) return undefined
  return { type: 'submit', verb, path }
}
