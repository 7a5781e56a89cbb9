import type { IncomingMessage } from 'node:http'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { JsonObject } from '@tollgate/dialects/json'
import {
  callerLimits,
  checkedScan,
  parsedObject,
  PROMPT_CHARACTERS_MAX,
} from '@tollgate/dialects/json-limits'
import { refuseOdd, refuseOddForm, refuseOddInTexts } from '@tollgate/dialects/judged/refuse'
import type { JudgedShape } from '@tollgate/dialects/judged/shape'
import { readForm, textsOf, type Form, type FormPart } from '@tollgate/dialects/media/form'
import { problem } from '@tollgate/kit/problem'
import { readBody } from '../admit/body.ts'

interface Reading {
  readonly bytesMax: number
  readonly judged: JudgedShape
}

/**
 * The members of a submission: of a JSON object, or of a form, whose pictures become data URLs. Throws the Problem of a
 * judged member in an odd spelling.
 */
export async function readMembers(
  request: IncomingMessage,
  { bytesMax, judged }: Reading,
): Promise<JsonObject> {
  const type = request.headers['content-type'] ?? ''
  const bytes = await readBody(request, bytesMax)
  const isForm = /^\s*multipart\/form-data\b/i.test(type)
  const body = isForm ? formMembers(readForm(bytes, type), judged) : objectMembers(bytes, judged)
  for (const param of PROMPTS) {
    const text = body[param]
    if (typeof text === 'string' && text.length > PROMPT_CHARACTERS_MAX)
      throw problem('member_text_too_long', { param, max: PROMPT_CHARACTERS_MAX })
  }
  return body
}

/** Words for what is made, and for how. They are searched, stored with the task and shown again. */
const PROMPTS = ['prompt', 'negative_prompt', 'gpt_description_prompt', 'content'] as const

function objectMembers(bytes: Buffer, judged: JudgedShape): JsonObject {
  const { odd } = checkedScan(bytes, callerLimits, judged)
  const body = parsedObject(bytes)
  refuseOdd(odd)
  refuseOddInTexts(body, judged)
  return body
}

function formMembers(form: Form, judged: JudgedShape): JsonObject {
  const texts = textsOf(form)
  refuseOddForm(form, texts, judged)
  const files = form.parts.filter(({ fileName }) => fileName !== undefined)
  const pictures = Map.groupBy(files, ({ name }) => name)
  const members = [...pictures].map(([name, parts]) => [name, parts.map(dataUrl)] as const)
  return { ...texts, ...Object.fromEntries(members) }
}

/** WEAKNESS: a picture is what its bytes say it is. */
function dataUrl({ name, content }: FormPart): string {
  const type = mediaTypeOf(content)
  if (type === undefined) throw problem('member_invalid', { param: name })
  return `data:${type};base64,${content.toString('base64')}`
}
