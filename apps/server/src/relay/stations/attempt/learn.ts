import { isListedBeta } from '@tollgate/catalogue/limits/claude-hosts'
import { parseObject } from '@tollgate/dialects/json'
import { isAboutEveryModel, findOppositeLesson, type LessonName } from '@tollgate/dialects/traits/lessons'
import { learnedTraitIn } from '@tollgate/dialects/traits/read-refusal'
import { readBetas } from '@tollgate/providers/fit/claude-members'
import { wouldChange } from '@tollgate/providers/fit/lesson-effect'
import type { Delivered, Failed } from '../../outcome.ts'
import type { Choice } from '../route/choice.ts'
import type { Prepared } from './prepare.ts'

/** Larger bodies are not parsed again to learn from them; a smaller request will teach the same. */
const READ_BYTES_MAX = 1024 * 1024

/** A vendor may refuse two things at once; more would keep the caller waiting. */
const LESSONS_A_CALL_MAX = 2

/** Adds the lesson to a failed attempt if the upstream's error teaches one that would change the request. */
export function withLessonFrom(failed: Failed, prepared: Prepared, { lessons: tried = [] }: Choice): Failed {
  const { vendorError } = failed.failure
  if (vendorError === undefined || prepared.lessons === undefined || tried.length >= LESSONS_A_CALL_MAX)
    return failed
  const taught = learnedTraitIn(vendorError, prepared.operation)
  if (taught === undefined) return failed
  // A server that refuses the plain form teaches it back, once a call.
  const name = [taught, findOppositeLesson(taught)].find(
    (each) => each !== undefined && !isTried(each, tried) && isEffective(each, prepared),
  )
  return name === undefined ? failed : { ...failed, lesson: { name, model: prepared.lessonModel } }
}

/** A server that refuses both forms is not asked a third time. */
function isTried(name: LessonName, tried: readonly LessonName[]): boolean {
  const opposite = findOppositeLesson(name)
  return tried.includes(name) || (opposite !== undefined && tried.includes(opposite))
}

/**
 * Whether applying the lesson would change the request. A pass-through body cannot be rewritten, so only
 * lessons about the endpoint help there; OpenAI itself serves all of its endpoints, so these are not tried on
 * it.
 */
function isEffective(name: LessonName, prepared: Prepared): boolean {
  if (isAboutEveryModel(name) ? prepared.origin.endsWith('api.openai.com') : prepared.isPassThrough)
    return false
  if (!Buffer.isBuffer(prepared.body)) return false
  if (name === 'betas:usual') return hasListedBetas(prepared)
  if (prepared.body.length > READ_BYTES_MAX) return false
  const body = parseObject(prepared.body)
  return body !== undefined && wouldChange(body, name)
}

/**
 * Whether the request has betas, and nothing but those of the tables: the name of any other one came from the
 * caller, and its refusal says nothing about the host.
 */
function hasListedBetas({ headers, body }: Prepared): boolean {
  const inBody = Buffer.isBuffer(body) && body.length <= READ_BYTES_MAX ? parseObject(body) : undefined
  const betas = readBetas({ callerHeaders: headers, body: inBody ?? {} })
  return betas.length > 0 && betas.every(isListedBeta)
}

/** Whether a response in the learned form shows that the model takes it. */
export function isWorthKeeping({ reading, ending }: Delivered): boolean {
  return reading.error === undefined && (ending === 'complete' || reading.hasOutput)
}

/**
 * Whether to report the second failure: the vendor accepted the form, and the failure can be retried while
 * the first could not.
 */
export function isWorthMore(second: Failed, first: Failed): boolean {
  const { answer, isRetryable } = second.failure
  return answer.type === 'upstream' && isRetryable && !first.failure.isRetryable
}
