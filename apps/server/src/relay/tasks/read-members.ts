import type { IncomingMessage } from 'node:http'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { JsonObject } from '@tollgate/dialects/json'
import { PROMPT_CHARACTERS_MAX, readObject } from '@tollgate/dialects/json-limits'
import { readForm, textsOf, type FormPart } from '@tollgate/dialects/media/form'
import { problem } from '@tollgate/kit/problem'
import { readBody } from '../admit/body.ts'

/** The members of a submission: of a JSON object, or of a form, whose pictures become data URLs. */
export async function readMembers(request: IncomingMessage, bytesMax: number): Promise<JsonObject> {
  const type = request.headers['content-type'] ?? ''
  const bytes = await readBody(request, bytesMax)
  const body = /^\s*multipart\/form-data\b/i.test(type) ? formMembers(bytes, type) : readObject(bytes)
  for (const param of PROMPTS) {
    const text = body[param]
    if (typeof text === 'string' && text.length > PROMPT_CHARACTERS_MAX)
      throw problem('member_text_too_long', { param, max: PROMPT_CHARACTERS_MAX })
  }
  return body
}

/** Words for what is made, and for how. They are searched, stored with the task and shown again. */
const PROMPTS = ['prompt', 'negative_prompt', 'gpt_description_prompt', 'content'] as const

function formMembers(bytes: Buffer, type: string): JsonObject {
  const form = readForm(bytes, type)
  const files = form.parts.filter(({ fileName }) => fileName !== undefined)
  const pictures = Map.groupBy(files, ({ name }) => name)
  const members = [...pictures].map(([name, parts]) => [name, parts.map(dataUrl)] as const)
  return { ...textsOf(form), ...Object.fromEntries(members) }
}

/** WEAKNESS: a picture is what its bytes say it is. */
function dataUrl({ name, content }: FormPart): string {
  const type = mediaTypeOf(content)
  if (type === undefined) throw problem('member_invalid', { param: name })
  return `data:${type};base64,${content.toString('base64')}`
}
