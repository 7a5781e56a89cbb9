import type { LessonName } from './lessons.ts'
import { extraInputs, type ExtraInput } from './model-traits.ts'

/** How hosts of Claude refuse a member that they do not know, with the member's place. Each read on 2026-11-29. */
const inputRefusals: readonly RegExp[] = [
  // https://github.com/anthropics/claude-code/issues/21612
  /^(?:The model returned the following errors: )?([a-z_]{1,40}(?:\.[\w]{1,40}){0,6}): Extra inputs are not permitted\.?$/,
  // https://github.com/Wei-Shaw/sub2api/issues/2726
  /^Malformed input request: #(?:\/[\w/]{1,60})?: extraneous key \[([a-z_]{1,40})\] is not permitted/,
]

/** https://github.com/anthropics/claude-code/issues/21625, https://github.com/decolua/9router/issues/1468 */
const betaRefusals: readonly RegExp[] = [
  /^Unexpected value\(s\) (?:`[\w.-]{1,64}`(?:, )?){1,32} for the `anthropic-beta` header/,
  /^(?:The model returned the following errors: )?invalid beta flag\.?$/i,
]

const MESSAGE_CHARACTERS_MAX = 2_000

/** The lesson of a refused member or beta of a Messages request. */
export function readInputRefusal(message: string): LessonName | undefined {
  if (message.length > MESSAGE_CHARACTERS_MAX) return undefined
  if (betaRefusals.some((words) => words.test(message))) return 'betas:usual'
  const place = inputRefusals.map((words) => words.exec(message)?.[1]).find((name) => name !== undefined)
  const input = place === undefined ? undefined : findInput(place)
  return input === undefined ? undefined : `extra_input:${input}`
}

/** `tools.3.custom.defer_loading` is the member `defer_loading` of a tool, wherever the tool stands. */
function findInput(place: string): ExtraInput | undefined {
  const plain = place.replaceAll(/\.(?:\d+|custom|ephemeral|adaptive|enabled)(?=\.|$)/g, '')
  const marker = /(?:^|\.)(cache_control\.\w+)$/.exec(plain)?.[1]
  return extraInputs.find((input) => input === (marker ?? plain))
}
