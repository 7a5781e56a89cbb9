import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { ownValue } from '@tollgate/kit/own-value'
import type { TaskAsk } from './task.ts'

/** The action of a submission, and the task that it continues, if any. */
export interface MidjourneyAction {
  readonly action: string
  readonly origin?: TaskAsk['origin']
}

/** The verbs of `/mj/submit/<verb>`, each with a function that determines the action. */
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
  // Either continues one of the caller's tasks, or starts from an image in the request.
  video: (body, followsOnlySuccess) =>
    body['taskId'] === undefined || body['taskId'] === ''
      ? { action: 'VIDEO' }
      : { action: 'VIDEO', origin: originOf(body['taskId'], followsOnlySuccess) },
  // A task that waits for modal input has not succeeded yet, so its success is not required.
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
  verb: string,
  body: JsonObject,
  followsOnlySuccess: boolean,
): MidjourneyAction {
  const read = ownValue(verbs, verb)
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

/** Parses a text such as `1718000000123456 U1`. */
function simpleChange(content: string): { taskId: string; action: string } {
  const [, taskId, letter = ''] = /^\s*(\S+)\s+(?:([uv])[1-4]|r)\s*$/i.exec(content) ?? []
  if (taskId === undefined) throw problem('content_parse_failed')
  const action = { u: 'UPSCALE', v: 'VARIATION' }[letter.toLowerCase()] ?? 'REROLL'
  return { taskId, action }
}

/** Substrings of a button's custom id, the more specific ones first. */
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
/**
 * The parts of a custom id that may contain the action, as in `MJ::JOB::upsample::2::…` and
 * `MJ::Outpaint::50::…`.
 */
const TELLING_PARTS = 3

/** Unlike new-api: a custom id that is too short to name an action is refused with an error. */
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

/** The model names that a Midjourney channel lists. */
export const midjourneyModels: readonly string[] = ACTIONS.map(midjourneyModel)
