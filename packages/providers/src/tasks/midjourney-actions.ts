import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import type { SubmitRoute, TaskAsk } from './platform.ts'

/** What is done, and from which drawing it goes on. */
export interface MidjourneyAction {
  readonly action: string
  readonly origin?: TaskAsk['origin']
}

/** The verbs of `/mj/submit/<verb>`, each with how its action is found. */
const verbs: Readonly<Record<string, (body: JsonObject, followsOnlySuccess: boolean) => MidjourneyAction>> = {
  imagine: (body) => {
    if (textAt(body, 'prompt') === undefined) throw problem('prompt_is_required')
    return { action: 'IMAGINE' }
  },
  describe: () => ({ action: 'DESCRIBE' }),
  blend: () => ({ action: 'BLEND' }),
  shorten: () => ({ action: 'SHORTEN' }),
  'upload-discord-images': () => ({ action: 'UPLOAD' }),
  swap: () => ({ action: 'SWAP_FACE' }),
  edits: () => ({ action: 'EDITS' }),
  // Of a drawing of the caller's, or of a picture that comes along.
  video: (body, followsOnlySuccess) =>
    body['taskId'] === undefined || body['taskId'] === ''
      ? { action: 'VIDEO' }
      : { action: 'VIDEO', origin: originOf(body['taskId'], followsOnlySuccess) },
  // A window that waits is no success yet.
  modal: (body) => ({ action: 'MODAL', origin: originOf(body['taskId'], false) }),
  action: (body, followsOnlySuccess) => {
    const origin = originOf(body['taskId'], followsOnlySuccess)
    return { action: actionOfButton(textAt(body, 'customId')), origin }
  },
  change: (body, followsOnlySuccess) => {
    const origin = originOf(body['taskId'], followsOnlySuccess)
    const action = textAt(body, 'action')
    if (action === undefined) throw problem('action_is_required')
    return { action: changeOf(action, body['index']), origin }
  },
  'simple-change': (body, followsOnlySuccess) => {
    const { taskId, action } = simpleChange(textAt(body, 'content') ?? '')
    return { action, origin: originOf(taskId, followsOnlySuccess) }
  },
}

export function midjourneyAction(
  { verb }: SubmitRoute,
  body: JsonObject,
  followsOnlySuccess: boolean,
): MidjourneyAction {
  const read = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (read === undefined) throw problem('unknown_action', { action: verb })
  return read(body, followsOnlySuccess)
}

export function isMidjourneyVerb(verb: string): boolean {
  return Object.hasOwn(verbs, verb)
}

export function midjourneyModel(action: string): string {
  return action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`
}

function originOf(
  value: unknown,
  mustHaveSucceeded: boolean,
): { taskId: string; mustHaveSucceeded: boolean } {
  const taskId = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (taskId === '') throw problem('task_id_is_required')
  return { taskId, mustHaveSucceeded }
}

function changeOf(action: string, index: unknown): string {
  if (action === 'REROLL') return action
  if (action !== 'UPSCALE' && action !== 'VARIATION') throw problem('unknown_action', { action })
  if (index === undefined || index === null) throw problem('index_is_required')
  const digit = typeof index === 'string' || typeof index === 'number' ? String(index) : ''
  if (!/^[1-4]$/.test(digit)) throw problem('index_parse_failed')
  return action
}

/** `1718000000123456 U1` */
function simpleChange(content: string): { taskId: string; action: string } {
  const [, taskId, letter = ''] = /^\s*(\S+)\s+(?:([uv])[1-4]|r)\s*$/i.exec(content) ?? []
  if (taskId === undefined) throw problem('content_parse_failed')
  const action = { u: 'UPSCALE', v: 'VARIATION' }[letter.toLowerCase()] ?? 'REROLL'
  return { taskId, action }
}

/** What stands in a button's id, the more telling words first. */
const buttons: readonly (readonly [string, string])[] = [
  ['low_variation', 'LOW_VARIATION'],
  ['high_variation', 'HIGH_VARIATION'],
  ['variation', 'VARIATION'],
  ['upsample', 'UPSCALE'],
  ['pan_', 'PAN'],
  ['reroll', 'REROLL'],
  ['CustomZoom', 'CUSTOM_ZOOM'],
  ['Outpaint', 'ZOOM'],
  ['Inpaint', 'INPAINT'],
]
/** Of `MJ::JOB::upsample::2::…` and `MJ::Outpaint::50::…` alike. */
const TELLING_PARTS = 3

/** WEAKNESS: a short id names no action; it is refused and breaks nothing. */
function actionOfButton(customId: string | undefined): string {
  if (customId === undefined) throw problem('custom_id_is_required')
  const parts = customId.split('::', TELLING_PARTS)
  const found =
    parts[0] === 'MJ' ? buttons.find(([word]) => parts.some((part) => part.startsWith(word))) : undefined
  if (found === undefined) throw problem('unknown_action', { action: customId.slice(0, 100) })
  return found[1]
}

const ACTIONS = [
  'IMAGINE',
  'BLEND',
  'CUSTOM_ZOOM',
  'DESCRIBE',
  'EDITS',
  'HIGH_VARIATION',
  'INPAINT',
  'LOW_VARIATION',
  'MODAL',
  'PAN',
  'REROLL',
  'SHORTEN',
  'SWAP_FACE',
  'UPLOAD',
  'UPSCALE',
  'VARIATION',
  'VIDEO',
  'ZOOM',
]

/** What channels list to be drawn for them. */
export const midjourneyModels: readonly string[] = ACTIONS.map(midjourneyModel)
