import { parseObject } from '@tollgate/dialects/json'
import { isAboutEveryModel, type LessonName } from '@tollgate/dialects/traits/lessons'
import { lessonIn } from '@tollgate/dialects/traits/read-refusal'
import { wouldChange } from '@tollgate/providers/fit/lesson-effect'
import type { Outcome, Failed } from '../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { ChannelLessons } from '../lessons/channel-lessons.ts'
import type { Choice } from '../route/choice.ts'
import type { Prepared } from './prepare.ts'

/** A larger body is not read again for a lesson; a smaller one will bring it. */
const READ_BYTES_MAX = 1024 * 1024

/** A refusal, with the lesson in it where that would change what was sent. */
export function taughtBy(failed: Failed, prepared: Prepared, { lesson: tried }: Choice): Failed {
  const { vendorError } = failed.failure
  if (vendorError === undefined || tried !== undefined || prepared.lessons === undefined) return failed
  const name = lessonIn(vendorError, prepared.operation)
  if (name === undefined || prepared.lessons.includes(name)) return failed
  return isEffective(name, prepared) ? { ...failed, lesson: { name, model: prepared.lessonModel } } : failed
}

/** Bodies that pass untouched can only be asked for elsewhere. OpenAI has all of its endpoints. */
function isEffective(name: LessonName, prepared: Prepared): boolean {
  if (isAboutEveryModel(name) ? prepared.origin.endsWith('api.openai.com') : prepared.isPassThrough)
    return false
  if (!Buffer.isBuffer(prepared.body)) return false
  if (prepared.body.length > READ_BYTES_MAX) return false
  const body = parseObject(prepared.body)
  return body !== undefined && wouldChange(body, name)
}

/**
 * One attempt. Where a refusal says in which form its model takes the request, one more on the same channel in that form;
 * what it taught is kept when that one is answered.
 */
export async function attemptLearning(
  held: Held,
  choice: Choice,
  once: (held: Held, choice: Choice) => Promise<Outcome>,
  lessons: Pick<ChannelLessons, 'keep'>,
): Promise<Outcome> {
  const first = await once(held, choice)
  if (first.type !== 'failed' || first.lesson === undefined || held.call.isGone) return first
  const { name, model } = first.lesson
  const second = await once(held, { ...choice, lesson: name })
  if (second.type === 'failed') return isWorthMore(second, first) ? second : first
  const { error, hasOutput } = second.reading
  if (error === undefined && (hasOutput || second.ending === 'complete'))
    await lessons.keep(choice.channel, model, name)
  return second
}

/** The vendor took the form, and another channel or a moment later may answer. */
function isWorthMore(second: Failed, first: Failed): boolean {
  const { answer, isRetryable } = second.failure
  return answer.type === 'upstream' && isRetryable && !first.failure.isRetryable
}
